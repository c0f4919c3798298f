"""The merge of any set of nodes of a history: mergeU, merge_ and merge, as in the document.

The functions have the document's names, order and arguments, apart from these points:

- Python spells mergeU `merge_u` and CHECK `check`. The argument `as` is a reserved word and becomes
  `a_state`. The sets A and B are `a_nodes` and `b_nodes`. lcaU is in the module `lcau`.
- The document assumes one type of state and leaves `choose_any_element` open. Here, the type of
  state (its 3-way merge and default state) and the reading (the fold order) are two more arguments.
- `merge` checks its input first: it refuses unknown nodes and repeated nodes.

The functions call each other as in the document. They cache nothing, so the time can grow
exponentially with the size of the history, and the depth of the calls grows with it too. They are
for histories of at most `any_size.LITERAL_NODES` nodes. `any_size.merge` works for all histories.
"""

from __future__ import annotations

from collections.abc import Iterable

from rejoin.history_merge.errors import not_an_anti_chain, repeated
from rejoin.history_merge.graph import Graph, S, require_known
from rejoin.history_merge.lcau import lca_u
from rejoin.history_merge.partial_orders import before, maximal
from rejoin.history_merge.reading import DOCUMENT, Reading
from rejoin.history_merge.three_way_merge import StateType


def merge_u(
    graph: Graph[S],
    a_nodes: frozenset[str],
    a_state: S,
    b: str,
    states: StateType[S],
    reading: Reading,
) -> S:
    """Return mergeU(G, A, as, b): the merge of the nodes A, which is `a_state`, with node b.

    Errors: as `merge`.
    Clauses: HM-MERGE-STEP, HM-MERGE-ORIGIN, HM-MERGE-NO-ORIGIN, HM-MERGE-CHECK-RETURNS
    Source: "Complete algorithm", mergeU
    """
    if not a_nodes:
        return graph.state(b)
    origins = lca_u(graph, a_nodes, b)  # calculate parent node(s), for 3-way-merge
    if not check(graph, origins, a_nodes, b, reading):
        return a_state
    o = merge(graph, origins, states, reading)  # recurse up, to ancestors
    return reading.three_way_merge(states, o, a_state, graph.state(b))


def merge_(
    graph: Graph[S],
    b_nodes: frozenset[str],
    a_nodes: frozenset[str],
    a_state: S,
    states: StateType[S],
    reading: Reading,
) -> S:
    """Return merge_(G, B, A, as): the merge of `a_state` with all nodes of B.

    `a_state` is the merged state of the nodes A.

    Errors: as `merge`.
    Clauses: HM-MERGE-FOLD
    Source: "Complete algorithm", merge_
    """
    if not b_nodes:
        return a_state
    b = choose_any_element(b_nodes, reading)
    s = merge_u(graph, a_nodes, a_state, b, states, reading)
    return merge_(graph, b_nodes - {b}, a_nodes | {b}, s, states, reading)  # recurse sideways


def merge(
    graph: Graph[S], nodes: Iterable[str], states: StateType[S], reading: Reading = DOCUMENT
) -> S:
    """Return merge[G](X): the merged state of a set of nodes.

    The merge of the empty set is the default state, and the merge of one node is its state.

    Errors: `unknown-node`; `not-an-anti-chain`, naming the older node first, then the newer one;
    `not-a-fold-order`; and any refusal by the 3-way merge.
    Clauses: HM-MERGE-EMPTY, HM-MERGE-ONE, HM-MERGE-HISTORY, HM-MERGE-ANY-TYPE,
        HM-MERGE-CONFLICT-FREE, HM-MERGE-IDEMPOTENT, HM-MERGE-ORDER-FREE, HM-MERGE-AGREEMENT,
        HM-MERGE-NO-UNDO, HM-MERGE-ASSOCIATIVE, HM-MERGE-REDUNDANT-PARENTS, HM-RECURSE-FOLD-DIFFERS
    Source: "Complete algorithm", merge
    """
    x = admitted(graph, nodes, reading)
    return merge_(graph, x, frozenset(), states.default_state, states, reading)


def check(
    graph: Graph[S], origins: frozenset[str], a_nodes: frozenset[str], b: str, reading: Reading
) -> bool:
    """CHECK( O & (A | {b}) is empty ): return whether mergeU goes on with b.

    If b is not causally independent of A, it is refused. Under two readings it is not: `continue`
    goes on, and `return-as` does not.

    Errors: `not-an-anti-chain`, naming the older node first, then the newer one.
    Clauses: HM-MERGE-CHECK, HM-MERGE-CHECK-NAMES, HM-MERGE-CHECK-CONTINUES,
        HM-MERGE-CHECK-RETURNS, HM-MERGE-CHECK-NOT-ENOUGH
    Source: "Complete algorithm", anti-chain check and footnote 2
    """
    if not origins & (a_nodes | {b}) or reading.anti_chain_check == "continue":
        return True
    if reading.anti_chain_check == "return-as":
        return False
    if b in origins:
        raise not_an_anti_chain(b, min(a for a in a_nodes if before(graph, b, a)))
    raise not_an_anti_chain(min(origins & a_nodes), b)


def choose_any_element(nodes: frozenset[str], reading: Reading) -> str:
    """Return the node of a non-empty set that comes first in the fold order of the reading.

    Errors: `not-a-fold-order`.
    Clauses: HM-FOLD-ASCENDING, HM-FOLD-RANKED
    Source: "Complete algorithm", choose_any_element
    """
    return reading.folded(nodes)[0]


def admitted(graph: Graph[S], nodes: Iterable[str], reading: Reading) -> frozenset[str]:
    """Return the set X to merge: the given nodes, or only the maximal ones if the reading reduces.

    A node that is listed twice counts once, unless the reading refuses it.

    Errors: `unknown-node`; `not-an-anti-chain` if a node is listed twice.
    Clauses: HM-ORDER-KNOWN-NODES, HM-MERGE-DUPLICATE, HM-MERGE-REDUCED, HM-MERGE-CHECK-CONTINUES
    Source: "General merge", assumption 2; "Complete algorithm", footnote 2
    """
    listed = tuple(nodes)
    x = frozenset(listed)
    require_known(graph, x)
    if reading.anti_chain_check == "reduce":
        return maximal(graph, x)
    if len(x) < len(listed) and reading.anti_chain_check == "reject":
        double = repeated(listed)[0]
        raise not_an_anti_chain(double, double)
    return x
