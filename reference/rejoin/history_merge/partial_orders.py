"""Partial orders, as far as the merge of histories uses them.

u <= v holds where u is v, or a parent of v, or a parent of a parent, and so on. Two nodes of which
neither is <= the other are causally independent; a set in which all are so is an anti-chain.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable

from attrs import evolve

from rejoin.history_merge.errors import HistoryMergeError
from rejoin.history_merge.graph import Graph, Node, S, require_known


def before(graph: Graph[S], u: str, v: str) -> bool:
    """u <= v: whether u is v or one of its ancestors.

    Errors: `unknown-node`.
    Clauses: HM-ORDER-BEFORE, HM-ORDER-KNOWN-NODES
    Source: "Union of events vs dynamic state"
    """
    require_known(graph, [u, v])
    return graph.number(u) in graph.past(v)


def ancestors(graph: Graph[S], v: str) -> frozenset[str]:
    """anc(v): every node that is <= v, v itself among them.

    Errors: `unknown-node`.
    Clauses: HM-ORDER-ANCESTORS, HM-ORDER-KNOWN-NODES
    Source: "A more precise derivation", definitions
    """
    return ancestors_of_all(graph, [v])


def ancestors_of_all(graph: Graph[S], nodes: Iterable[str]) -> frozenset[str]:
    """anc*(V): the union of the ancestors of all nodes of a set.

    Errors: `unknown-node`.
    Clauses: HM-ORDER-ANCESTORS-OF-ALL, HM-ORDER-KNOWN-NODES
    Source: "A more precise derivation", definitions
    """
    wanted = sorted(nodes)
    require_known(graph, wanted)
    return graph.in_past(graph.past_of_all(wanted))


def maximal(graph: Graph[S], nodes: Iterable[str]) -> frozenset[str]:
    """max(V): the nodes of a set that are before no other node of it.

    This is also max(anc*(V)), since an ancestor that V lacks is before some node of V.

    Errors: `unknown-node`.
    Clauses: HM-ORDER-MAXIMAL, HM-ORDER-KNOWN-NODES
    Source: "Simple intuitive derivation", lca2
    """
    wanted = sorted(nodes)
    require_known(graph, wanted)
    return graph.maximal_in_past(graph.past_of_all(wanted))


def is_anti_chain(graph: Graph[S], nodes: Collection[str]) -> bool:
    """Whether no two of the nodes are <= each other; a node that stands twice is <= itself.

    Errors: `unknown-node`.
    Clauses: HM-ORDER-ANTI-CHAIN, HM-ORDER-KNOWN-NODES
    Source: "General merge", assumption 1
    """
    return len(maximal(graph, nodes)) == len(nodes)


def not_an_anti_chain(older: str, newer: str) -> HistoryMergeError:
    """The refusal of two nodes of which one is before the other."""
    message = (
        f"{older!r} stands twice"
        if older == newer
        else f"{older!r} is an ancestor of {newer!r}, so the two cannot be merged"
    )
    return HistoryMergeError("not-an-anti-chain", message, [older, newer])


def transitive_reduction(graph: Graph[S]) -> tuple[Node[S], ...]:
    """The nodes with the fewest parents that give the same order, as they were added.

    A parent that is before another parent of the same node says nothing and is left out.

    Clauses: HM-ORDER-REDUCTION
    Source: "Union of events vs dynamic state"
    """
    return tuple(evolve(node, parents=maximal(graph, node.parents)) for node in graph)
