"""Units of work: the classes of DAGs whose canonical DAGs have the same first nodes.

The results depend on the unit only.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from attrs import frozen

from rejoin_conformance.systems.history_merge.exhaust.classes import canonical_dags
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
from rejoin_conformance.systems.history_merge.exhaust.patterns import Bits, every_pattern
from rejoin_conformance.systems.history_merge.exhaust.premises import PREMISES, Premise
from rejoin_conformance.systems.history_merge.exhaust.search import ClassHistories, Search

FURTHER: Final = 3
"""The number of last nodes in which the canonical DAGs of a unit can differ."""


@frozen
class Unit:
    """The classes of `nodes` nodes besides the root with these first nodes.

    number: of the canonical DAG of the first nodes.
    """

    nodes: int
    number: int

    def histories(self) -> Iterator[ClassHistories]:
        """Yield all histories of these classes."""
        prefix = canonical_dags(_shared(self.nodes))[self.number]
        return Search(self.nodes).below(prefix)

    def counts(self) -> Counts:
        """Return the counts over these histories."""
        return counts_of(self.nodes, self.histories())


def units_of(nodes: int) -> list[Unit]:
    """Return the units of all classes of a size, in order."""
    return [Unit(nodes, number) for number in range(len(canonical_dags(_shared(nodes))))]


def _shared(nodes: int) -> int:
    """Return the number of first nodes that the canonical DAGs of a unit share."""
    return max(0, nodes - FURTHER)


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
