"""The merge of any set of nodes: examples by hand, the plain oracle, and hostile sizes."""

from __future__ import annotations

from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rejoin.history_merge import (
    COUNTERS,
    REGISTERS,
    SETS,
    HistoryMergeError,
    MergeCache,
    Node,
    ancestors,
    ascending,
    folding_by,
    graph_of,
    merge,
    ranked,
    reducing,
    transitive_reduction,
)
from rejoin_conformance.systems.history_merge.notation import nodes_in
from support.plain_history_merge import SetNode, anti_chains, by_id, descending, histories
from support.plain_history_merge import ascending as plain_ascending
from support.plain_history_merge import merge as plain_merge


def _merge(text: str, nodes: str, order: str = "") -> frozenset[str]:
    reading = folding_by(ranked(order.split()))
    return merge(graph_of(nodes_in(text)), nodes.split(), SETS, reading)


def test_the_documents_first_picture_needs_the_history() -> None:
    assert _merge("z: {a b c}; l < z: {a b}; r < z: {b c}", "l r") == frozenset("b")
    assert _merge("z: {b}; l < z: {a b}; r < z: {b c}", "l r") == frozenset("abc")


@pytest.mark.parametrize("order", ["b u v", "b v u", "u b v", "u v b", "v b u", "v u b"])
def test_the_documents_second_picture_keeps_what_was_added_again(order: str) -> None:
    text = "o: {a b}; a < o: {a}; u < o: {a b u}; b < a: {a b}; v < a: {a v}"
    assert _merge(text, "u b v", order) == frozenset("abuv")


@pytest.mark.parametrize(
    ("order", "merged"),
    [("q t s", ""), ("t q s", ""), ("q s t", "x"), ("s q t", "x"), ("s t q", "x"), ("t s q", "x")],
)
def test_a_history_of_five_nodes_depends_on_the_fold_order(order: str, merged: str) -> None:
    text = "r: {}; p < r: {x}; q < r: {x}; s < p: {}; t < p: {x}"
    assert _merge(text, "q s t", order) == frozenset(merged)


def test_no_nodes_have_the_default_state_and_one_node_its_own() -> None:
    assert _merge("r: {a}; p < r: {b}", "") == frozenset()
    assert _merge("r: {a}; p < r: {b}", "p") == frozenset("b")


def test_a_criss_cross_takes_the_merge_of_its_two_origins() -> None:
    text = "r: {}; p < r: {x}; q < r: {y}; a < p q: {x y}; b < p q: {y}"
    assert _merge(text, "a b") == frozenset("y")


def test_nodes_without_a_common_ancestor_have_the_default_state_as_their_origin() -> None:
    assert _merge("p: {a b}; q: {b c}", "p q") == frozenset("abc")


def test_a_set_with_an_ancestor_and_its_descendant_is_refused_in_any_order() -> None:
    graph = graph_of(nodes_in("r: {}; p < r: {}; q < r: {}; s < q: {}; t < s: {}"))
    for order in permutations("pqt"):
        with pytest.raises(HistoryMergeError) as caught:
            merge(graph, order, SETS, folding_by(ranked(order)))
        assert (caught.value.code, caught.value.nodes) == ("not-an-anti-chain", ("q", "t"))


def test_a_node_that_stands_twice_is_refused() -> None:
    with pytest.raises(HistoryMergeError) as caught:
        _merge("r: {}; p < r: {}", "p p")
    assert (caught.value.code, caught.value.nodes) == ("not-an-anti-chain", ("p", "p"))


def test_unknown_nodes_are_refused_together() -> None:
    with pytest.raises(HistoryMergeError) as caught:
        _merge("r: {}; p < r: {}", "z p y")
    assert (caught.value.code, caught.value.nodes) == ("unknown-node", ("y", "z"))


def test_to_skip_an_ancestor_during_the_fold_is_not_to_reduce() -> None:
    graph = graph_of(nodes_in("r: {a}; p < r: {a b}; q < p: {a}; s < r: {a b}"))
    assert merge(graph, "pqs", SETS, reducing()) == merge(graph, "qs", SETS)


def test_counters_merge_by_their_own_3_way_merge() -> None:
    nodes = [
        Node("r", frozenset[str](), 10),
        Node("p", frozenset("r"), 13),
        Node("q", frozenset("r"), 9),
        Node("s", frozenset("r"), 10**30),
    ]
    assert merge(graph_of(nodes), "pqs", COUNTERS) == 10**30 + 3 - 1
    assert merge(graph_of(nodes), [], COUNTERS) == 0


def test_a_conflict_of_the_3_way_merge_is_a_refusal_of_the_merge() -> None:
    nodes = [Node("r", frozenset[str](), "o"), *(Node(n, frozenset("r"), n) for n in "pq")]
    with pytest.raises(HistoryMergeError) as caught:
        merge(graph_of(nodes), "pq", REGISTERS)
    assert caught.value.code == "conflict"


@given(histories(max_nodes=9), st.data())
def test_the_merge_agrees_with_the_plain_one_in_every_fold_order(
    nodes: tuple[SetNode, ...], data: st.DataObject
) -> None:
    x = data.draw(anti_chains(nodes))
    graph, history = graph_of(nodes), by_id(nodes)
    assert merge(graph, x, SETS) == plain_merge(history, x, plain_ascending)
    ranking = ranked(data.draw(st.permutations(sorted(history))))
    for order in (descending, ranking):
        assert merge(graph, x, SETS, folding_by(order)) == plain_merge(history, x, order)


@given(histories(max_nodes=9), st.data())
def test_a_cache_of_any_capacity_changes_no_result(
    nodes: tuple[SetNode, ...], data: st.DataObject
) -> None:
    graph = graph_of(nodes)
    caches = [MergeCache[frozenset[str]](capacity) for capacity in (None, 0, 1, 2)]
    for x in data.draw(st.lists(anti_chains(nodes), max_size=5)):
        assert len({merge(graph, x, SETS, cache=cache) for cache in caches}) == 1


@given(histories(max_nodes=9), st.data())
def test_nodes_of_one_state_merge_to_it(nodes: tuple[SetNode, ...], data: st.DataObject) -> None:
    x = data.draw(anti_chains(nodes).filter(bool))
    same = [Node(n.id, n.parents, frozenset("w") if n.id in x else n.state) for n in nodes]
    assert merge(graph_of(same), x, SETS) == frozenset("w")


@given(histories(max_nodes=8), st.data())
def test_redundant_parents_change_no_merge(nodes: tuple[SetNode, ...], data: st.DataObject) -> None:
    x = data.draw(anti_chains(nodes))
    graph = graph_of(nodes)
    padded = graph_of(Node(n.id, ancestors(graph, n.id) - {n.id}, n.state) for n in nodes)
    assert merge(padded, x, SETS) == merge(graph, x, SETS)
    assert [n.parents for n in transitive_reduction(padded)] == [n.parents for n in graph]


def test_ascending_order_is_what_is_meant_where_none_is_given() -> None:
    graph = graph_of(nodes_in("r: {}; p < r: {x}; q < r: {x}; s < p: {}; t < p: {x}"))
    assert merge(graph, "tsq", SETS) == merge(graph, "tsq", SETS, folding_by(ascending))
    assert merge(graph, "tsq", SETS) == frozenset("x")
