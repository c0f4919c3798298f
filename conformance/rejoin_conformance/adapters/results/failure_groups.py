"""The failures of a run in the order in which to read them; those that are alike are one group."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from attrs import frozen

from rejoin_conformance.adapters.results.records import Record
from rejoin_conformance.adapters.results.suspicion import Suspect
from rejoin_conformance.contract.differences import first_difference
from rejoin_conformance.contract.tier import TIERS, tier_of
from rejoin_conformance.kit.json_types import canonical_json

SHOWN: Final = 20
"""The number of groups of failures that a report in a terminal shows."""
_MOST_TOLD: Final = 40


@frozen
class FailureGroup:
    """Failures that are alike. first: the one to read."""

    first: Record
    others: Sequence[Record] = ()


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


def grouped(failures: Iterable[Record]) -> Sequence[FailureGroup]:
    """Return the failures in groups, in the order of the first failure of each.

    Failures of one operation with the same explanation are alike, and so is a failure of the same
    topic, with the same clauses and the same kind of difference as the first one of a group.
    """
    groups: list[list[Record]] = []
    found: dict[tuple[object, ...], list[Record]] = {}
    for each in failures:
        fault = (each.operation, each.verdict, each.fault)
        same = (*fault, each.explanation)
        like = (*fault, each.id.rpartition("/")[0], each.clauses, _difference(each))
        group = found.get(same) or found.get(like)
        if group is None:
            group = found[like] = []
            groups.append(group)
        found[same] = group
        group.append(each)
    return [FailureGroup(first, others) for first, *others in groups]


def _difference(each: Record) -> str:
    """Return the kind of difference of a wrong output, or the whole explanation of a failure."""
    wrong = each.fault == "wrong-output"
    first = first_difference(each.expected, each.observed) if wrong else None
    return each.explanation if first is None else first.general(())


def told_in_full(failures: Sequence[Record]) -> Sequence[Record]:
    """Return the failures that reports tell first: of the first groups, and one of each clause.

    failures: in reading order.
    """
    firsts = [group.first for group in grouped(failures)]
    others = sorted(place for place in first_of_a_clause(firsts) if place >= SHOWN)
    return [*firsts[:SHOWN], *(firsts[place] for place in others)][:_MOST_TOLD]


def first_of_a_clause(records: Sequence[Record]) -> set[int]:
    """Return the places of the records that are the first of some clause."""
    told: set[str] = set()
    places = set()
    for place, record in enumerate(records):
        if not told.issuperset(record.clauses):
            places.add(place)
            told.update(record.clauses)
    return places


def _of_the_most_suspected(
    failures: Iterable[Record], suspected: Sequence[Suspect]
) -> Iterator[Record]:
    clause = suspected[0].clause if suspected else None
    return (each for each in failures if clause in {*each.clauses, *each.alike})


def _place(each: Record, ranks: Mapping[str, int]) -> tuple[int, bool, int, int, str, str]:
    rank = min((ranks.get(clause, len(ranks)) for clause in each.clauses), default=len(ranks))
    tier = TIERS.index(tier_of(each.id))
    return tier, each.lists_steps, len(each.clauses), rank, *each.key
