"""The kernel counts what the reference shows, one history at a time."""

from __future__ import annotations

from collections import Counter
from itertools import permutations, product
from math import factorial

import pytest

from rejoin.history_merge import (
    REGISTERS,
    SET_MERGES,
    Graph,
    HistoryMergeError,
    Node,
    SetMerge,
    element_three_way_merge,
    fast_merge,
    folding_by,
    graph_of,
    merging_sets_by,
    ranked,
)
from rejoin_conformance.systems.history_merge.exhaust.bits import possible_three_way
from rejoin_conformance.systems.history_merge.exhaust.counts import counts_of
from rejoin_conformance.systems.history_merge.exhaust.dags import (
    Canonical,
    Dag,
    automorphisms,
    canonical_dags,
    dags,
    parents_of,
)
from rejoin_conformance.systems.history_merge.exhaust.plain import (
    anti_chains,
    every_dag,
    every_history,
    possible_merges,
)
from rejoin_conformance.systems.history_merge.exhaust.premises import PREMISES
from rejoin_conformance.systems.history_merge.exhaust.registers import register_counts
from rejoin_conformance.systems.history_merge.exhaust.search import ClassHistories, Search
from rejoin_conformance.systems.history_merge.exhaust.set_merges import counts_of_merge
from support.history_merge_claims import MEETS, findings_of, operations, plain_counts

CLASSES = (1, 1, 2, 5, 16, 63, 318, 2045)
"""The known numbers of partial orders on 0 .. 7 elements, up to isomorphism."""

MATTERS = {
    "idempotent": (51_010, 29_439, 29_415),
    "additions-cancel": (52_167, 31_436, 31_400),
    "removals-cancel": (53_747, 32_631, 32_595),
    "symmetric-difference": (0, 0, 0),
}
"""Merge of sets: how often the order matters with 6 nodes, as search-rules.md says."""

LABELLED = (1, 1, 2, 7, 40, 357, 4824, 96428)
"""The known numbers of those in which i before j implies i < j."""


def _of_class(dag: Dag) -> ClassHistories:
    (histories,) = Search(len(dag)).below(Canonical(dag, automorphisms(dag)))
    return histories


@pytest.mark.parametrize("nodes", range(8))
def test_there_are_as_many_dags_and_classes_as_partial_orders(nodes: int) -> None:
    assert len(dags(nodes)) == LABELLED[nodes]
    assert len(canonical_dags(nodes)) == CLASSES[nodes]
    assert canonical_dags(nodes)[0] == Canonical((1,) * nodes, factorial(nodes))
    if nodes < 5:
        assert {*map(parents_of, dags(nodes))} == {*every_dag(nodes)}


def test_chains_that_are_no_twins_can_be_exchanged_as_a_whole() -> None:
    assert automorphisms((0b1, 0b11, 0b111, 0b1111)) == 1
    assert automorphisms((0b1, 0b1, 0b11, 0b101)) == 2
    canonical = {each.dag for each in canonical_dags(5)}
    assert all((automorphisms(dag) > 0) == (dag in canonical) for dag in dags(5))


@pytest.mark.parametrize("nodes", [1, 2, 3, 4])
def test_the_counts_are_those_of_the_reference(nodes: int) -> None:
    """Done by hand for 5 and 6 nodes too, with the same result; the latter takes an hour."""
    assert +counts_of(nodes) == +plain_counts(nodes)


@pytest.mark.parametrize(
    ("dag", "patterns"),
    [
        # over the smallest counterexample stand two nodes with all of its heads as parents
        ((0b1, 0b1, 0b11, 0b11, 0b11111, 0b11111), range(64)),
        *((each.dag, range(5, 32, 7)) for each in canonical_dags(5)[3::10]),
        *((each.dag, range(5, 64, 13)) for each in canonical_dags(6)[7::60]),
        *((each.dag, range(5, 128, 31)) for each in canonical_dags(7)[9::500]),
    ],
)
def test_the_reference_finds_the_same_in_each_history(dag: Dag, patterns: range) -> None:
    histories = _of_class(dag)
    counts: Counter[str] = Counter()
    for pattern in patterns:
        graph: Graph[frozenset[str]] = Graph()
        for number, above in enumerate([(), *parents_of(dag)]):
            state = frozenset("x" if number and pattern >> (number - 1) & 1 else "")
            graph.add(Node(str(number), frozenset(map(str, above)), state))
        plain, found = findings_of(graph), histories.findings
        assert found.dependent >> pattern & 1 == plain["order_dependent"]
        assert found.not_associative >> pattern & 1 == plain["not_associative"]
        counts.update(plain)
        if len(histories.happened) == 1:
            ((_, happened),) = histories.happened
            for premise in PREMISES:
                met = not any(happened.faults[fault] >> pattern & 1 for fault in premise.faults)
                assert met == MEETS[premise.name](operations(graph)), premise.name
    if len(patterns) == 1 << len(dag):
        assert histories.findings.dependent_sets == counts["order_dependent_sets"]
        assert histories.findings.splits == counts["failing_splits"]


def test_the_order_of_creation_decides_which_histories_meet_a_premise() -> None:
    assert len(_of_class((1, 1, 1, 3, 3, 63)).happened) > 1


def test_the_possible_results_are_those_of_all_choices() -> None:
    for o, a, b in product(({0}, {1}, {0, 1}), repeat=3):
        results = {element_three_way_merge(*map(bool, each)) for each in product(o, a, b)}
        found = possible_three_way(*((int(0 in each), int(1 in each)) for each in (o, a, b)))
        assert found == (int(False in results), int(True in results))


@pytest.mark.parametrize("name", SET_MERGES)
def test_under_each_merge_of_sets_the_order_matters_as_in_the_reference(name: SetMerge) -> None:
    counts: Counter[str] = Counter()
    reading = merging_sets_by(name)
    for graph in every_history(4, reading):
        chains = anti_chains(graph)
        dependent = {each for each in chains if len(possible_merges(graph, each, reading)) > 1}
        counts["any_set"] += bool(dependent)
        counts["heads"] += tuple(sorted(graph.heads())) in dependent
    found = counts_of_merge(name, 4)
    assert (found["any_set"], found["heads"]) == (counts["any_set"], counts["heads"])
    largest = counts_of_merge(name, 6)
    assert tuple(largest.values())[2:] == MATTERS[name]


def _merged(graph: Graph[str], order: tuple[str, ...]) -> str | None:
    try:
        return fast_merge(graph, order, REGISTERS, folding_by(ranked(order)))
    except HistoryMergeError:
        return None


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
        certain = (_results(graph, {str(each) for each in above}) for above in parents)
        if any(len(each) > 1 or None in each for each in certain):
            continue
        counts["histories"] += 1
        results = _results(graph, graph.heads())
        counts["order decides"] += None in results and len(results) > 1
    found = register_counts(4)
    assert (found.histories, found.order_decides, found.two_conflict) == (1_796, 44, 40)
    assert counts == {"histories": 1_796, "order decides": 44}


def _results(graph: Graph[str], nodes: frozenset[str] | set[str]) -> set[str | None]:
    return {_merged(graph, order) for order in permutations(sorted(nodes))}


@pytest.mark.long
def test_registers_with_six_nodes() -> None:
    counts = register_counts(6)
    assert (counts.histories, counts.order_decides) == (2_223_018, 228_107)
    assert (counts.agree_in_vain, counts.agree_on_another) == (353, 49)
