"""The coverage keys of a history, which a distilled set must preserve."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any, Final

from rejoin_conformance.contract.choices import choice_points
from rejoin_conformance.contract.system import System
from rejoin_conformance.corpus.history_vectors import CLAUSE
from rejoin_conformance.kit.json_types import canonical_json
from rejoin_conformance.readings.expressions import reading_of, spellings

APART: Final = "apart"


def keys_of(
    system: System, history: Any, readings: tuple[str, ...], switched: tuple[str, ...] = ()
) -> frozenset[str]:
    """Return the coverage keys of a history in each of the readings.

    A key is `READING KEY` or `apart:A:B:aspect`. KEY is a coverage key of the system (a decided
    clause, an event, a refusal, a shape), `law:NAME:held-to` if the law was checked,
    `law:NAME:premise-not-met` if its premises did not hold, or `broken:NAME:kind`. The other form
    means that an aspect of the outcome differs between the first reading and another one.

    switched: further readings, for keys of the form `apart` only.
    """
    keys = _apart(system, history, readings[0], (*readings[1:], *switched))
    for reading in readings:
        keys |= _keys_in(system, history, reading)
    return frozenset(keys)


def covers(
    system: System, history: Any, readings: tuple[str, ...], purpose: Collection[str]
) -> bool:
    """Return whether a history covers all keys in `purpose`. Run only what they require."""
    for reading in readings:
        wanted = {key for key in purpose if key.startswith(f"{reading} ")}
        if wanted and not wanted <= _keys_in(system, history, reading):
            return False
    wanted = {key for key in purpose if key.startswith(f"{APART}:")}
    others = sorted({key.split(":")[2] for key in wanted})
    return not wanted or wanted <= _apart(system, history, readings[0], others)


def each_choice(system: System) -> tuple[str, ...]:
    """Return the default reading with each choice point switched alone, to each value."""
    if system.choices is None:
        return ()
    reading = reading_of(system.choices, system.default_reading)
    return tuple(
        f"{system.default_reading}+{point}={spelling}"
        for point in choice_points(system.choices.kind)
        for spelling, value in spellings(system.choices, point).items()
        if value != getattr(reading, point)
    )


def clauses_in(keys: frozenset[str]) -> frozenset[str]:
    """Return the clauses that are decided in any reading."""
    covered = (key.partition(" ")[2] for key in keys)
    return frozenset(what.removeprefix(CLAUSE) for what in covered if what.startswith(CLAUSE))


def keys_counted(
    reading: str,
    coverage: Mapping[str, int],
    checked: Mapping[str, int],
    vacuous: Mapping[str, int],
    violated: Iterable[tuple[str, str]],
) -> set[str]:
    """Return the keys of counts under one reading, for one history or for many together.

    violated: the broken laws, each with its kind of violation.
    """
    covered = [key for key, count in coverage.items() if count]
    covered += [f"law:{law}:held-to" for law, count in checked.items() if count]
    covered += [f"law:{law}:premise-not-met" for law, count in vacuous.items() if count]
    covered += [f"broken:{law}:{kind}" for law, kind in violated]
    return {f"{reading} {what}" for what in covered}


def _keys_in(system: System, history: Any, reading: str) -> set[str]:
    found = system.histories.examine(history, reading)
    violated = [(each.law, each.kind) for each in found.violations]
    return keys_counted(reading, found.coverage, found.checked, found.vacuous, violated)


def _apart(system: System, history: Any, first: str, others: Sequence[str]) -> set[str]:
    """Return the keys for aspects that differ between the first reading and another one."""
    if not others:
        return set()
    found: set[str] = set()
    ours = system.histories.outcome(history, first)
    for other in others:
        theirs = system.histories.outcome(history, other)
        found.update(
            f"{APART}:{first}:{other}:{aspect}"
            for aspect in {*ours, *theirs}
            if canonical_json(ours.get(aspect)) != canonical_json(theirs.get(aspect))
        )
    return found
