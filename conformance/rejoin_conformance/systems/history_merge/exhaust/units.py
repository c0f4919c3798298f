"""Units of work: the DAGs with the same first nodes. The results depend on the unit only."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from attrs import frozen

from rejoin_conformance.systems.history_merge.exhaust.counterexamples import (
    Case,
    canonical,
    case_of,
    patterns_in,
)
from rejoin_conformance.systems.history_merge.exhaust.counts import (
    Counts,
    counts_of,
    faulty,
)
from rejoin_conformance.systems.history_merge.exhaust.dags import dags
from rejoin_conformance.systems.history_merge.exhaust.patterns import Bits, every_pattern
from rejoin_conformance.systems.history_merge.exhaust.premises import PREMISES, Premise
from rejoin_conformance.systems.history_merge.exhaust.search import DagHistories, Search

PREFIX: Final = 5
"""The number of first nodes that the DAGs of a unit share, unless they have fewer nodes."""


@frozen
class Unit:
    """The DAGs of `nodes` nodes besides the root whose first nodes are DAG number `number`."""

    nodes: int
    number: int

    def histories(self) -> Iterator[DagHistories]:
        """Yield all histories of these DAGs."""
        prefix = dags(min(self.nodes - 1, PREFIX))[self.number]
        return Search(self.nodes).below(prefix)

    def counts(self) -> Counts:
        """Return the counts over these histories."""
        return counts_of(self.nodes, self.histories())


def units_of(nodes: int) -> list[Unit]:
    """Return the units of all DAGs of a size, in order."""
    return [Unit(nodes, number) for number in range(len(dags(min(nodes - 1, PREFIX))))]


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

    def answers(self, histories: DagHistories, every: Bits) -> Bits:
        """Return the patterns under which a history of this DAG answers the question."""
        found = histories.findings
        broken = found.dependent if self.order_matters else found.not_associative & ~found.dependent
        return every & broken & ~faulty(histories, self.premise)

    def answered_by(self, counts: Counts) -> bool:
        """Return whether there is an answer among the histories that were counted."""
        if not self.order_matters:
            return counts.only_not_associative > 0
        return counts.premises[PREMISES.index(self.premise)].order_dependent > 0


QUESTIONS: Final = (
    *(Question(premise, order_matters=True) for premise in PREMISES),
    Question(PREMISES[0], order_matters=False),
)


def counterexamples(unit: Unit, questions: list[int]) -> dict[int, set[Case]]:
    """Return for each question, by its number, the answers in a unit up to isomorphism."""
    every = every_pattern(unit.nodes)
    answers: dict[int, set[Case]] = {number: set() for number in questions}
    for histories in unit.histories():
        for number in questions:
            for pattern in patterns_in(QUESTIONS[number].answers(histories, every)):
                answers[number].add(canonical(case_of(histories.dag, pattern)))
    return answers
