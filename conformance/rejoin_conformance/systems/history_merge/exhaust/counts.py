"""Counts over the histories of many DAGs. The counts of parts add up to the counts of the whole."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from attrs import frozen

from rejoin_conformance.systems.history_merge.exhaust.patterns import Bits, every_pattern
from rejoin_conformance.systems.history_merge.exhaust.premises import (
    PREMISES,
    Happened,
    Premise,
)
from rejoin_conformance.systems.history_merge.exhaust.search import ClassHistories


@frozen
class PremiseCounts:
    """The number of histories that meet a premise, and how many of them break each claim.

    name: of the premise.
    """

    name: str
    histories: int = 0
    order_dependent: int = 0
    not_associative: int = 0


@frozen(kw_only=True)
class Counts:
    """Counts over all histories of some DAGs. Isomorphic DAGs all count.

    order_dependent: histories with an anti-chain whose merge depends on the fold order.
    order_dependent_sets: pairs of a history and such an anti-chain.
    not_associative: histories in which associativity fails for some A and B.
    failing_splits: triples of a history, A and B for which it fails.
    not_associative_pinned: histories in which it fails although every fold order is ascending.
    only_not_associative: histories in which it fails although no merge depends on the fold order.
    premises: the counts of each premise, in the order of `PREMISES`.
    """

    dags: int = 0
    histories: int = 0
    order_dependent: int = 0
    order_dependent_sets: int = 0
    not_associative: int = 0
    failing_splits: int = 0
    not_associative_pinned: int = 0
    only_not_associative: int = 0
    premises: tuple[PremiseCounts, ...] = tuple(PremiseCounts(each.name) for each in PREMISES)


_NUMBERS: Final = (
    "dags",
    "histories",
    "order_dependent",
    "order_dependent_sets",
    "not_associative",
    "failing_splits",
    "not_associative_pinned",
    "only_not_associative",
)


def counts_of(nodes: int, classes: Iterable[ClassHistories]) -> Counts:
    """Count the histories of classes of DAGs with that many nodes besides the root.

    Associativity fails pinned in every history in which it fails (search-rules.md).
    """
    every = every_pattern(nodes)
    totals = [0] * len(_NUMBERS)
    by_premise = [[0, 0, 0] for _ in PREMISES]
    for histories in classes:
        found, automorphisms = histories.findings, histories.automorphisms
        dags = sum([orders for orders, _ in histories.happened]) // automorphisms
        not_associative = found.not_associative.bit_count()
        numbers = (
            1,
            1 << nodes,
            found.dependent.bit_count(),
            found.dependent_sets,
            not_associative,
            found.splits,
            not_associative,
            (found.not_associative & ~found.dependent).bit_count(),
        )
        for place, number in enumerate(numbers):
            totals[place] += dags * number
        for row, premise in zip(by_premise, PREMISES, strict=True):
            meeting = _meeting(histories, premise, every)
            for place, number in enumerate(meeting):
                row[place] += number // automorphisms
    premises = tuple(
        PremiseCounts(premise.name, *row) for premise, row in zip(PREMISES, by_premise, strict=True)
    )
    return Counts(**dict(zip(_NUMBERS, totals, strict=True)), premises=premises)


def _meeting(histories: ClassHistories, premise: Premise, every: Bits) -> tuple[int, int, int]:
    """Return the counts of a premise, with each history once for each order of creation."""
    found = histories.findings
    all_meeting = dependent = not_associative = 0
    for orders, happened in histories.happened:
        meeting = every & ~faulty(happened, premise)
        if meeting:
            all_meeting += orders * meeting.bit_count()
            dependent += orders * (meeting & found.dependent).bit_count()
            not_associative += orders * (meeting & found.not_associative).bit_count()
    return all_meeting, dependent, not_associative


def faulty(happened: Happened, premise: Premise) -> Bits:
    """Return the patterns under which a history does not meet a premise; -1 stands for all."""
    patterns = 0
    for fault in premise.faults:
        patterns |= happened.faults[fault]
    return patterns


def added_up(parts: Iterable[Counts]) -> Counts:
    """Return the sum of the counts of several parts."""
    listed = list(parts)
    premises = tuple(
        PremiseCounts(
            rows[0].name,
            sum(each.histories for each in rows),
            sum(each.order_dependent for each in rows),
            sum(each.not_associative for each in rows),
        )
        for rows in zip(*(part.premises for part in listed), strict=True)
    )
    return Counts(
        **{name: sum(getattr(part, name) for part in listed) for name in _NUMBERS},
        premises=premises,
    )
