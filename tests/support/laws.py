"""Hold the reference, or a faulty one, to the laws of a system."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from typing import Any

from hypothesis import Phase, settings

from rejoin_conformance.contract.registry import system_named
from rejoin_conformance.kit.json_types import JsonObject
from rejoin_conformance.laws.asking import Answer, Ask, Asking, LawBrokenError
from rejoin_conformance.laws.machine import CI, NIGHTLY, hold_to_the_laws, vectors_of
from support.faults import Faulty, planted


def by(changed: Callable[..., Any]) -> Faulty:
    """Return a fault that puts another function in the place of one."""
    return lambda _original: changed


def always(value: object) -> Faulty:
    """Return a fault that always returns a value."""
    return by(lambda *_arguments, **_named: value)


def remembered(key: Callable[..., Any]) -> Faulty:
    """Return a fault that keeps the first result for each key of the arguments: a stale cache."""

    def faulty(original: Any) -> Any:
        kept: dict[Any, Any] = {}

        def remember(*arguments: Any, **named: Any) -> Any:
            place = key(*arguments, **named)
            if place not in kept:
                kept[place] = original(*arguments, **named)
            return kept[place]

        return remember

    return faulty


def the_reference(system: str) -> Ask:
    """Return the reference as an implementation that can be asked."""

    def ask(operation: str, value: JsonObject) -> Answer:
        found = system_named(system).operation(operation)
        assert found is not None, operation
        try:
            return found.run(value, system_named(system).default_reading).to_json()
        except Exception as error:  # noqa: BLE001 - a planted fault can raise anything
            return {"error": {"message": repr(error)}}

    return ask


def the_laws_hold(system: str) -> Asking:
    """Hold the reference to the laws, and return what it was asked."""
    asking = Asking(system_named(system), the_reference(system), the_reference(system))
    nightly = settings.get_current_profile_name() == "nightly"
    hold_to_the_laws(asking, NIGHTLY if nightly else CI)
    return asking


def is_found(system: str, faults: Mapping[str, Faulty]) -> str:
    """Return the law that a faulty reference breaks, or an empty text."""
    with planted(system, faults):
        asking = Asking(system_named(system), the_reference(system), the_reference(system))
        try:
            hold_to_the_laws(asking, settings(CI, phases=[Phase.generate]))
        except LawBrokenError as broken:
            return broken.law
    return ""


def show_reached(asking: Asking, *operations: str) -> None:
    """Print the share of vectors that the machine reached, and what it asked how often."""
    every = {vector.id for vector in vectors_of(asking.system.name, operations)}
    reached = f"{len(every & asking.seen)} of {len(every)} vectors reached"
    total = f"{asking.asked.total():,} answers compared"
    cases = ", ".join(f"{case}: {number:,}" for case, number in sorted(asking.cases.items()))
    sys.stdout.write(f"{asking.system.name}: {reached}, {total} ({cases})\n")
