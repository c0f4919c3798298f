"""The two variants of the simple derivation, for histories of any size and depth.

The results are those of `simple_derivation`. As in `fast_complete_algorithm`, a merge is a
generator that yields each set of nodes whose merged state it needs.
"""

from __future__ import annotations

from collections.abc import Iterable

from rejoin.history_merge.errors import not_an_anti_chain
from rejoin.history_merge.fast_complete_algorithm import (
    Merging,
    evaluate,
    fast_admitted,
    state_of,
)
from rejoin.history_merge.fast_partial_orders import (
    fast_before,
    fast_lca,
    fast_lca2,
    fast_maximal,
)
from rejoin.history_merge.graph import Graph, S
from rejoin.history_merge.reading import DOCUMENT, Reading
from rejoin.history_merge.simple_derivation import new_temp_node
from rejoin.history_merge.three_way_merge import StateType


def fast_merge_fold_recurse(
    graph: Graph[S], nodes: Iterable[str], states: StateType[S], reading: Reading = DOCUMENT
) -> S:
    """Return merge-fold-recurse(G, X). All temporary nodes are added to one copy of the graph.

    Errors: as `merge`.
    Clauses: HM-TEMP-FOLD, HM-TEMP-VANISH, HM-TEMP-AGREES
    Source: "Simple intuitive derivation", merge-fold-recurse
    """
    x = fast_anti_chain(graph, nodes, reading)
    if len(x) < 2:
        return state_of(graph, x, states)
    scratch = graph.copy()
    return evaluate(x, lambda x: _fold_recurse(scratch, x, states, reading))


def fast_merge_recurse_fold(
    graph: Graph[S], nodes: Iterable[str], states: StateType[S], reading: Reading = DOCUMENT
) -> S:
    """Return merge-recurse-fold(G, X), the wrong variant: one origin for all nodes of X.

    It folds states and needs no temporary nodes, because the origin does not depend on them.

    Errors: as `merge`.
    Clauses: HM-RECURSE-FOLD, HM-RECURSE-FOLD-DIFFERS
    Source: "Simple intuitive derivation", merge-recurse-fold
    """
    x = fast_anti_chain(graph, nodes, reading)
    if len(x) < 2:
        return state_of(graph, x, states)
    return evaluate(x, lambda x: _recurse_fold(graph, x, states, reading))


def fast_anti_chain(graph: Graph[S], nodes: Iterable[str], reading: Reading) -> frozenset[str]:
    """Return the set X to merge, which both variants require to be an anti-chain.

    Errors: `unknown-node`; `not-an-anti-chain`, naming the older node first, then the newer one.
    Clauses: HM-TEMP-ANTI-CHAIN
    Source: "General merge", assumption 1
    """
    x = fast_admitted(graph, nodes, reading)
    inner = x - fast_maximal(graph, x)
    if inner:
        older = min(inner)
        newer = min(node for node in x if node != older and fast_before(graph, older, node))
        raise not_an_anti_chain(older, newer)
    return x


def _fold_recurse(
    scratch: Graph[S], x: frozenset[str], states: StateType[S], reading: Reading
) -> Merging[S]:
    three_way_merge = states.merging_by(reading.set_merge)
    merged, *rest = reading.folded(x)
    for node in rest:
        o = yield from _origin(scratch, fast_lca2(scratch, merged, node), states)
        state = three_way_merge(o, scratch.state(merged), scratch.state(node))
        merged = new_temp_node(scratch, state, frozenset({merged, node}))
    return scratch.state(merged)


def _recurse_fold(
    graph: Graph[S], x: frozenset[str], states: StateType[S], reading: Reading
) -> Merging[S]:
    o = yield from _origin(graph, fast_lca(graph, x), states)
    three_way_merge = states.merging_by(reading.set_merge)
    merged, *rest = (graph.state(node) for node in reading.folded(x))
    for state in rest:
        merged = three_way_merge(o, merged, state)
    return merged


def _origin(graph: Graph[S], origins: frozenset[str], states: StateType[S]) -> Merging[S]:
    if len(origins) < 2:  # base case: the merge of one node by recurse-fold would wait for itself
        return state_of(graph, origins, states)
    return (yield origins)
