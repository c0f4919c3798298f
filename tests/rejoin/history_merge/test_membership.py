"""The members of a session are the merge of its heads."""

from __future__ import annotations

from hypothesis import given

from rejoin.history_merge import (
    BYTE_SETS,
    COUNTERS,
    SETS,
    Graph,
    Node,
    folding_by,
    graph_of,
    members,
    ranked,
)
from rejoin_conformance.systems.history_merge.notation import nodes_in
from support.plain_history_merge import SetNode, ascending, by_id, histories, maxima, merge


def test_one_head_says_who_the_members_are() -> None:
    assert members(graph_of(nodes_in("r: {a}; p < r: {a b}")), SETS) == frozenset("ab")


def test_a_forked_session_has_the_additions_and_removals_of_both_branches() -> None:
    graph = graph_of(nodes_in("r: {a b}; p < r: {a b c}; q < r: {b}"))
    assert members(graph, SETS) == frozenset("bc")


def test_a_session_without_messages_has_the_default_state() -> None:
    assert members(Graph[frozenset[bytes]](), BYTE_SETS) == frozenset()
    assert members(Graph[int](), COUNTERS) == 0


def test_a_message_that_joins_all_heads_and_changes_nothing_has_the_members_as_its_state() -> None:
    graph = graph_of(nodes_in("r: {a}; p < r: {}; q < r: {a b}; s < r: {a c}"))
    found = members(graph, SETS)
    graph.add(Node("m", graph.heads(), found))
    assert members(graph, SETS) == found == frozenset("bc")


def test_the_fold_order_reaches_the_merge_of_the_heads() -> None:
    graph = graph_of(nodes_in("r: {}; p < r: {x}; q < r: {x}; s < p: {}; t < p: {x}"))
    assert members(graph, SETS) == frozenset("x")
    assert members(graph, SETS, folding_by(ranked("qts"))) == frozenset()


@given(histories())
def test_the_members_are_the_plain_merge_of_the_heads(nodes: tuple[SetNode, ...]) -> None:
    history = by_id(nodes)
    expected = merge(history, maxima(history, history), ascending)
    assert members(graph_of(nodes), SETS) == expected
