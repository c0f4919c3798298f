"""Each query and each merge agrees with a plain version of the document's definition."""

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
    ascending,
    before,
    fast_merge,
    fast_merge_fold_recurse,
    folding_by,
    graph_of,
    is_anti_chain,
    lca,
    lca_u,
    maximal,
    members,
    merge,
    merge_fold_recurse,
    merge_recurse_fold,
    ranked,
    session_of,
    transitive_reduction,
)
from support.plain_history_merge import (
    SetNode,
    anc,
    anti_chains,
    by_id,
    descending,
    histories,
    maxima,
)
from support.plain_history_merge import lca_u as plain_lca_u
from support.plain_history_merge import merge as plain_merge

MERGES = (merge, fast_merge, merge_fold_recurse, fast_merge_fold_recurse)


@given(histories(max_nodes=10), st.data())
def test_the_queries_agree_with_the_definition(
    nodes: tuple[SetNode, ...], data: st.DataObject
) -> None:
    graph, history = graph_of(nodes), by_id(nodes)
    ids = sorted(history)
    for node in ids:
        assert ancestors(graph, node) == anc(history, node)
        assert {other for other in ids if before(graph, other, node)} == anc(history, node)
    chosen = data.draw(st.sets(st.sampled_from(ids), min_size=1))
    assert maximal(graph, chosen) == maxima(history, chosen)
    assert is_anti_chain(graph, chosen) == (maxima(history, chosen) == chosen)
    assert graph.heads() == maxima(history, ids)
    one = data.draw(st.sampled_from(ids))
    assert lca_u(graph, chosen, one) == plain_lca_u(history, chosen, one)


@given(histories(max_nodes=9), st.data())
def test_every_merge_agrees_with_the_plain_one_in_every_fold_order(
    nodes: tuple[SetNode, ...], data: st.DataObject
) -> None:
    x = data.draw(anti_chains(nodes))
    ranking = ranked(data.draw(st.permutations(sorted(by_id(nodes)))))
    for order in (ascending, descending, ranking):
        expected = plain_merge(by_id(nodes), x, order)
        reading = folding_by(order)
        assert {each(graph_of(nodes), x, SETS, reading) for each in MERGES} == {expected}


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
    history = by_id(nodes)
    expected = plain_merge(history, maxima(history, history), ascending)
    second = Session(SETS, cache=MergeCache(capacity=1))
    waiting = list(nodes)
    while waiting:
        ready = [node for node in waiting if all(p in second.graph for p in node.parents)]
        chosen = data.draw(st.sampled_from(ready))
        second.accept(chosen)
        waiting.remove(chosen)
    assert session_of(nodes, SETS).members() == second.members() == expected
    assert members(graph_of(nodes), SETS) == expected


@given(histories(max_nodes=9), st.data())
def test_recurse_fold_agrees_on_two_nodes(nodes: tuple[SetNode, ...], data: st.DataObject) -> None:
    graph = graph_of(nodes)
    x = data.draw(anti_chains(nodes))
    if len(x) == 2 and len(lca(graph, x)) < 3:
        assert merge_recurse_fold(graph, x, SETS) == merge(graph, x, SETS)


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
