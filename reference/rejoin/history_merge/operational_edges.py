"""Operational edges: the edges of a history at which an author changed the state.

An author starts from the merge of a message's parents. If the message's own state equals that
merge, its author changed nothing, and none of its edges is operational. If it differs, the
difference is the operation. If the message has one parent, the operation is on the edge to this
parent. If it has several parents, the message counts as two nodes: a virtual node that merges the
parents, and a node above it. The operation is on the edge between the two.
"""

from __future__ import annotations

from typing import Generic, TypeVar

from attrs import frozen

from rejoin.history_merge.any_size import is_literal, merge
from rejoin.history_merge.fast_complete_algorithm import MergeCache
from rejoin.history_merge.graph import Graph, S
from rejoin.history_merge.reading import DOCUMENT, Reading
from rejoin.history_merge.three_way_merge import SetDiff, StateType, set_diff

T = TypeVar("T")


@frozen
class OperationalEdge(Generic[S]):
    """One change by an author.

    node: the ID of the node whose author changed the state.
    virtual: whether the edge leads to a virtual node that merges the node's parents; otherwise, it
        leads to the only parent.
    before: the state from which the author started, which is the state at the older end of the
    edge.
    after: the node's own state.
    """

    node: str
    virtual: bool
    before: S
    after: S


def operational_edges(
    graph: Graph[S],
    states: StateType[S],
    reading: Reading = DOCUMENT,
    cache: MergeCache[S] | None = None,
) -> tuple[OperationalEdge[S], ...]:
    """Return every operational edge of a history, by ascending node ID.

    A root has no edge, so its state comes from no operation. The merges are those of
    `any_size.merge`. If the history is too large for the literal evaluation, they use a cache.

    cache: if given, the fast evaluation answers at every size and uses it.

    Errors: `not-an-anti-chain` if the parents of a node are not one; any refusal by the 3-way
    merge.
    Clauses: HM-EDGE-SINGLE, HM-EDGE-MERGE, HM-EDGE-VIRTUAL, HM-EDGE-ROOT
    Source: "A more precise derivation", operational edges, cases a to c
    """
    known = MergeCache[S]() if cache is None and not is_literal(graph) else cache
    edges = []
    for node in sorted(graph, key=lambda each: each.id):
        departed_from = merge(graph, node.parents, states, reading, known)
        if node.parents and node.state != departed_from:
            virtual = len(node.parents) > 1
            edges.append(OperationalEdge(node.id, virtual, departed_from, node.state))
    return tuple(edges)


def set_operation(edge: OperationalEdge[frozenset[T]]) -> SetDiff[T]:
    """Return the operation of an edge between sets: its inserted and deleted elements.

    Clauses: HM-EDGE-OPERATION
    Source: "A more precise derivation", operational edges
    """
    return set_diff(edge.before, edge.after)
