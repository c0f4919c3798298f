"""The two variants of the simple derivation: one agrees with the merge, one does not."""

from __future__ import annotations

from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rejoin.history_merge import (
    COUNTERS,
    SETS,
    Node,
    ascending,
    folding_by,
    graph_of,
    lca,
    merge,
    merge_fold_recurse,
    merge_recurse_fold,
    ranked,
)
from support.plain_history_merge import SetNode, anti_chains, descending, histories, nodes_in

SECOND_PICTURE = graph_of(
    nodes_in("o: {a b}; a < o: {a}; u < o: {a b u}; b < a: {a b}; v < a: {a v}")
)


@pytest.mark.parametrize("order", list(permutations("buv")))
def test_recurse_fold_loses_b_in_the_documents_second_picture(order: tuple[str, ...]) -> None:
    reading = folding_by(ranked(order))
    assert merge_fold_recurse(SECOND_PICTURE, order, SETS, reading) == frozenset("abuv")
    assert merge_recurse_fold(SECOND_PICTURE, order, SETS, reading) == frozenset("auv")


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
