"""lcaU: the common ancestors of a new node and the merged nodes."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rejoin.history_merge import HistoryMergeError, graph_of, lca_u
from support.plain_history_merge import SetNode, by_id, histories, nodes_in
from support.plain_history_merge import lca_u as plain_lca_u

FORKED = graph_of(nodes_in("o: {}; a < o: {}; u < o: {}; b < a: {}; v < a: {}; w: {}"))


def test_unknown_nodes_are_refused_on_both_sides() -> None:
    with pytest.raises(HistoryMergeError) as caught:
        lca_u(FORKED, ["z", "u"], "y")
    assert (caught.value.code, caught.value.nodes) == ("unknown-node", ("y", "z"))


@given(histories(max_nodes=10), st.data())
def test_it_agrees_with_its_definition(nodes: tuple[SetNode, ...], data: st.DataObject) -> None:
    history = by_id(nodes)
    a = data.draw(st.sets(st.sampled_from(sorted(history)), min_size=1))
    b = data.draw(st.sampled_from(sorted(history)))
    assert lca_u(graph_of(nodes), a, b) == plain_lca_u(history, a, b)
