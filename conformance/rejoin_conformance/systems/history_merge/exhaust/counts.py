"""Counts over all histories of some DAGs, as numbers that add up, and the smallest counterexamples.

dags, histories: their number. Isomorphic DAGs all count.
order_dependent: histories with an anti-chain whose merge depends on the fold order.
order_dependent_sets: pairs of a history and such an anti-chain.
not_associative: histories in which associativity fails for some A and B.
failing_splits: triples of a history, A and B for which it fails.
not_associative_pinned: histories in which it fails although every fold order is ascending. These
    are all histories in which it fails (search-rules.md).
only_not_associative: histories in which it fails although no merge depends on the fold order.
premise:P:X: the count X of the histories that meet the premise P.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Final, TypeAlias

from rejoin_conformance.systems.history_merge.exhaust.counterexamples import Case, canonical
from rejoin_conformance.systems.history_merge.exhaust.dags import canonical_dags, parents_of
from rejoin_conformance.systems.history_merge.exhaust.kernel import Bits, every_pattern, patterns_in
from rejoin_conformance.systems.history_merge.exhaust.premises import (
    PREMISES,
    faults_of,
    faulty,
    shapes_of,
)
from rejoin_conformance.systems.history_merge.exhaust.search import ClassHistories, histories_below

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


ORDER_INDEPENDENT: Final = "order-independent"
QUESTIONS: Final = {
    **{each.name: (each, f"premise:{each.name}:{OF_PREMISE[1]}") for each in PREMISES},
    ORDER_INDEPENDENT: (PREMISES[0], COUNTS[-1]),
}
"""Name of a question -> the premise that a wanted counterexample meets, and the name of its count.

The merge of some set depends on the fold order in it. In the answers to the last question, no merge
depends on it, and associativity fails.
"""

Answers: TypeAlias = dict[str, set[Case]]
"""Name of a question -> its smallest counterexamples."""


def units_of(nodes: int) -> int:
    """Return the number of units of a size: of canonical DAGs of the first nodes."""
    return len(canonical_dags(max(0, nodes - FURTHER)))


def examined(nodes: int, unit: int, questions: Sequence[str]) -> tuple[Counter[str], Answers]:
    """Return the counts over the classes of a unit, and the answers to questions.

    In a smallest answer, no merge of parents depends on the fold order, so every order of creation
    gives the same answers. questions: their names.
    """
    counts: Counter[str] = Counter()
    answers: Answers = {}
    prefix = canonical_dags(max(0, nodes - FURTHER))[unit]
    for histories in histories_below(prefix, nodes):
        dag, merges = histories.canonical.dag, histories.merges
        shapes = shapes_of(merges, dag)
        faults = [
            (orders, faults_of(merges, dag, parents, shapes))
            for parents, orders in histories.creations.items()
        ]
        _count(counts, nodes, histories, faults)
        (merged, *_), (_, first) = histories.creations, faults[0]
        claims = histories.claims
        only = claims.not_associative & ~claims.dependent
        changed = [s ^ before for (_, s), before in zip(merges.states[1:], merged, strict=True)]
        for name in questions:
            broken = only if name == ORDER_INDEPENDENT else claims.dependent
            for pattern in patterns_in(broken & ~faulty(first, QUESTIONS[name][0])):
                changes = tuple(bool(each >> pattern & 1) for each in changed)
                answers.setdefault(name, set()).add(canonical(Case(parents_of(dag), changes)))
    return counts, answers


def counts_of(nodes: int) -> Counter[str]:
    """Return the counts over all histories of a size."""
    return sum((examined(nodes, unit, ())[0] for unit in range(units_of(nodes))), Counter())


def _count(
    counts: Counter[str],
    nodes: int,
    histories: ClassHistories,
    faults: Iterable[tuple[int, Mapping[str, Bits]]],
) -> None:
    """Add the counts of a class. Each DAG has as many orders of creation as automorphisms.

    faults: the number of orders of creation with these faults.
    """
    claims, automorphisms = histories.claims, histories.canonical.automorphisms
    dags = sum(histories.creations.values()) // automorphisms
    failing = claims.not_associative
    numbers = (
        1,
        1 << nodes,
        claims.dependent.bit_count(),
        claims.dependent_sets,
        failing.bit_count(),
        claims.splits,
        failing.bit_count(),
        (failing & ~claims.dependent).bit_count(),
    )
    for name, number in zip(COUNTS, numbers, strict=True):
        counts[name] += dags * number
    every = every_pattern(nodes)
    for premise in PREMISES:
        meets = [0, 0, 0]
        for orders, found in faults:
            meeting = every & ~faulty(found, premise)
            if meeting:
                for place, breaking in enumerate((every, claims.dependent, failing)):
                    meets[place] += orders * (meeting & breaking).bit_count()
        for what, number in zip(OF_PREMISE, meets, strict=True):
            counts[f"premise:{premise.name}:{what}"] += number // automorphisms
