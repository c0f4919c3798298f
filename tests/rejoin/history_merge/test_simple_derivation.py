"""The two variants of the simple derivation: one agrees with the merge, one does not."""

from __future__ import annotations

from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rejoin.history_merge import (
    COUNTERS,
    SETS,
    HistoryMergeError,
    Node,
    ascending,
    folding_by,
    graph_of,
    lca,
    lca2,
    merge,
    merge_fold_recurse,
    merge_recurse_fold,
    ranked,
    reducing,
)
from rejoin_conformance.systems.history_merge.notation import nodes_in
from support.plain_history_merge import SetNode, anti_chains, descending, histories

SECOND_PICTURE = graph_of(
    nodes_in("o: {a b}; a < o: {a}; u < o: {a b u}; b < a: {a b}; v < a: {a v}")
)
ORDER_DEPENDENT = graph_of(nodes_in("r: {}; p < r: {x}; q < r: {x}; s < p: {}; t < p: {x}"))


@pytest.mark.parametrize("order", list(permutations("buv")))
def test_recurse_fold_loses_b_in_the_documents_second_picture(order: tuple[str, ...]) -> None:
    reading = folding_by(ranked(order))
    assert merge_fold_recurse(SECOND_PICTURE, order, SETS, reading) == frozenset("abuv")
    assert merge_recurse_fold(SECOND_PICTURE, order, SETS, reading) == frozenset("auv")


@pytest.mark.parametrize("order", list(permutations("qst")))
def test_temporary_nodes_depend_on_the_fold_order_as_the_merge_does(order: tuple[str, ...]) -> None:
    expected = frozenset[str]() if order[2] == "s" else frozenset("x")
    assert merge_fold_recurse(ORDER_DEPENDENT, order, SETS, folding_by(ranked(order))) == expected


def test_the_lowest_common_ancestors_of_two_and_of_all_nodes() -> None:
    assert lca2(SECOND_PICTURE, "b", "v") == frozenset("a")
    assert lca2(SECOND_PICTURE, "a", "v") == frozenset("a")
    assert lca(SECOND_PICTURE, "buv") == frozenset("o")
    assert lca(SECOND_PICTURE, "b") == frozenset("b")
    assert lca(SECOND_PICTURE, []) == frozenset("buv")


def test_no_nodes_have_the_default_state_and_one_node_its_own() -> None:
    for variant in (merge_fold_recurse, merge_recurse_fold):
        assert variant(SECOND_PICTURE, [], SETS) == frozenset()
        assert variant(SECOND_PICTURE, "u", SETS) == frozenset("abu")


def test_nodes_without_a_common_ancestor_have_the_default_state_as_their_origin() -> None:
    graph = graph_of(nodes_in("p: {a b}; q: {b c}"))
    for variant in (merge_fold_recurse, merge_recurse_fold):
        assert variant(graph, "pq", SETS) == frozenset("abc")


@pytest.mark.parametrize("variant", [merge_fold_recurse, merge_recurse_fold])
def test_comparable_nodes_are_refused_the_older_one_first(variant: type) -> None:
    with pytest.raises(HistoryMergeError) as caught:
        variant(SECOND_PICTURE, "bao", SETS)
    assert (caught.value.code, caught.value.nodes) == ("not-an-anti-chain", ("a", "b"))
    assert variant(SECOND_PICTURE, "bao", SETS, reducing()) == frozenset("ab")


def test_temporary_nodes_leave_no_trace_and_give_way_to_nodes_of_their_name() -> None:
    graph = graph_of(
        [
            Node("r", frozenset[str](), 1),
            Node("temporary 4", frozenset("r"), 2),
            Node("temporary 5", frozenset("r"), 3),
            Node("c", frozenset("r"), 10),
        ]
    )
    assert merge_fold_recurse(graph, ["temporary 4", "temporary 5", "c"], COUNTERS) == 13
    assert len(graph) == 4


@given(histories(max_nodes=9), st.data())
def test_temporary_nodes_and_lca_u_give_the_same_state_in_every_fold_order(
    nodes: tuple[SetNode, ...], data: st.DataObject
) -> None:
    graph = graph_of(nodes)
    x = data.draw(anti_chains(nodes))
    ranking = data.draw(st.permutations(sorted(node.id for node in nodes)))
    for order in (ascending, descending, ranked(ranking)):
        reading = folding_by(order)
        assert merge_fold_recurse(graph, x, SETS, reading) == merge(graph, x, SETS, reading)


@given(histories(max_nodes=9), st.data())
def test_the_variants_agree_on_two_nodes(nodes: tuple[SetNode, ...], data: st.DataObject) -> None:
    graph = graph_of(nodes)
    x = data.draw(anti_chains(nodes))
    if len(x) == 2 and len(lca(graph, x)) < 3:
        assert merge_recurse_fold(graph, x, SETS) == merge(graph, x, SETS)
