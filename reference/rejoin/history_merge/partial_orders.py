"""Partial orders: the queries on the order of nodes that the merge of histories uses.

u <= v holds if u is v, or a parent of v, or a parent of a parent, and so on. Two nodes are causally
independent if neither is <= the other. An anti-chain is a set in which all nodes are causally
independent of each other.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable

from rejoin.history_merge.graph import Graph, Node, S, require_known


def before(graph: Graph[S], u: str, v: str) -> bool:
    """Return u <= v: whether u is v or one of its ancestors.

    Errors: `unknown-node`.
    Clauses: HM-ORDER-BEFORE, HM-ORDER-KNOWN-NODES
    Source: "Union of events vs dynamic state"
    """
    require_known(graph, [u, v])
    return u in ancestors(graph, v)


def ancestors(graph: Graph[S], v: str) -> frozenset[str]:
    """Return anc(v): every node that is <= v, including v itself.

    Errors: `unknown-node`.
    Clauses: HM-ORDER-ANCESTORS, HM-ORDER-KNOWN-NODES
    Source: "A more precise derivation", definitions
    """
    return ancestors_of_all(graph, [v])


def ancestors_of_all(graph: Graph[S], nodes: Iterable[str]) -> frozenset[str]:
    """Return anc*(V): the union of the ancestors of all nodes of a set.

    Errors: `unknown-node`.
    Clauses: HM-ORDER-ANCESTORS-OF-ALL, HM-ORDER-KNOWN-NODES
    Source: "A more precise derivation", definitions
    """
    waiting = list(nodes)
    require_known(graph, waiting)
    found: set[str] = set()
    while waiting:
        v = waiting.pop()
        if v not in found:
            found.add(v)
            waiting.extend(graph.node(v).parents)
    return frozenset(found)


def maximal(graph: Graph[S], nodes: Iterable[str]) -> frozenset[str]:
    """Return max(V): the nodes of a set that are not before any other node of it.

    This equals max(anc*(V)), because every ancestor outside V is before some node of V.

    Errors: `unknown-node`.
    Clauses: HM-ORDER-MAXIMAL, HM-ORDER-KNOWN-NODES
    Source: "Simple intuitive derivation", lca2
    """
    given = frozenset(nodes)
    require_known(graph, given)
    parents = {parent for v in given for parent in graph.node(v).parents}
    before_another = ancestors_of_all(graph, parents)
    return frozenset({v for v in given if v not in before_another})


def is_anti_chain(graph: Graph[S], nodes: Collection[str]) -> bool:
    """Return whether no two of the nodes are <= each other. A repeated node is <= itself.

    Errors: `unknown-node`.
    Clauses: HM-ORDER-ANTI-CHAIN, HM-ORDER-KNOWN-NODES
    Source: "General merge", assumption 1
    """
    return len(maximal(graph, nodes)) == len(nodes)


def transitive_reduction(graph: Graph[S]) -> tuple[Node[S], ...]:
    """Return the nodes with the fewest parents that give the same order, in order of addition.

    A parent that is before another parent of the same node is redundant and left out. The time
    grows with the square of the history's size; `any_size.transitive_reduction` avoids this.

    Clauses: HM-ORDER-REDUCTION
    Source: "Union of events vs dynamic state"
    """
    return tuple(Node(node.id, maximal(graph, node.parents), node.state) for node in graph)
