"""The failures of a run in the order in which to read them; equal ones are one group."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from attrs import evolve, frozen

from rejoin_conformance.adapters.results.records import Record
from rejoin_conformance.adapters.results.suspicion import Suspect
from rejoin_conformance.contract.differences import first_difference
from rejoin_conformance.contract.tier import TIERS, tier_of
from rejoin_conformance.kit.json_types import canonical_json

SHOWN: Final = 20
"""The number of groups of failures that a report in a terminal shows."""
_MOST_TOLD: Final = 40
_NUMBER: Final = re.compile(r"([0-9]+)")


@frozen
class FailureGroup:
    """Failures of one operation with the same explanation.

    first: the one to read. alike: failures of its topic with the same clauses and the same kind of
        difference.
    """

    first: Record
    others: tuple[Record, ...] = ()
    alike: Sequence[Record] = ()

    @property
    def every(self) -> tuple[Record, ...]:
        """Return all failures of the group."""
        return (self.first, *self.others, *self.alike)


def in_reading_order(
    failures: Iterable[Record], suspected: Sequence[Suspect]
) -> tuple[Record, ...]:
    """Return the failures, the most telling ones first.

    Tier `core` comes first. In a tier, operations that only list steps come last. Vectors of few
    clauses come before others, and of those with as many, the ones of suspected clauses. The very
    first one is the one to begin with: of the first tier, of the most suspected clause if it has
    one there, the smallest input.
    """
    ranks = {each.clause: rank for rank, each in enumerate(suspected)}
    ordered = sorted(failures, key=lambda each: _place(each, ranks))
    first = [each for each in ordered if _place(each, ranks)[:2] == _place(ordered[0], ranks)[:2]]
    these = [*_of_the_most_suspected(first, suspected)] or first
    begin = min(these, key=_size, default=None)
    return tuple(sorted(ordered, key=lambda each: each is not begin))


def _size(each: Record) -> float:
    """Return the length of the input; a results file can hold one that is nested too deeply."""
    try:
        return len(canonical_json(each.input or {}))
    except RecursionError:
        return math.inf


def first_with_steps(failures: Iterable[Record], suspected: Sequence[Suspect]) -> Record | None:
    """Return the most telling failure of the most suspected clause that shows a parting of steps.

    failures: in reading order.
    """
    telling = _of_the_most_suspected(failures, suspected)
    return next((each for each in telling if each.steps is not None and each.steps.parts), None)


def grouped(failures: Iterable[Record]) -> tuple[FailureGroup, ...]:
    """Return the failures in groups, in the order of the first failure of each."""
    groups: dict[tuple[str, ...], list[Record]] = {}
    for each in failures:
        kind = (each.operation, each.verdict, each.fault, each.explanation)
        groups.setdefault(kind, []).append(each)
    return tuple(FailureGroup(first, tuple(others)) for first, *others in groups.values())


def joined(groups: Iterable[FailureGroup]) -> tuple[FailureGroup, ...]:
    """Return one group for each kind of failure: the first, with the failures of the later ones."""
    found: dict[tuple[object, ...], list[FailureGroup]] = {}
    for each in groups:
        found.setdefault(_kind(each.first), []).append(each)
    return tuple(
        evolve(first, alike=sorted((one for each in like for one in each.every), key=_natural))
        for first, *like in found.values()
    )


def _kind(each: Record) -> tuple[object, ...]:
    """Return what failures have in common that are alike."""
    first = first_difference(each.expected, each.observed)
    how = first.general(()) if first and each.fault == "wrong-output" else each.explanation
    topic = each.id.rpartition("/")[0]
    return topic, each.operation, each.verdict, each.fault, each.clauses, how


def _natural(each: Record) -> list[tuple[int, str]]:
    """Return a key that sorts numbers in names by their size."""
    return [(int(part) if part.isdecimal() else 0, part) for part in _NUMBER.split(each.id)]


def told_in_full(failures: Sequence[Record]) -> tuple[Record, ...]:
    """Return the failures that reports tell first: of the first groups, and one of each clause.

    failures: in reading order.
    """
    firsts = [group.first for group in grouped(failures)]
    told = firsts[:SHOWN]
    clauses = {clause for each in told for clause in each.clauses}
    for each in firsts[SHOWN:]:
        if len(told) == _MOST_TOLD:
            break
        if not clauses.issuperset(each.clauses):
            clauses.update(each.clauses)
            told.append(each)
    return tuple(told)


def _of_the_most_suspected(
    failures: Iterable[Record], suspected: Sequence[Suspect]
) -> Iterator[Record]:
    clause = suspected[0].clause if suspected else None
    return (each for each in failures if clause in {*each.clauses, *each.alike})


def _place(each: Record, ranks: Mapping[str, int]) -> tuple[int, bool, int, int, str, str]:
    rank = min((ranks.get(clause, len(ranks)) for clause in each.clauses), default=len(ranks))
    tier = TIERS.index(tier_of(each.id))
    return tier, each.lists_steps, len(each.clauses), rank, *each.key
