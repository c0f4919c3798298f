"""Functions for histories of any size: literal up to a bound, and fast beyond it.

The literal functions of `complete_algorithm` and `simple_derivation` call themselves as in the
document. Their time can grow exponentially with the history, and the depth of their calls grows
with it. The fast functions have neither limit. Both evaluations give the same states and the same
errors.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from rejoin.history_merge import (
    complete_algorithm,
    fast_complete_algorithm,
    fast_partial_orders,
    fast_simple_derivation,
    partial_orders,
    simple_derivation,
)
from rejoin.history_merge.fast_complete_algorithm import MergeCache
from rejoin.history_merge.graph import Graph, Node, S
from rejoin.history_merge.reading import DOCUMENT, Reading
from rejoin.history_merge.three_way_merge import StateType
from rejoin.plain import require_kind

LITERAL_NODES: Final = 20
"""The largest number of nodes for which the literal evaluation answers.

It also bounds the depth of a history, because no chain of nodes is longer than the history. The
worst known histories of this size are rows of four nodes, where each node has the whole row before
it as parents. The merge of their heads takes 363 3-way merges, and each further row triples that
number. The calls nest fewer than 100 deep.
"""


def is_literal(graph: Graph[S]) -> bool:
    """Return whether a history is small enough for the literal evaluation."""
    return len(graph) <= LITERAL_NODES


def merge(
    graph: Graph[S],
    nodes: Iterable[str],
    states: StateType[S],
    reading: Reading = DOCUMENT,
    cache: MergeCache[S] | None = None,
) -> S:
    """Return merge[G](X): the merged state of a set of nodes.

    graph: the history.
    nodes: the IDs of the nodes to merge. None of them may be an ancestor of another. The merge of
        no nodes is the default state, and the merge of one node is its state.
    states: the type of the states, such as `SETS`.
    cache: if given, the fast evaluation answers at every size and uses it. It must belong to this
        graph, type of state and reading.

    Errors: `HistoryMergeError` with "unknown-node", "not-an-anti-chain", which names the older node
        first, "not-a-fold-order" or "conflict". A TypeError names a node whose state is of another
        type.
    Clauses: HM-MERGE-DEEP, HM-MERGE-WIDE
    """
    try:
        if cache is None and is_literal(graph):
            merged = complete_algorithm.merge(graph, nodes, states, reading)
        else:
            merged = fast_complete_algorithm.fast_merge(graph, nodes, states, reading, cache)
        require_kind("the merged state", merged, states.default_state)  # also of one node
    except Exception as error:  # a wrong type can also look like a conflict
        for node in graph:
            require_kind(f"the state of node {node.id!r}", node.state, states.default_state, error)
        raise
    return merged


def merge_fold_recurse(
    graph: Graph[S], nodes: Iterable[str], states: StateType[S], reading: Reading = DOCUMENT
) -> S:
    """Return merge-fold-recurse(G, X): the same merge, with temporary nodes.

    Parameters and errors: as in `merge`.
    Clauses: HM-MERGE-DEEP, HM-MERGE-WIDE
    """
    if is_literal(graph):
        return simple_derivation.merge_fold_recurse(graph, nodes, states, reading)
    return fast_simple_derivation.fast_merge_fold_recurse(graph, nodes, states, reading)


def merge_recurse_fold(
    graph: Graph[S], nodes: Iterable[str], states: StateType[S], reading: Reading = DOCUMENT
) -> S:
    """Return merge-recurse-fold(G, X): the variant that the document shows to be wrong.

    Parameters and errors: as in `merge`.
    Clauses: HM-MERGE-DEEP, HM-MERGE-WIDE
    """
    if is_literal(graph):
        return simple_derivation.merge_recurse_fold(graph, nodes, states, reading)
    return fast_simple_derivation.fast_merge_recurse_fold(graph, nodes, states, reading)


def lca(graph: Graph[S], nodes: Iterable[str]) -> frozenset[str]:
    """Return lca(G, X): the lowest nodes that are <= every node of X; the heads of G if X is empty.

    Errors: `unknown-node`.
    """
    if is_literal(graph):
        return simple_derivation.lca(graph, nodes)
    return fast_partial_orders.fast_lca(graph, nodes)


def transitive_reduction(graph: Graph[S]) -> tuple[Node[S], ...]:
    """Return the nodes with the fewest parents that give the same order, in order of addition."""
    if is_literal(graph):
        return partial_orders.transitive_reduction(graph)
    return fast_partial_orders.fast_transitive_reduction(graph)
