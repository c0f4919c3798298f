"""The kernel counts what the reference shows, one history at a time."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import permutations, product
from math import factorial

import pytest

from rejoin.history_merge import (
    REGISTERS,
    SET_MERGES,
    Graph,
    HistoryMergeError,
    Node,
    fast_merge,
    folding_by,
    graph_of,
    merging_sets_by,
    ranked,
)
from rejoin_conformance.systems.history_merge.exhaust.counts import (
    ClassHistories,
    counts_of,
    examined,
    histories_below,
    units_of,
)
from rejoin_conformance.systems.history_merge.exhaust.dags import (
    Canonical,
    Dag,
    automorphisms,
    canonical_dags,
    dags,
    parents_of,
)
from rejoin_conformance.systems.history_merge.exhaust.further import (
    counts_of_merge,
    register_counts,
)
from rejoin_conformance.systems.history_merge.exhaust.kernel import rule_of
from rejoin_conformance.systems.history_merge.exhaust.literal import (
    anti_chains,
    every_dag,
    every_history,
    findings_of,
    history,
    possible_merges,
)
from rejoin_conformance.systems.history_merge.exhaust.premises import (
    PREMISES,
    faults_of,
    faulty,
    shapes_of,
)
from support.history_merge_claims import met_by, plain_counts

CLASSES = (1, 1, 2, 5, 16, 63, 318, 2045)
"""The known numbers of partial orders on 0 .. 7 elements, up to isomorphism."""

LABELLED = (1, 1, 2, 7, 40, 357, 4824, 96428)
"""The known numbers of those in which i before j implies i < j."""

MATTERS = {
    "idempotent": (51_010, 29_439, 29_415),
    "additions-cancel": (52_167, 31_436, 31_400),
    "removals-cancel": (53_747, 32_631, 32_595),
    "symmetric-difference": (0, 0, 0),
}
"""Merge of sets: how often the order matters with 6 nodes, as search-rules.md says."""


def _of_class(dag: Dag) -> ClassHistories:
    (histories,) = histories_below(Canonical(dag, automorphisms(dag)), len(dag))
    return histories


def test_there_are_as_many_dags_and_classes_as_partial_orders() -> None:
    for nodes in range(8):
        assert len(dags(nodes)) == LABELLED[nodes]
        assert len(canonical_dags(nodes)) == CLASSES[nodes]
        assert canonical_dags(nodes)[0] == Canonical((1,) * nodes, factorial(nodes))
    assert {*map(parents_of, dags(4))} == {*every_dag(4)}


def test_chains_that_are_no_twins_can_be_exchanged_as_a_whole() -> None:
    assert automorphisms((0b1, 0b11, 0b111, 0b1111)) == 1
    assert automorphisms((0b1, 0b1, 0b11, 0b101)) == 2
    canonical = {each.dag for each in canonical_dags(5)}
    assert all((automorphisms(dag) > 0) == (dag in canonical) for dag in dags(5))


def test_the_counts_are_those_of_the_reference() -> None:
    """Done by hand for 5 and 6 nodes too, with the same result; the latter takes an hour."""
    for nodes in (1, 2, 3, 4):
        assert +counts_of(nodes) == +plain_counts(nodes)


SAMPLES = (
    # over the smallest counterexample stand two nodes with all of its heads as parents
    ((0b1, 0b1, 0b11, 0b11, 0b11111, 0b11111), range(64)),
    *((each.dag, range(5, 32, 7)) for each in canonical_dags(5)[3::10]),
    *((each.dag, range(5, 64, 13)) for each in canonical_dags(6)[7::60]),
    *((each.dag, range(5, 128, 31)) for each in canonical_dags(7)[509::500]),
    pytest.param(canonical_dags(7)[9].dag, range(5, 128, 31), marks=pytest.mark.long),
)


@pytest.mark.parametrize(("dag", "patterns"), SAMPLES)
def test_the_reference_finds_the_same_in_each_history(dag: Dag, patterns: range) -> None:
    histories = _of_class(dag)
    claims, merges, counts = histories.claims, histories.merges, Counter[str]()
    for pattern in patterns:
        graph: Graph[frozenset[str]] = Graph()
        for number, above in enumerate([(), *parents_of(dag)]):
            state = frozenset("x" if number and pattern >> (number - 1) & 1 else "")
            graph.add(Node(str(number), frozenset(map(str, above)), state))
        found = findings_of(graph)
        assert claims.dependent >> pattern & 1 == found["order_dependent"]
        assert claims.not_associative >> pattern & 1 == found["not_associative"]
        counts.update(found)
        if len(histories.creations) == 1:
            (parents,) = histories.creations
            faults = faults_of(merges, dag, parents, shapes_of(merges, dag))
            assert met_by(graph) == {
                each.name: not faulty(faults, each) >> pattern & 1 for each in PREMISES
            }
    if len(patterns) == 1 << len(dag):
        assert claims.dependent_sets == counts["order_dependent_sets"]
        assert claims.splits == counts["failing_splits"]


def test_the_order_of_creation_decides_which_histories_meet_a_premise() -> None:
    assert len(_of_class((1, 1, 1, 3, 3, 63)).creations) > 1


def test_under_each_merge_of_sets_the_order_matters_as_in_the_reference() -> None:
    for name in SET_MERGES:
        reading, counts = merging_sets_by(name), [0, 0]
        for graph in every_history(4, reading):
            chains = anti_chains(graph)
            dependent = {each for each in chains if len(possible_merges(graph, each, reading)) > 1}
            counts[0] += bool(dependent)
            counts[1] += tuple(sorted(graph.heads())) in dependent
        found = counts_of_merge(name, 4)
        assert [found["any_set"], found["heads"]] == counts


@pytest.mark.long
def test_the_order_matters_in_so_many_histories_of_six_nodes() -> None:
    for name in SET_MERGES:
        assert tuple(counts_of_merge(name, 6).values())[2:] == MATTERS[name]


def test_the_possible_results_are_those_of_all_choices() -> None:
    for name, (o, a, b) in product(SET_MERGES, product(({0}, {1}, {0, 1}), repeat=3)):
        rule = rule_of(name)
        certain = [rule.three_way(*((1 - bit, bit) for bit in each)) for each in product(o, a, b)]
        possible = rule.three_way(*((int(0 in each), int(1 in each)) for each in (o, a, b)))
        assert possible == rule.union(certain)


# Counterexamples.

REMOVED_ONCE = (((0,), (0,), (1,), (1,)), (True, True, False, True))
REMOVED_TWICE = (((0,), (0,), (1,), (1,)), (True, True, True, True))
ADDED_AGAIN = (((0,), (1,), (1,), (2,), (2,)), (True, True, True, False, True))
ONLY_NOT_ASSOCIATIVE = (
    ((0,), (0,), (1,), (1, 2), (1, 2), (3,), (3,)),
    (True, True, True, False, False, False, True),
)
SMALLEST: tuple[tuple[int, str, list[object]], ...] = (
    (4, "none", [REMOVED_ONCE, REMOVED_TWICE]),
    (4, "removed-once", [REMOVED_ONCE]),
    (4, "no-concurrent-removals", [REMOVED_ONCE]),
    (4, "single-parents-removed-once-no-re-adding", [REMOVED_ONCE]),
    (4, "single-parents", [REMOVED_ONCE, REMOVED_TWICE]),
    (4, "no-concurrent-additions", []),
    (5, "no-concurrent-additions", [ADDED_AGAIN]),
    (7, "order-independent", [ONLY_NOT_ASSOCIATIVE]),
)


def _answers(nodes: int, units: Sequence[int], question: str) -> list[object]:
    found = [examined(nodes, unit, [question])[1].get(question, ()) for unit in units]
    return [(case.parents, case.changes) for case in sorted({*()}.union(*found))]


def test_the_smallest_counterexamples_are_these_up_to_renaming() -> None:
    for nodes, question, cases in SMALLEST:
        units = [6] if nodes == 7 else range(units_of(nodes))
        assert _answers(nodes, units, question) == cases
    found = findings_of(history(*ONLY_NOT_ASSOCIATIVE))
    assert (found["order_dependent"], found["not_associative"]) == (0, 1)


# Registers.


def _results(graph: Graph[str], nodes: frozenset[str]) -> set[str | None]:
    results: set[str | None] = set()
    for order in permutations(sorted(nodes)):
        try:
            results.add(fast_merge(graph, order, REGISTERS, folding_by(ranked(order))))
        except HistoryMergeError:
            results.add(None)
    return results


def test_four_registers_conflict_in_so_many_histories() -> None:
    """With four nodes, the order of an inner merge does not matter to the heads."""
    counts: Counter[str] = Counter()
    for parents, states in product(every_dag(4), product("01234", repeat=4)):
        if any(int(state) > int(max("0", *states[:k])) + 1 for k, state in enumerate(states)):
            continue  # the n-th new state is n
        nodes = zip(((), *parents), ("0", *states), strict=True)
        graph = graph_of(
            Node(str(number), frozenset(map(str, above)), state)
            for number, (above, state) in enumerate(nodes)
        )
        certain = (_results(graph, frozenset(map(str, above))) for above in parents)
        if any(len(each) > 1 or None in each for each in certain):
            continue
        counts["histories"] += 1
        results = _results(graph, graph.heads())
        counts["order decides"] += None in results and len(results) > 1
    histories, decides, conflict = [*register_counts(4).values()][1:4]
    assert (histories, decides, conflict) == (1_796, 44, 40)
    assert counts == {"histories": 1_796, "order decides": 44}


@pytest.mark.long
def test_registers_with_six_nodes() -> None:
    _, *counts, in_vain, another = register_counts(6).values()
    assert counts[:2] == [2_223_018, 228_107]
    assert (in_vain, another) == (353, 49)
