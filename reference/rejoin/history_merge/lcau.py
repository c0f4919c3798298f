"""lcaU: the lowest common ancestors of a set of nodes that are merged already, and one more node.

Where two nodes have been merged, a third one forked from their union: what it shares with either of
them lies in both pasts. A 3-way merge with the third node therefore needs an origin that stands for
anc(b) ∩ anc*(A), which is what the lowest nodes of that intersection are merged into.
"""

from __future__ import annotations

from collections.abc import Iterable

from rejoin.history_merge.errors import HistoryMergeError
from rejoin.history_merge.graph import Graph, S, require_known
from rejoin.history_merge.index_sets import IndexSet


def lca_u(graph: Graph[S], a: Iterable[str], b: str) -> frozenset[str]:
    """lcaU(A, b) = max({ v ∈ G | v <= b and v <= a for some a in A }).

    A need not be an anti-chain; where b is before a node of A, or after one, that older node is
    among the result. It is empty where nothing is common.

    Errors: `empty-set` where A is empty, `unknown-node`.
    Clauses: HM-LCAU-LOWEST, HM-LCAU-NOT-EMPTY, HM-LCAU-CHAIN, HM-LCAU-NONE, HM-ORDER-KNOWN-NODES
    Source: "A more precise derivation", lcaU; "Complete algorithm", lcaU
    """
    nodes = sorted(a)
    require_known(graph, [*nodes, b])
    if not nodes:
        raise HistoryMergeError("empty-set", f"no node is given whose past {b!r} could share", [b])
    return lca_u_of_past(graph, graph.past_of_all(nodes), b)


def lca_u_of_past(graph: Graph[S], a_past: IndexSet, b: str) -> frozenset[str]:
    """lcaU(A, b), where anc*(A) is known already.

    Clauses: HM-LCAU-LOWEST
    Source: "Complete algorithm", lcaU
    """
    return graph.maximal_in_past(a_past & graph.past(b))
