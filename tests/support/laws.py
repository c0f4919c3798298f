"""Hold the reference, or a faulty one, to the laws of a system."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from typing import Any

from hypothesis import Phase

from rejoin_conformance.laws.asking import (
    Asking,
    LawBrokenError,
    hold_to_the_laws,
    the_reference,
)
from support.faults import Faulty, planted


def by(changed: Callable[..., Any]) -> Faulty:
    """Return a fault that puts another function in the place of one."""
    return lambda _original: changed


def always(value: object) -> Faulty:
    """Return a fault that always returns a value."""
    return by(lambda *_arguments, **_named: value)


def the_laws_hold(system: str) -> Asking:
    """Hold the reference to the laws, and return what it was asked."""
    asking = Asking(system, the_reference(system), the_reference(system))
    hold_to_the_laws(asking)
    return asking


def is_found(system: str, faults: Mapping[str, Faulty], examples: int = 500) -> str:
    """Return the law that a faulty reference breaks, or an empty text."""
    with planted(system, faults):
        asking = Asking(system, the_reference(system), the_reference(system))
        try:
            hold_to_the_laws(asking, examples, phases=[Phase.generate])
        except LawBrokenError as broken:
            return str(broken).partition("\n")[0]
    return ""


def show_reached(asking: Asking, *operations: str) -> None:
    """Print how many vectors of the operations the machine reached, and how often it asked."""
    every = {vector.id for vector in asking.vectors(*operations)}
    reached = f"{len(every & asking.seen)} of {len(every)} vectors reached"
    sys.stdout.write(f"{asking.system}: {reached}, {asking.asked.total():,} answers compared\n")
