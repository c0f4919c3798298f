"""The simple derivation: merge two nodes, then any number of them, in two ways of which one works.

`merge_fold_recurse` folds a merge of two nodes over all of them, and puts each intermediate result
into the history as a temporary node. It is right, and gives the same states as the complete
algorithm, which needs no such nodes. `merge_recurse_fold` merges the common ancestors of all nodes
once, and folds a 3-way merge with that one origin over them. The document shows it to be wrong; it
is here as the subject of that demonstration.

As in `complete_algorithm`, a recursive merge is a `yield` of the nodes to be merged.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import reduce
from operator import and_

from rejoin.history_merge.complete_algorithm import admitted
from rejoin.history_merge.evaluation import Merging, evaluate
from rejoin.history_merge.graph import Graph, Node, S, require_known
from rejoin.history_merge.partial_orders import before, maximal, not_an_anti_chain
from rejoin.history_merge.readings import DOCUMENT, Reading
from rejoin.history_merge.three_way_merge import StateType


def lca2(graph: Graph[S], a: str, b: str) -> frozenset[str]:
    """lca2(G, a, b): the lowest common ancestors of two nodes.

    Errors: `unknown-node`.
    Clauses: HM-LCA-TWO
    Source: "Simple intuitive derivation", lca2
    """
    return graph.maximal_in_past(graph.past(a) & graph.past(b))


def lca(graph: Graph[S], nodes: Iterable[str]) -> frozenset[str]:
    """lca(G, X): the lowest nodes that are ancestors of every node of X.

    Of no nodes at all every node is a common ancestor.

    Errors: `unknown-node`.
    Clauses: HM-LCA-MANY, HM-ORDER-KNOWN-NODES
    Source: "Simple intuitive derivation", lca
    """
    x = sorted(nodes)
    require_known(graph, x)
    if not x:
        return graph.heads()
    return graph.maximal_in_past(reduce(and_, map(graph.past, x)))


def merge_fold_recurse(
    graph: Graph[S], nodes: Iterable[str], states: StateType[S], reading: Reading = DOCUMENT
) -> S:
    """merge-fold-recurse(G, X): fold merge2 over X, each result becoming a temporary node.

    The temporary nodes go into a copy of the graph, and vanish with it.

    Errors: as `complete_algorithm.merge`.
    Clauses: HM-TEMP-FOLD, HM-TEMP-VANISH, HM-TEMP-AGREES
    Source: "Simple intuitive derivation", merge-fold-recurse
    """
    scratch = graph.copy()
    return evaluate(
        anti_chain(graph, nodes, reading),
        lambda x: _fold_recurse(scratch, x, states, reading),
    )


def merge_recurse_fold(
    graph: Graph[S], nodes: Iterable[str], states: StateType[S], reading: Reading = DOCUMENT
) -> S:
    """merge-recurse-fold(G, X), the wrong variant: one origin for all of X.

    Errors: as `complete_algorithm.merge`.
    Clauses: HM-RECURSE-FOLD, HM-RECURSE-FOLD-DIFFERS
    Source: "Simple intuitive derivation", merge-recurse-fold
    """
    return evaluate(
        anti_chain(graph, nodes, reading),
        lambda x: _recurse_fold(graph, x, states, reading),
    )


def anti_chain(graph: Graph[S], nodes: Iterable[str], reading: Reading) -> frozenset[str]:
    """X, on which both variants depend to be an anti-chain.

    Errors: `unknown-node`; `not-an-anti-chain`, naming the older node, then the newer one.
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


def _fold_recurse(
    scratch: Graph[S], x: frozenset[str], states: StateType[S], reading: Reading
) -> Merging[S]:
    if not x:
        return states.default_state
    first, *rest = reading.folded(x)
    merged = first
    for node in rest:
        state = yield from _merge2(scratch, merged, node, states)
        temporary = Node(_unused_id(scratch), frozenset([merged, node]), state)
        scratch.add(temporary)
        merged = temporary.id
    return scratch.state(merged)


def _merge2(scratch: Graph[S], a: str, b: str, states: StateType[S]) -> Merging[S]:
    common = lca2(scratch, a, b)
    origin = yield from _origin(scratch, common, states)
    return states.three_way_merge(origin, scratch.state(a), scratch.state(b))


def _recurse_fold(
    graph: Graph[S], x: frozenset[str], states: StateType[S], reading: Reading
) -> Merging[S]:
    if not x:
        return states.default_state
    common = lca(graph, x)
    origin = yield from _origin(graph, common, states)
    merged, *rest = (graph.state(node) for node in reading.folded(x))
    for state in rest:
        merged = states.three_way_merge(origin, merged, state)
    return merged


def _origin(graph: Graph[S], common: frozenset[str], states: StateType[S]) -> Merging[S]:
    match sorted(common):
        case []:  # the document does not say; the complete algorithm merges the empty set here
            return states.default_state
        case [only]:  # base case
            return graph.state(only)
        case _:  # recurse
            return (yield common)


def _unused_id(graph: Graph[S]) -> str:
    number = len(graph)
    while f"temporary {number}" in graph:
        number += 1
    return f"temporary {number}"
