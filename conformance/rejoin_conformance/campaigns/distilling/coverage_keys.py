"""What a history reaches: the keys that a distilled set of histories has to reach, too."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any, Final

from rejoin_conformance.contract.choices import choice_points
from rejoin_conformance.contract.system import System
from rejoin_conformance.corpus.history_vectors import CLAUSE
from rejoin_conformance.kit.json_types import canonical_json

APART: Final = "apart"


def keys_of(
    system: System, history: Any, readings: tuple[str, ...], switched: tuple[str, ...] = ()
) -> frozenset[str]:
    """Everything that a history reaches, in each of the readings.

    `READING what`, where what is one of: a coverage key of the system's (a clause that was decided,
    an event, a refusal, a shape); `law:NAME:held-to` and `law:NAME:premise-not-met`, the two ways
    in which a history can meet a law; `broken:NAME:kind`. And `apart:A:B:aspect`, where an aspect
    of the outcome is not the same in the first reading and another one.

    switched: other readings, of which only that is asked.
    """
    keys = _apart(system, history, readings[0], (*readings[1:], *switched))
    for reading in readings:
        keys |= _keys_in(system, history, reading)
    return frozenset(keys)


def reaches(
    system: System, history: Any, readings: tuple[str, ...], purpose: Collection[str]
) -> bool:
    """Whether a history reaches certain keys; it is looked at only as far as they ask for."""
    for reading in readings:
        wanted = {key for key in purpose if key.startswith(f"{reading} ")}
        if wanted and not wanted <= _keys_in(system, history, reading):
            return False
    wanted = {key for key in purpose if key.startswith(f"{APART}:")}
    others = sorted({key.split(":")[2] for key in wanted})
    return not wanted or wanted <= _apart(system, history, readings[0], others)


def each_choice(system: System) -> tuple[str, ...]:
    """The system's default reading with each of its choice points switched alone, to each value."""
    if system.choices is None:
        return ()
    reading = system.choices.of(system.default_reading)
    return tuple(
        f"{system.default_reading}+{point}={spelling}"
        for point in choice_points(system.choices.kind)
        for spelling, value in system.choices.spellings(point).items()
        if value != getattr(reading, point)
    )


def clauses_in(keys: frozenset[str]) -> frozenset[str]:
    """The clauses that are decided in any reading."""
    reached = (key.partition(" ")[2] for key in keys)
    return frozenset(what.removeprefix(CLAUSE) for what in reached if what.startswith(CLAUSE))


def keys_counted(
    reading: str,
    coverage: Mapping[str, int],
    checked: Mapping[str, int],
    vacuous: Mapping[str, int],
    violated: Iterable[tuple[str, str]],
) -> set[str]:
    """The keys that counts under one reading tell: those of a history, or of many together.

    violated: laws that are broken, each with the kind of its breaking.
    """
    reached = [key for key, count in coverage.items() if count]
    reached += [f"law:{law}:held-to" for law, count in checked.items() if count]
    reached += [f"law:{law}:premise-not-met" for law, count in vacuous.items() if count]
    reached += [f"broken:{law}:{kind}" for law, kind in violated]
    return {f"{reading} {what}" for what in reached}


def _keys_in(system: System, history: Any, reading: str) -> set[str]:
    found = system.histories.examine(history, reading)
    violated = [(each.law, each.kind) for each in found.violations]
    return keys_counted(reading, found.coverage, found.checked, found.vacuous, violated)


def _apart(system: System, history: Any, first: str, others: Sequence[str]) -> set[str]:
    """Where the outcome under the first reading and under another one differ."""
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
