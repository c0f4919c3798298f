"""lcaU: the lowest common ancestors of a set of nodes that are already merged, and one more node.

When two nodes have been merged, a third node is merged with the result. The third node shares part
of its past with each of the two. The origin of this 3-way merge must stand for anc(b) ∩ anc*(A).
The merge of the maximal nodes of this intersection does.
"""

from __future__ import annotations

from collections.abc import Iterable

from rejoin.history_merge.errors import no_nodes_to_share
from rejoin.history_merge.graph import Graph, S, require_known
from rejoin.history_merge.partial_orders import ancestors, ancestors_of_all, maximal


def lca_u(graph: Graph[S], a_nodes: Iterable[str], b: str) -> frozenset[str]:
    """Return lcaU(A, b) = max({ v ∈ G | v ∈ anc(b) ∧ v ∈ anc*(A) }).

    A need not be an anti-chain. If b is before a node of A, the result is b alone. The result is
    empty if A and b have no common ancestor.

    Errors: `empty-set` if A is empty; `unknown-node`.
    Clauses: HM-LCAU-LOWEST, HM-LCAU-NOT-EMPTY, HM-LCAU-CHAIN, HM-LCAU-NONE, HM-ORDER-KNOWN-NODES
    Source: "A more precise derivation", lcaU; "Complete algorithm", lcaU
    """
    a = frozenset(a_nodes)
    require_known(graph, [*a, b])
    if not a:  # assert A non-empty
        raise no_nodes_to_share(b)
    anc_b, anc_a = ancestors(graph, b), ancestors_of_all(graph, a)
    return maximal(graph, {v.id for v in graph if v.id in anc_b and v.id in anc_a})
