"""Small histories are merged literally, large ones by the fast evaluation, all in bounded time."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from typing import Any, Final

import pytest

from rejoin.history_merge import (
    LITERAL_NODES,
    SETS,
    MergeCache,
    Node,
    Session,
    StateType,
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
from support.plain_history_merge import SetNode

FRAMES: Final = 100
"""More calls than a merge within the bound nests."""


def _ladder(nodes: int, width: int) -> Iterator[SetNode]:
    """Rows of nodes, each node with the whole row before it as parents; the last row may be short.

    These are the histories on which the literal recursion takes longest.
    """
    row: list[str] = []
    for first in range(0, nodes, width):
        names = [f"{number:06d}" for number in range(first, min(first + width, nodes))]
        for name in names:
            yield Node(name, frozenset(row), frozenset([name[-1], str(first % 5)]))
        row = names


class _Counting:
    """The 3-way merge of sets, counting its calls."""

    def __init__(self) -> None:
        self.calls = 0

    def __call__(self, o: frozenset[str], a: frozenset[str], b: frozenset[str]) -> frozenset[str]:
        self.calls += 1
        return SETS.three_way_merge(o, a, b)


def _calls(nodes: int, width: int, merging: Callable[..., Any] = merge) -> int:
    """How often the merge of the heads of a ladder calls the 3-way merge."""
    graph, counting = graph_of(_ladder(nodes, width)), _Counting()
    counted: StateType[frozenset[str]] = StateType("set", frozenset(), counting)
    merging(graph, graph.heads(), counted)
    return counting.calls


def test_the_bound_is_a_number_of_nodes() -> None:
    assert is_literal(graph_of(_ladder(LITERAL_NODES, 4)))
    assert not is_literal(graph_of(_ladder(LITERAL_NODES + 1, 4)))


def test_the_spec_and_the_guide_to_rules_name_the_bound() -> None:
    spec = spec_directory()
    readme = (spec / "history-merge" / "README.md").read_text(encoding="utf-8")
    assert f"Up to {LITERAL_NODES} nodes\nthe literal functions answer" in readme
    guide = (spec.parent / "docs" / "try-a-rule.md").read_text(encoding="utf-8")
    assert f"every history of at most {LITERAL_NODES} messages" in guide


@pytest.mark.parametrize("merging", [merge, merge_fold_recurse])
def test_within_the_bound_sets_are_merged_again_and_beyond_it_once(
    merging: Callable[..., Any],
) -> None:
    assert _calls(20, 4, merging) == 3 + 9 + 27 + 81 + 243
    assert _calls(24, 4, merging) == 6 * 3


def test_recurse_fold_merges_each_row_once_in_any_case() -> None:
    assert _calls(20, 4, merge_recurse_fold) == 5 * 3
    assert _calls(24, 4, merge_recurse_fold) == 6 * 3


def test_a_cache_asks_for_the_fast_evaluation_at_every_size() -> None:
    def cached(graph: Any, nodes: Any, states: Any) -> Any:
        return merge(graph, nodes, states, cache=MergeCache())

    assert _calls(20, 4, cached) == 5 * 3


def test_members_and_sessions_without_a_cache_follow_the_bound() -> None:
    assert _calls(20, 4, lambda graph, _, states: members(graph, states)) == 363
    assert _calls(24, 4, lambda graph, _, states: members(graph, states)) == 18

    def last_row(graph: Any, heads: Any, states: Any) -> None:
        session = Session(states, cache=None)
        for node in graph:
            session.graph.add(node)
        session.merge(heads)

    assert _calls(20, 4, last_row) == 363
    assert _calls(24, 4, last_row) == 18


def test_operational_edges_beyond_the_bound_merge_each_row_once() -> None:
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


@pytest.mark.parametrize("width", [2, 3, 4])
def test_a_criss_cross_of_any_depth_is_merged_at_once_row_by_row(width: int) -> None:
    rows = 3_000
    graph = graph_of(_ladder(rows * width, width))
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
    graph = graph_of(_ladder(nodes, 2))
    reduced = any_size.transitive_reduction(graph)
    assert [node.parents for node in reduced] == [node.parents for node in graph]
    last_two = [f"{nodes - 1:06d}", f"{nodes - 2:06d}"]
    assert any_size.lca(graph, last_two) == {f"{nodes - 3:06d}", f"{nodes - 4:06d}"}


def test_small_queries_are_answered_literally(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(fast_partial_orders, "fast_lca")
    monkeypatch.delattr(fast_partial_orders, "fast_transitive_reduction")
    graph = graph_of(_ladder(LITERAL_NODES, 3))
    assert any_size.lca(graph, graph.heads()) == simple_derivation.lca(graph, graph.heads())
    assert any_size.transitive_reduction(graph) == partial_orders.transitive_reduction(graph)
