"""Queries on the order agree with its definition."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rejoin.history_merge import (
    Graph,
    HistoryMergeError,
    ancestors,
    ancestors_of_all,
    before,
    graph_of,
    is_anti_chain,
    maximal,
    transitive_reduction,
)
from rejoin_conformance.systems.history_merge.notation import nodes_in
from support.plain_history_merge import SetNode, anc, by_id, histories, maxima

DIAMOND = "r: {}; p < r: {}; q < r: {}; m < p q: {}; t < q: {}"


def _diamond() -> Graph[frozenset[str]]:
    return graph_of(nodes_in(DIAMOND))


def test_a_node_is_before_its_descendants_and_not_before_its_siblings() -> None:
    graph = _diamond()
    assert before(graph, "r", "m")
    assert before(graph, "p", "p")
    assert not before(graph, "m", "p")
    assert not before(graph, "p", "t")


def test_a_node_is_among_its_ancestors() -> None:
    assert ancestors(_diamond(), "m") == {"m", "p", "q", "r"}
    assert ancestors(_diamond(), "r") == {"r"}


def test_the_ancestors_of_a_set_are_those_of_all_its_nodes() -> None:
    assert ancestors_of_all(_diamond(), ["p", "t"]) == {"p", "t", "q", "r"}
    assert ancestors_of_all(_diamond(), []) == frozenset()


def test_what_is_before_another_node_is_not_maximal() -> None:
    assert maximal(_diamond(), ["r", "p", "q", "t"]) == {"p", "t"}
    assert maximal(_diamond(), []) == frozenset()


def test_siblings_are_an_anti_chain_and_a_parent_with_its_child_is_none() -> None:
    assert is_anti_chain(_diamond(), ["p", "t"])
    assert is_anti_chain(_diamond(), [])
    assert not is_anti_chain(_diamond(), ["q", "t"])


def test_a_node_that_stands_twice_breaks_an_anti_chain() -> None:
    assert not is_anti_chain(_diamond(), ["p", "p"])


def test_the_reduction_leaves_out_parents_that_are_before_another_parent() -> None:
    graph = graph_of(nodes_in("r: {}; p < r: {x}; m < p r: {y}"))
    assert [(node.id, node.parents) for node in transitive_reduction(graph)] == [
        ("r", frozenset()),
        ("p", frozenset("r")),
        ("m", frozenset("p")),
    ]


@pytest.mark.parametrize("query", [ancestors_of_all, maximal, is_anti_chain])
def test_unknown_nodes_are_refused_together(query: type) -> None:
    with pytest.raises(HistoryMergeError) as caught:
        query(_diamond(), ["z", "p", "y"])
    assert (caught.value.code, caught.value.nodes) == ("unknown-node", ("y", "z"))


@given(histories(), st.data())
def test_the_queries_agree_with_the_definition(
    nodes: tuple[SetNode, ...], data: st.DataObject
) -> None:
    graph, history = graph_of(nodes), by_id(nodes)
    ids = sorted(history)
    for node in ids:
        assert ancestors(graph, node) == anc(history, node)
        assert {other for other in ids if before(graph, other, node)} == anc(history, node)
    chosen = data.draw(st.sets(st.sampled_from(ids)))
    assert maximal(graph, chosen) == maxima(history, chosen)
    assert is_anti_chain(graph, chosen) == (maxima(history, chosen) == chosen)


@given(histories())
def test_a_history_with_redundant_parents_reduces_to_the_one_without(
    nodes: tuple[SetNode, ...],
) -> None:
    history = by_id(nodes)
    padded = [SetNode(node.id, anc(history, node.id) - {node.id}, node.state) for node in nodes]
    assert by_id(transitive_reduction(graph_of(padded))) == history
