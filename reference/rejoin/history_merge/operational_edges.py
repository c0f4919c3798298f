"""Operational edges: where in a history somebody changed something.

An author departs from the merge of a message's parents. If the message's own state is that merge,
its author changed nothing and none of its edges is operational. If it differs, the difference is
the operation. It lies on the edge to the parent where there is one; where there are several, the
node is taken apart into a virtual node that merges them and an operational edge up to it.
"""

from __future__ import annotations

from typing import Generic, TypeVar

from attrs import frozen

from rejoin.history_merge.any_size import is_literal, merge
from rejoin.history_merge.fast_complete_algorithm import MergeCache
from rejoin.history_merge.graph import Graph, S
from rejoin.history_merge.readings import DOCUMENT, Reading
from rejoin.history_merge.three_way_merge import SetDiff, StateType, set_diff

T = TypeVar("T")


@frozen
class OperationalEdge(Generic[S]):
    """One change that an author made.

    node: the ID of the node at whose author changed something.
    virtual: whether the edge leads to a virtual node that only merges the node's parents; else it
        leads to the one parent.
    before: the state that the author departed from, which is the state of that end of the edge.
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
    """Every operational edge of a history, by ascending node ID.

    A root has no edge, so its state comes from no operation. The merges are those of
    `any_size.merge`, with a cache beyond the bound of the literal evaluation.

    cache: if given, the fast evaluation merges at every size and uses it.

    Errors: `not-an-anti-chain` if the parents of a node are not one; what the 3-way merge refuses.
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
    """The operation of an edge where states are sets: what its author inserted and deleted.

    Clauses: HM-EDGE-OPERATION
    Source: "A more precise derivation", operational edges
    """
    return set_diff(edge.before, edge.after)
