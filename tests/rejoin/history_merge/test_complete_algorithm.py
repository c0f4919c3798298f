"""The merge of any set of nodes: examples by hand, the plain oracle, and hostile sizes."""

from __future__ import annotations

from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rejoin.history_merge import (
    SETS,
    HistoryMergeError,
    MergeCache,
    Node,
    ancestors,
    folding_by,
    graph_of,
    merge,
    ranked,
    transitive_reduction,
)
from support.plain_history_merge import SetNode, anti_chains, by_id, descending, histories, nodes_in
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


def test_a_set_with_an_ancestor_and_its_descendant_is_refused_in_any_order() -> None:
    graph = graph_of(nodes_in("r: {}; p < r: {}; q < r: {}; s < q: {}; t < s: {}"))
    for order in permutations("pqt"):
        with pytest.raises(HistoryMergeError) as caught:
            merge(graph, order, SETS, folding_by(ranked(order)))
        assert (caught.value.code, caught.value.nodes) == ("not-an-anti-chain", ("q", "t"))


def test_unknown_nodes_are_refused_together() -> None:
    with pytest.raises(HistoryMergeError) as caught:
        _merge("r: {}; p < r: {}", "z p y")
    assert (caught.value.code, caught.value.nodes) == ("unknown-node", ("y", "z"))


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


@given(histories(max_nodes=8), st.data())
def test_redundant_parents_change_no_merge(nodes: tuple[SetNode, ...], data: st.DataObject) -> None:
    x = data.draw(anti_chains(nodes))
    graph = graph_of(nodes)
    padded = graph_of(Node(n.id, ancestors(graph, n.id) - {n.id}, n.state) for n in nodes)
    assert merge(padded, x, SETS) == merge(graph, x, SETS)
    assert [n.parents for n in transitive_reduction(padded)] == [n.parents for n in graph]
