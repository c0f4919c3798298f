"""What is left open changes no merge: redundant parents, caches, causal orders, temporary nodes."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from rejoin.history_merge import (
    COUNTERS,
    SETS,
    MergeCache,
    Node,
    Session,
    ancestors,
    graph_of,
    members,
    merge,
    merge_fold_recurse,
    session_of,
    transitive_reduction,
)
from rejoin_conformance.laws.history_merge import state_of
from support.plain_history_merge import (
    SetNode,
    anti_chains,
    by_id,
    histories,
    history_of,
)


@given(histories(max_nodes=9), st.data())
def test_listing_redundant_parents_and_caches_change_no_merge(
    nodes: tuple[SetNode, ...], data: st.DataObject
) -> None:
    graph = graph_of(nodes)
    padded = graph_of(
        Node(each.id, ancestors(graph, each.id) - {each.id}, each.state)
        for each in data.draw(st.permutations(nodes))
    )
    caches = [MergeCache[frozenset[str]](capacity) for capacity in (None, 0, 1, 2)]
    for x in data.draw(st.lists(anti_chains(nodes), max_size=5)):
        merged = {merge(graph, x, SETS, cache=cache) for cache in caches}
        assert merged == {merge(padded, x, SETS)}
    assert by_id(transitive_reduction(padded)) == by_id(nodes)


@given(histories(max_nodes=9), st.data())
def test_any_causal_order_gives_the_same_members_after_the_same_messages(
    nodes: tuple[SetNode, ...], data: st.DataObject
) -> None:
    history = history_of(nodes)
    expected = state_of(history, frozenset(history))
    second = Session(SETS, cache=MergeCache(capacity=1))
    waiting = list(nodes)
    while waiting:
        ready = [node for node in waiting if all(p in second.graph for p in node.parents)]
        chosen = data.draw(st.sampled_from(ready))
        second.accept(chosen)
        waiting.remove(chosen)
    assert session_of(nodes, SETS).members() == second.members() == expected
    assert members(graph_of(nodes), SETS) == expected


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
