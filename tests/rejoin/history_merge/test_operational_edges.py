"""Where in a history somebody changed something."""

from __future__ import annotations

import pytest

from rejoin.history_merge import (
    COUNTERS,
    SETS,
    HistoryMergeError,
    Node,
    OperationalEdge,
    SetDiff,
    graph_of,
    operational_edges,
    set_operation,
)
from rejoin_conformance.systems.history_merge.notation import nodes_in


def _edges(text: str) -> tuple[OperationalEdge[frozenset[str]], ...]:
    return operational_edges(graph_of(nodes_in(text)), SETS)


def test_the_edge_to_a_parent_with_another_state_is_operational() -> None:
    assert _edges("r: {a}; p < r: {a b}; q < r: {a}") == (
        OperationalEdge("p", virtual=False, before=frozenset("a"), after=frozenset("ab")),
    )


def test_a_node_that_only_merges_has_no_operational_edge() -> None:
    assert [edge.node for edge in _edges("r: {a}; p < r: {a b}; q < r: {}; m < p q: {b}")] == [
        "p",
        "q",
    ]


def test_a_node_that_merges_and_changes_has_one_up_to_a_virtual_node() -> None:
    first, *_ = _edges("r: {a}; p < r: {a b}; q < r: {}; m < p q: {c}")
    assert first == OperationalEdge("m", virtual=True, before=frozenset("b"), after=frozenset("c"))
    assert set_operation(first) == SetDiff(frozenset("c"), frozenset("b"))


def test_a_root_has_no_edge_whatever_its_state() -> None:
    assert _edges("r: {a b}; s: {c}") == ()


def test_the_changes_of_counters_are_found_likewise() -> None:
    graph = graph_of([Node("r", frozenset[str](), 5), Node("p", frozenset("r"), 7)])
    assert operational_edges(graph, COUNTERS) == (
        OperationalEdge("p", virtual=False, before=5, after=7),
    )


def test_parents_that_are_not_an_anti_chain_are_refused() -> None:
    with pytest.raises(HistoryMergeError) as caught:
        _edges("r: {}; p < r: {}; m < p r: {}")
    assert (caught.value.code, caught.value.nodes) == ("not-an-anti-chain", ("r", "p"))
