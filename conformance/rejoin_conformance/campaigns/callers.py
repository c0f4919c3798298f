"""Find vectors and profiles that call an overridden function."""

from __future__ import annotations

import contextlib
from collections.abc import Collection
from pathlib import Path
from typing import Any, Final

from attrs import frozen

from rejoin_conformance.contract.system import System
from rejoin_conformance.contract.vector import Vector
from rejoin_conformance.corpus.load import load_system
from rejoin_conformance.corpus.moved import importance
from rejoin_conformance.readings.in_force import Side, side_in_force
from rejoin_conformance.readings.overriding import Tried, calls_since, tried

VECTORS_NAMED: Final = 3
HISTORIES_TRIED: Final = 20
"""The number of histories of each profile to try."""


@frozen
class Callers:
    """Where a function is called.

    vectors: the IDs of some vectors that call it. profile: the profile whose histories call it most
    often, or None; histories: how many of `HISTORIES_TRIED` histories of this profile call it.
    """

    vectors: tuple[str, ...]
    profile: str | None
    histories: int


def callers_of(
    names: Collection[str], side: Side, base: str, system: System, corpus: Path | None = None
) -> dict[str, Callers]:
    """Return where each of some overridden functions is called under a rule file.

    base: the reading whose vectors are run.
    """
    with side_in_force(side, system) as (reading, changed):
        vectors = _vectors(names, reading, base, changed, load_system(system.name, corpus))
        missing = [name for name in names if not vectors[name]]
        profiles = (
            {
                profile: _histories(missing, reading, changed, profile)
                for profile in system.histories.profiles
            }
            if missing
            else {}
        )
    found: dict[str, Callers] = {}
    for name in names:
        ranked = max(profiles, key=lambda profile: profiles[profile].get(name, 0), default=None)
        count = 0 if ranked is None else profiles[ranked].get(name, 0)
        found[name] = Callers(tuple(vectors[name]), ranked if count else None, count)
    return found


def _vectors(
    names: Collection[str], reading: str, base: str, system: System, corpus: Collection[Vector]
) -> dict[str, list[str]]:
    """Return for each name some vectors that call it, written ones of few clauses first."""
    found: dict[str, list[str]] = {name: [] for name in names}
    for vector in sorted(corpus, key=importance):
        missing = [name for name in names if len(found[name]) < VECTORS_NAMED]
        if not missing:
            break
        operation = system.operation(vector.operation)
        if operation is None or base not in vector.expected:
            continue
        for name in _called(missing, lambda: operation.run(vector.input, reading)):  # noqa: B023
            found[name].append(vector.id)
    return found


def _histories(
    names: Collection[str], reading: str, system: System, profile: str
) -> dict[str, int]:
    """Return for each name the number of histories of a profile that call it."""
    counts = dict.fromkeys(names, 0)
    for index in range(HISTORIES_TRIED):
        history = system.history(profile, 1, index)
        for name in _called(names, lambda: system.histories.examine(history, reading)):  # noqa: B023
            counts[name] += 1
    return counts


def _called(names: Collection[str], run: Any) -> list[str]:
    """Run something under the rule, and return the functions that it called."""
    before = tried()
    with contextlib.suppress(Exception):  # a rule can raise anything; only its calls matter
        run()
    calls = calls_since(before)
    return [name for name in names if calls.get(name, Tried()).calls]
