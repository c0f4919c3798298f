"""Counts over all histories of some DAGs, as numbers that add up.

dags, histories: their number. Isomorphic DAGs all count.
order_dependent: histories with an anti-chain whose merge depends on the fold order.
order_dependent_sets: pairs of a history and such an anti-chain.
not_associative: histories in which associativity fails for some A and B.
failing_splits: triples of a history, A and B for which it fails.
not_associative_pinned: histories in which it fails although every fold order is ascending.
only_not_associative: histories in which it fails although no merge depends on the fold order.
premise:P:X: the count X of the histories that meet the premise P.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Final

from attrs import frozen

from rejoin_conformance.systems.history_merge.exhaust.bits import Bits, every_pattern, patterns_in
from rejoin_conformance.systems.history_merge.exhaust.dags import canonical_dags
from rejoin_conformance.systems.history_merge.exhaust.plain import Case, canonical, case_of
from rejoin_conformance.systems.history_merge.exhaust.premises import (
    PREMISES,
    Happened,
    Premise,
)
from rejoin_conformance.systems.history_merge.exhaust.search import ClassHistories, Search

FURTHER: Final = 3
"""The number of last nodes in which the canonical DAGs of a unit can differ."""

COUNTS: Final = (
    "dags",
    "histories",
    "order_dependent",
    "order_dependent_sets",
    "not_associative",
    "failing_splits",
    "not_associative_pinned",
    "only_not_associative",
)
OF_PREMISE: Final = ("histories", "order_dependent", "not_associative")
"""The counts of each premise."""


@frozen
class Unit:
    """The classes of `nodes` nodes besides the root whose canonical DAGs have the same first nodes.

    number: of the canonical DAG of the first nodes. The results depend on the unit only.
    """

    nodes: int
    number: int

    def histories(self) -> Iterator[ClassHistories]:
        """Yield all histories of these classes."""
        prefix = canonical_dags(max(0, self.nodes - FURTHER))[self.number]
        return Search(self.nodes).below(prefix)

    def counts(self) -> Counter[str]:
        """Return the counts over these histories."""
        counts: Counter[str] = Counter()
        for histories in self.histories():
            _count(counts, self.nodes, histories)
        return counts


def units_of(nodes: int) -> list[Unit]:
    """Return the units of all classes of a size, in order."""
    return [Unit(nodes, number) for number in range(len(canonical_dags(max(0, nodes - FURTHER))))]


def counts_of(nodes: int) -> Counter[str]:
    """Return the counts over all histories of a size."""
    return sum((unit.counts() for unit in units_of(nodes)), Counter())


def _count(counts: Counter[str], nodes: int, histories: ClassHistories) -> None:
    """Add the counts of a class. Each DAG has as many orders of creation as automorphisms.

    Associativity fails pinned in every history in which it fails (search-rules.md).
    """
    found, automorphisms = histories.findings, histories.automorphisms
    dags = sum([orders for orders, _ in histories.happened]) // automorphisms
    dependent, not_associative = found.dependent, found.not_associative
    numbers = (
        1,
        1 << nodes,
        dependent.bit_count(),
        found.dependent_sets,
        not_associative.bit_count(),
        found.splits,
        not_associative.bit_count(),
        (not_associative & ~dependent).bit_count(),
    )
    for name, number in zip(COUNTS, numbers, strict=True):
        counts[name] += dags * number
    every = every_pattern(nodes)
    for premise in PREMISES:
        meets = [0, 0, 0]
        for orders, happened in histories.happened:
            meeting = every & ~faulty(happened, premise)
            if meeting:
                for place, breaking in enumerate((every, dependent, not_associative)):
                    meets[place] += orders * (meeting & breaking).bit_count()
        for what, number in zip(OF_PREMISE, meets, strict=True):
            counts[f"premise:{premise.name}:{what}"] += number // automorphisms


def faulty(happened: Happened, premise: Premise) -> Bits:
    """Return the patterns under which a history does not meet a premise; -1 stands for all."""
    patterns = 0
    for fault in premise.faults:
        patterns |= happened.faults[fault]
    return patterns


@frozen
class Question:
    """The properties that a wanted counterexample has.

    premise: the premise that it meets.
    order_matters: whether the merge of some set depends on the fold order. If not, no merge depends
        on it, and associativity fails.
    """

    premise: Premise
    order_matters: bool

    @property
    def name(self) -> str:
        """Return the short name of the question in reports."""
        return self.premise.name if self.order_matters else "order-independent"

    def answers(self, histories: ClassHistories, every: Bits) -> Bits:
        """Return the patterns under which a history of this class answers the question.

        In a smallest answer, no merge of parents depends on the fold order, so every order of
        creation gives the same answers.
        """
        found = histories.findings
        broken = found.dependent if self.order_matters else found.not_associative & ~found.dependent
        _, happened = histories.happened[0]
        return every & broken & ~faulty(happened, self.premise)

    def answered_by(self, counts: Counter[str]) -> bool:
        """Return whether there is an answer among the histories that were counted."""
        name = f"premise:{self.premise.name}:order_dependent"
        return counts[name if self.order_matters else "only_not_associative"] > 0


QUESTIONS: Final = (
    *(Question(premise, order_matters=True) for premise in PREMISES),
    Question(PREMISES[0], order_matters=False),
)


def counterexamples(unit: Unit, questions: list[int]) -> dict[int, set[Case]]:
    """Return for each question, by its number, the smallest answers in a unit up to isomorphism.

    The unit must have as few nodes as the smallest answers to these questions.
    """
    every = every_pattern(unit.nodes)
    answers: dict[int, set[Case]] = {number: set() for number in questions}
    for histories in unit.histories():
        _, happened = histories.happened[0]
        for number in questions:
            for pattern in patterns_in(QUESTIONS[number].answers(histories, every)):
                answers[number].add(canonical(case_of(histories.dag, happened, pattern)))
    return answers
