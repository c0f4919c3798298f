"""Small histories are merged literally, large ones by the fast evaluation, all in bounded time."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any, Final

import pytest

from rejoin.history_merge import (
    COUNTERS,
    LITERAL_NODES,
    SETS,
    MergeCache,
    Node,
    Session,
    any_size,
    fast_partial_orders,
    graph_of,
    is_literal,
    members,
    operational_edges,
    partial_orders,
    simple_derivation,
)
from rejoin.history_merge.any_size import merge, merge_fold_recurse, merge_recurse_fold
from rejoin_conformance.kit.locations import spec_directory
from support.plain_history_merge import Counting, ladder

FRAMES: Final = 100
"""More calls than a merge within the bound nests."""


def _calls(nodes: int, width: int, merging: Callable[..., Any] = merge) -> int:
    """How often the merge of the heads of a ladder calls the 3-way merge."""
    graph, counting = graph_of(ladder(nodes, width)), Counting()
    merging(graph, graph.heads(), counting.states)
    return counting.calls


def test_the_bound_is_a_number_of_nodes() -> None:
    assert is_literal(graph_of(ladder(LITERAL_NODES, 4)))
    assert not is_literal(graph_of(ladder(LITERAL_NODES + 1, 4)))


def test_the_spec_and_the_guide_to_rules_name_the_bound() -> None:
    spec = spec_directory()
    readme = (spec / "history-merge" / "README.md").read_text(encoding="utf-8")
    assert f"Up to {LITERAL_NODES} nodes\nthe literal functions answer" in readme
    guide = (spec.parent / "docs" / "try-a-rule.md").read_text(encoding="utf-8")
    assert f"every history of at most {LITERAL_NODES} messages" in " ".join(guide.split())


def _last_row(graph: Any, heads: Any, states: Any) -> None:
    session = Session(states, cache=None)
    for node in graph:
        session.graph.add(node)
    session.merge(heads)


MERGINGS: Final[dict[str, tuple[Callable[..., Any], int, int]]] = {
    "merge": (merge, 363, 18),
    "merge with temporary nodes": (merge_fold_recurse, 363, 18),
    "recurse-fold": (merge_recurse_fold, 15, 18),
    "with a cache": (
        lambda graph, x, states: merge(graph, x, states, cache=MergeCache()),
        15,
        18,
    ),
    "members": (lambda graph, _, states: members(graph, states), 363, 18),
    "a session without a cache": (_last_row, 363, 18),
}
"""How to merge -> the 3-way merges of 5 rows of 4 nodes, within the bound, and of 6 rows.

3 + 9 + 27 + 81 + 243 merge sets again, and 5 * 3 and 6 * 3 merge each row once.
"""


def test_within_the_bound_sets_are_merged_again_and_beyond_it_once() -> None:
    for name, (merging, within, beyond) in MERGINGS.items():
        assert (_calls(20, 4, merging), _calls(24, 4, merging)) == (within, beyond), name
    assert _calls(24, 4, lambda graph, _, states: operational_edges(graph, states)) == 5 * 3


@pytest.mark.parametrize("width", range(2, 8))
@pytest.mark.parametrize("merging", [merge, merge_fold_recurse, merge_recurse_fold])
def test_no_merge_within_the_bound_nests_deep_or_takes_long(
    merging: Callable[..., Any], width: int
) -> None:
    assert _calls(LITERAL_NODES, width, merging) < 400
    depth, frame = 0, sys._getframe()
    while frame.f_back is not None:
        depth, frame = depth + 1, frame.f_back
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(depth + FRAMES)
    try:
        _calls(LITERAL_NODES, width, merging)
    finally:
        sys.setrecursionlimit(limit)


@pytest.mark.parametrize("width", [2, 3])
def test_a_criss_cross_of_any_depth_is_merged_at_once_row_by_row(width: int) -> None:
    rows = 3_000
    graph = graph_of(ladder(rows * width, width))
    # every node of the last row has the mark of its row, so their merge has it too
    assert str((rows - 1) * width % 5) in merge(graph, graph.heads(), SETS)
    assert _calls(rows * width, width) == rows * (width - 1)


def test_thousands_of_heads_of_one_root_are_merged() -> None:
    heads = [f"{n:05d}" for n in range(4_000)]
    graph = graph_of(
        [
            Node("r", frozenset[str](), frozenset[str]()),
            *(Node(name, frozenset("r"), frozenset([name])) for name in heads),
        ]
    )
    assert merge(graph, heads, SETS) == frozenset(heads)
    assert any_size.lca(graph, heads) == {"r"}


@pytest.mark.parametrize("nodes", [LITERAL_NODES, 10_000])
def test_the_other_queries_answer_at_every_size(nodes: int) -> None:
    graph = graph_of(ladder(nodes, 2))
    reduced = any_size.transitive_reduction(graph)
    assert [node.parents for node in reduced] == [node.parents for node in graph]
    last_two = [f"{nodes - 1:06d}", f"{nodes - 2:06d}"]
    assert any_size.lca(graph, last_two) == {f"{nodes - 3:06d}", f"{nodes - 4:06d}"}


def test_small_queries_are_answered_literally(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(fast_partial_orders, "fast_lca")
    monkeypatch.delattr(fast_partial_orders, "fast_transitive_reduction")
    graph = graph_of(ladder(LITERAL_NODES, 3))
    assert any_size.lca(graph, graph.heads()) == simple_derivation.lca(graph, graph.heads())
    assert any_size.transitive_reduction(graph) == partial_orders.transitive_reduction(graph)


def test_a_chain_of_30_000_nodes_listed_backwards_is_a_history() -> None:
    nodes = [
        Node(str(index), frozenset([str(index - 1)] if index else []), frozenset[str]())
        for index in reversed(range(30_000))
    ]
    graph = graph_of(nodes)
    assert graph.heads() == {"29999"}
    assert graph.pasts.number("29999") == 29_999


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
