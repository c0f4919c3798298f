"""Hold the reference, or a faulty one, to the laws of a system."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from typing import Any

from attrs import evolve
from hypothesis import Phase, settings

from rejoin_conformance.adapters.protocol import Reply
from rejoin_conformance.adapters.runner.cases import Case
from rejoin_conformance.adapters.runner.judge import judge
from rejoin_conformance.contract.registry import system_named
from rejoin_conformance.laws.machine import (
    CI,
    Asking,
    LawBrokenError,
    hold_to_the_laws,
    vectors_of,
)
from support.faults import Faulty, planted
from support.toy_runs import HELLO


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


def the_reference(case: Case) -> Reply:
    """Return the answer of the reference, or of a faulty one."""
    try:
        said: Any = case.operation.run(case.vector.input, case.reading).to_json()
    except Exception as error:  # noqa: BLE001 - a planted fault can raise anything
        said = {"error": {"message": repr(error)}}
    return Reply(0, *next(iter(said.items())))


def held(name: str, answer: Callable[[Case], Reply], chosen: settings) -> Asking:
    """Hold what answers as one process to all laws of a system. Raises LawBrokenError."""
    system = system_named(name)
    operations = tuple(each.name for each in system.operations)
    hello = evolve(HELLO, operations=operations, readings={})
    asking = Asking(system, hello, lambda case: judge(case, answer(case)))
    hold_to_the_laws(asking, chosen)
    return asking


def the_laws_hold(name: str) -> Asking:
    """Hold the reference to the laws, in as many runs as the profile of Hypothesis has examples."""
    profile = settings.get_profile(settings.get_current_profile_name())
    chosen = settings(
        CI,
        max_examples=profile.max_examples,
        derandomize=profile.derandomize,
        database=profile.database,
    )
    return held(name, the_reference, chosen)


def is_found(system: str, faults: Mapping[str, Faulty]) -> str:
    """Return the law that a faulty reference breaks, or an empty text."""
    with planted(system, faults):
        try:
            held(system, the_reference, settings(CI, max_examples=30, phases=[Phase.generate]))
        except LawBrokenError as broken:
            return broken.law
    return ""


def show_reached(asking: Asking, *operations: str) -> None:
    """Print the share of vectors that the machine reached, and what it asked how often."""
    every, reached = vectors_of(asking.system.name, operations), asking.cases.pop("vectors reached")
    cases = ", ".join(f"{case}: {number:,}" for case, number in sorted(asking.cases.items()))
    share = f"{reached} of {len(every)} vectors reached"
    total = f"{asking.asked.total():,} answers compared"
    sys.stdout.write(f"{asking.system.name}: {share}, {total} ({cases})\n")
