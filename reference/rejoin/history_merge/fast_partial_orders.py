"""The queries of `partial_orders`, `lcau` and the simple derivation, with index sets.

Each function gives the same result as the function without `fast_` in its name. Its cost does not
depend on the part of the history that both compared pasts contain.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from functools import reduce
from operator import and_

from rejoin.history_merge.errors import no_nodes_to_share
from rejoin.history_merge.graph import Graph, Node, S, require_known
from rejoin.history_merge.index_sets import IndexSet, contains


def fast_before(graph: Graph[S], u: str, v: str) -> bool:
    """Return u <= v: whether u is v or one of its ancestors.

    Errors: `unknown-node`.
    Clauses: HM-ORDER-BEFORE, HM-ORDER-KNOWN-NODES
    """
    require_known(graph, [u, v])
    return contains(graph.pasts.of(v), graph.pasts.number(u))


def fast_ancestors_of_all(graph: Graph[S], nodes: Iterable[str]) -> frozenset[str]:
    """Return anc*(V): the union of the ancestors of all nodes of a set.

    Errors: `unknown-node`.
    Clauses: HM-ORDER-ANCESTORS, HM-ORDER-ANCESTORS-OF-ALL, HM-ORDER-KNOWN-NODES
    """
    wanted = sorted(nodes)
    require_known(graph, wanted)
    return graph.pasts.nodes(graph.pasts.of_all(wanted))


def fast_maximal(graph: Graph[S], nodes: Iterable[str]) -> frozenset[str]:
    """Return max(V): the nodes of a set that are not before any other node of it.

    Errors: `unknown-node`.
    Clauses: HM-ORDER-MAXIMAL, HM-ORDER-KNOWN-NODES
    """
    wanted = sorted(nodes)
    require_known(graph, wanted)
    return graph.pasts.maximal(graph.pasts.of_all(wanted))


def fast_is_anti_chain(graph: Graph[S], nodes: Collection[str]) -> bool:
    """Return whether no two of the nodes are <= each other. A repeated node is <= itself.

    Errors: `unknown-node`.
    Clauses: HM-ORDER-ANTI-CHAIN, HM-ORDER-KNOWN-NODES
    """
    return len(fast_maximal(graph, nodes)) == len(nodes)


def fast_transitive_reduction(graph: Graph[S]) -> tuple[Node[S], ...]:
    """Return the nodes with the fewest parents that give the same order, in order of addition.

    Clauses: HM-ORDER-REDUCTION
    """
    return tuple(Node(node.id, fast_maximal(graph, node.parents), node.state) for node in graph)


def fast_lca_u(graph: Graph[S], a_nodes: Iterable[str], b: str) -> frozenset[str]:
    """Return lcaU(A, b): the lowest nodes that are <= b and <= some node of A.

    Errors: `empty-set` if A is empty; `unknown-node`.
    Clauses: HM-LCAU-LOWEST, HM-LCAU-NOT-EMPTY, HM-LCAU-CHAIN, HM-LCAU-NONE, HM-ORDER-KNOWN-NODES
    """
    a = sorted(a_nodes)
    require_known(graph, [*a, b])
    if not a:
        raise no_nodes_to_share(b)
    return fast_lca_u_of_past(graph, graph.pasts.of_all(a), b)


def fast_lca_u_of_past(graph: Graph[S], a_past: IndexSet, b: str) -> frozenset[str]:
    """Return lcaU(A, b), given a_past = anc*(A).

    Clauses: HM-LCAU-LOWEST
    """
    return graph.pasts.maximal(a_past & graph.pasts.of(b))


def fast_lca2(graph: Graph[S], a: str, b: str) -> frozenset[str]:
    """Return lca2(G, a, b): the lowest common ancestors of two nodes.

    Errors: `unknown-node`.
    Clauses: HM-LCA-TWO
    """
    return graph.pasts.maximal(graph.pasts.of(a) & graph.pasts.of(b))


def fast_lca(graph: Graph[S], nodes: Iterable[str]) -> frozenset[str]:
    """Return lca(G, X): the lowest nodes that are <= every node of X; the heads of G if X is empty.

    Errors: `unknown-node`.
    Clauses: HM-LCA-MANY, HM-ORDER-KNOWN-NODES, HM-LCA-TWO
    """
    x = sorted(nodes)
    require_known(graph, x)
    if not x:
        return graph.heads()
    return graph.pasts.maximal(reduce(and_, map(graph.pasts.of, x)))
