"""The simple derivation: the merge of two nodes, and two ways to extend it to any number of nodes.

`merge_fold_recurse` folds the merge of two nodes over a set. It adds each intermediate result to
the history as a temporary node. It is correct: it gives the same states as the complete algorithm,
which needs no temporary nodes. `merge_recurse_fold` merges the common ancestors of all nodes once,
and folds the 3-way merge with this one origin over the set. The document shows that it is wrong; it
is here for comparison.

The names differ from the document's as in `complete_algorithm`. In addition, merge2' (the merge of
two nodes into a temporary node) is `merge2_prime`, and 3-way-merge-with-o is
`three_way_merge_with_o`. The recursion is as in the document, as in `complete_algorithm`.
`any_size` has these functions for histories of any size.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import reduce

from rejoin.history_merge.complete_algorithm import admitted
from rejoin.history_merge.errors import not_an_anti_chain
from rejoin.history_merge.graph import Graph, Node, S, require_known
from rejoin.history_merge.partial_orders import ancestors, before, maximal
from rejoin.history_merge.reading import DOCUMENT, Reading
from rejoin.history_merge.three_way_merge import StateType


def lca2(graph: Graph[S], a: str, b: str) -> frozenset[str]:
    """Return lca2(G, a, b) = max({ v in G | v <= a and v <= b }).

    Errors: `unknown-node`.
    Clauses: HM-LCA-TWO
    Source: "Simple intuitive derivation", lca2
    """
    anc_a, anc_b = ancestors(graph, a), ancestors(graph, b)
    return maximal(graph, {v.id for v in graph if v.id in anc_a and v.id in anc_b})


def merge2(graph: Graph[S], a: str, b: str, states: StateType[S], reading: Reading) -> S:
    """Return merge2(G, a, b): the merge of two nodes.

    Errors: as `merge_fold_recurse`.
    Clauses: HM-TEMP-FOLD
    Source: "Simple intuitive derivation", merge2
    """
    origins = lca2(graph, a, b)  # calculate parent node(s), for 3-way-merge
    match tuple(origins):
        case ():  # open in the document; the complete algorithm merges the empty set
            os = states.default_state
        case (only,):  # base case
            os = graph.state(only)
        case _:  # recurse!
            os = merge_fold_recurse(graph, origins, states, reading)
    return reading.three_way_merge(states, os, graph.state(a), graph.state(b))


def merge_fold_recurse(
    graph: Graph[S], nodes: Iterable[str], states: StateType[S], reading: Reading = DOCUMENT
) -> S:
    """Return merge-fold-recurse(G, X): fold merge2 over X; each result becomes a temporary node.

    The temporary nodes are added to a copy of the graph.

    Errors: as `complete_algorithm.merge`.
    Clauses: HM-TEMP-FOLD, HM-TEMP-VANISH, HM-TEMP-AGREES
    Source: "Simple intuitive derivation", merge-fold-recurse
    """
    x = anti_chain(graph, nodes, reading)
    if not x:
        return states.default_state
    scratch = graph.copy()

    def merge2_prime(a: str, b: str) -> str:
        """Return the ID of a temporary node with the merge of two nodes: merge2'."""
        s = merge2(scratch, a, b, states, reading)
        return new_temp_node(scratch, s, frozenset({a, b}))

    return scratch.state(reduce(merge2_prime, reading.folded(x)))


def lca(graph: Graph[S], nodes: Iterable[str]) -> frozenset[str]:
    """Return lca(G, X) = max({ v in G | v <= x for all x in X }).

    If X is empty, every node is a common ancestor.

    Errors: `unknown-node`.
    Clauses: HM-LCA-MANY, HM-ORDER-KNOWN-NODES, HM-LCA-TWO
    Source: "Simple intuitive derivation", lca
    """
    x_nodes = frozenset(nodes)
    require_known(graph, x_nodes)
    pasts = [ancestors(graph, x) for x in x_nodes]
    return maximal(graph, {v.id for v in graph if all(v.id in past for past in pasts)})


def merge_recurse_fold(
    graph: Graph[S], nodes: Iterable[str], states: StateType[S], reading: Reading = DOCUMENT
) -> S:
    """Return merge-recurse-fold(G, X), the wrong variant: one origin for all nodes of X.

    Errors: as `complete_algorithm.merge`.
    Clauses: HM-RECURSE-FOLD, HM-RECURSE-FOLD-DIFFERS
    Source: "Simple intuitive derivation", merge-recurse-fold
    """
    x = anti_chain(graph, nodes, reading)
    if not x:
        return states.default_state
    origins = lca(graph, x)  # calculate the parent node / nodes
    match tuple(origins):
        case ():  # as in merge2
            os = states.default_state
        case (only,):  # base case
            os = graph.state(only)
        case _:  # recurse!
            os = merge_recurse_fold(graph, origins, states, reading)
    scratch = graph.copy()

    def three_way_merge_with_o(a: str, b: str) -> str:
        s = reading.three_way_merge(states, os, scratch.state(a), scratch.state(b))
        return new_temp_node(scratch, s, frozenset({a, b}))

    return scratch.state(reduce(three_way_merge_with_o, reading.folded(x)))


def new_temp_node(scratch: Graph[S], state: S, parents: frozenset[str]) -> str:
    """Add a new temporary node to a copy of the history, and return its ID.

    No node of the history has this ID.

    Clauses: HM-TEMP-VANISH
    Source: "Simple intuitive derivation", "new temp node"
    """
    number = len(scratch)
    while f"temporary {number}" in scratch:
        number += 1
    temporary = Node(f"temporary {number}", parents, state)
    scratch.add(temporary)
    return temporary.id


def anti_chain(graph: Graph[S], nodes: Iterable[str], reading: Reading) -> frozenset[str]:
    """Return the set X to merge, which both variants require to be an anti-chain.

    Errors: `unknown-node`; `not-an-anti-chain`, naming the older node first, then the newer one.
    Clauses: HM-TEMP-ANTI-CHAIN
    Source: "General merge", assumption 1
    """
    x = admitted(graph, nodes, reading)
    inner = x - maximal(graph, x)
    if inner:
        older = min(inner)
        newer = min(node for node in x if node != older and before(graph, older, node))
        raise not_an_anti_chain(older, newer)
    return x
