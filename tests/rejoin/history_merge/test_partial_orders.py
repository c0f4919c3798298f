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
from support.plain_history_merge import SetNode, anc, by_id, histories, maxima, nodes_in

DIAMOND = "r: {}; p < r: {}; q < r: {}; m < p q: {}; t < q: {}"


def _diamond() -> Graph[frozenset[str]]:
    return graph_of(nodes_in(DIAMOND))


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
