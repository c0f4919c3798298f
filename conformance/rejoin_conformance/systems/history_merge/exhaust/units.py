"""Units of work: the DAGs that begin alike. What a unit finds depends on nothing but the unit."""

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
"""How many nodes the DAGs of a unit have in common, unless they have fewer in all."""


@frozen
class Unit:
    """The DAGs of `nodes` nodes besides the root whose first nodes make DAG number `number`."""

    nodes: int
    number: int

    def histories(self) -> Iterator[DagHistories]:
        """All histories of these DAGs."""
        prefix = dags(min(self.nodes - 1, PREFIX))[self.number]
        return Search(self.nodes).below(prefix)

    def counts(self) -> Counts:
        """What is counted over them."""
        return counts_of(self.nodes, self.histories())


def units_of(nodes: int) -> list[Unit]:
    """The units that make up all DAGs of a size, in their order."""
    return [Unit(nodes, number) for number in range(len(dags(min(nodes - 1, PREFIX))))]


@frozen
class Question:
    """What a counterexample is wanted for.

    premise: the premise that it has to meet.
    order_matters: whether the merge of some set has to depend on the fold order; else no merge may,
        and associativity has to fail all the same.
    """

    premise: Premise
    order_matters: bool

    @property
    def name(self) -> str:
        """A short name for reports."""
        return self.premise.name if self.order_matters else "order-independent"

    def answers(self, histories: DagHistories, every: Bits) -> Bits:
        """The patterns under which a history of this DAG answers the question."""
        found = histories.findings
        broken = found.dependent if self.order_matters else found.not_associative & ~found.dependent
        return every & broken & ~faulty(histories, self.premise)

    def answered_by(self, counts: Counts) -> bool:
        """Whether there is an answer among the histories that were counted."""
        if not self.order_matters:
            return counts.only_not_associative > 0
        return counts.premises[PREMISES.index(self.premise)].order_dependent > 0


QUESTIONS: Final = (
    *(Question(premise, order_matters=True) for premise in PREMISES),
    Question(PREMISES[0], order_matters=False),
)


def counterexamples(unit: Unit, questions: list[int]) -> dict[int, set[Case]]:
    """For each question, by its number, the answers in a unit up to isomorphism."""
    every = every_pattern(unit.nodes)
    answers: dict[int, set[Case]] = {number: set() for number in questions}
    for histories in unit.histories():
        for number in questions:
            for pattern in patterns_in(QUESTIONS[number].answers(histories, every)):
                answers[number].add(canonical(case_of(histories.dag, pattern)))
    return answers
