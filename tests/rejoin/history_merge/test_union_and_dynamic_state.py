"""One history, read as the two kinds of data."""

from __future__ import annotations

from rejoin.history_merge import SETS, Graph, graph_of, members, union_of_events
from rejoin_conformance.systems.history_merge.notation import nodes_in


def test_what_an_event_carried_stays_in_the_union_and_may_leave_the_dynamic_state() -> None:
    graph = graph_of(nodes_in("r: {a b}; p < r: {b}"))
    assert union_of_events(graph) == frozenset("ab")
    assert members(graph, SETS) == frozenset("b")


def test_the_union_takes_in_every_branch() -> None:
    graph = graph_of(nodes_in("r: {a}; p < r: {b}; q < r: {c}"))
    assert union_of_events(graph) == frozenset("abc")


def test_the_union_of_no_events_is_empty() -> None:
    assert union_of_events(Graph[frozenset[str]]()) == frozenset()
