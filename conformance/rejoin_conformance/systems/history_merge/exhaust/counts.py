"""Counts over the histories of many DAGs. The counts of parts add up to the counts of the whole."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from attrs import frozen

from rejoin_conformance.systems.history_merge.exhaust.patterns import Bits, every_pattern
from rejoin_conformance.systems.history_merge.exhaust.premises import PREMISES, Premise
from rejoin_conformance.systems.history_merge.exhaust.search import DagHistories


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
    """Counts over all histories of some DAGs.

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


def counts_of(nodes: int, all_histories: Iterable[DagHistories]) -> Counts:
    """Count the histories of DAGs of that many nodes besides the root."""
    every = every_pattern(nodes)
    totals = [0] * len(_NUMBERS)
    by_premise = [[0, 0, 0] for _ in PREMISES]
    for histories in all_histories:
        found = histories.findings
        numbers = (
            1,
            1 << nodes,
            found.dependent.bit_count(),
            found.dependent_sets,
            found.not_associative.bit_count(),
            found.splits,
            found.pinned.bit_count(),
            (found.not_associative & ~found.dependent).bit_count(),
        )
        totals = [total + number for total, number in zip(totals, numbers, strict=True)]
        for row, premise in zip(by_premise, PREMISES, strict=True):
            meeting = every & ~faulty(histories, premise)
            row[0] += meeting.bit_count()
            row[1] += (meeting & found.dependent).bit_count()
            row[2] += (meeting & found.not_associative).bit_count()
    premises = tuple(
        PremiseCounts(premise.name, *row) for premise, row in zip(PREMISES, by_premise, strict=True)
    )
    return Counts(**dict(zip(_NUMBERS, totals, strict=True)), premises=premises)


def faulty(histories: DagHistories, premise: Premise) -> Bits:
    """Return the patterns under which a history does not meet a premise; -1 stands for all."""
    patterns = 0
    for fault in premise.faults:
        patterns |= histories.happened.faults[fault]
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
