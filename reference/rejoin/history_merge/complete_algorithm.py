"""The merge of any set of nodes of a history: lcaU, mergeU, merge_ and merge.

The document's four functions, line by line (lcaU stands in `lcau`). Two things are put another
way. "merge(G, O)" inside mergeU is `yield origins`: the evaluation sends the merged state of these
ancestors back, so that no history is too deep (see `evaluation`). And merge_, which calls itself in
its last line, is a loop. The parameter that the document calls `as` is `a_state`; beside A goes
anc*(A), which lcaU would have to collect anew for each node.
"""

from __future__ import annotations

from collections.abc import Iterable
from collections.abc import Set as AbstractSet

from rejoin.history_merge.errors import repeated
from rejoin.history_merge.evaluation import MergeCache, Merging, evaluate
from rejoin.history_merge.graph import Graph, S, require_known
from rejoin.history_merge.index_sets import NOTHING, IndexSet
from rejoin.history_merge.lcau import lca_u_of_past
from rejoin.history_merge.partial_orders import before, maximal, not_an_anti_chain
from rejoin.history_merge.readings import DOCUMENT, Reading
from rejoin.history_merge.three_way_merge import StateType


def merge(
    graph: Graph[S],
    nodes: Iterable[str],
    states: StateType[S],
    reading: Reading = DOCUMENT,
    cache: MergeCache[S] | None = None,
) -> S:
    """merge[G](X): the state that a set of nodes has together.

    The empty set has the default state, one node its own. The cache, where one is given, must be of
    this graph, type of state and reading.

    Errors: `unknown-node`; `not-an-anti-chain`, naming the older node first, then the newer one;
    `not-a-fold-order`; whatever the 3-way merge refuses.
    Clauses: HM-MERGE-EMPTY, HM-MERGE-ONE, HM-MERGE-HISTORY, HM-MERGE-ANY-TYPE,
        HM-MERGE-CONFLICT-FREE, HM-MERGE-IDEMPOTENT, HM-MERGE-ORDER-FREE, HM-MERGE-ASSOCIATIVE,
        HM-MERGE-REDUNDANT-PARENTS
    Source: "Complete algorithm", merge
    """
    return evaluate(
        admitted(graph, nodes, reading),
        lambda x: merge_(graph, x, states, reading),
        cache,
    )


def admitted(graph: Graph[S], nodes: Iterable[str], reading: Reading) -> frozenset[str]:
    """X as the reading lets it into the algorithm: nodes of G, each once, or only the maximal ones.

    Errors: `unknown-node`; `not-an-anti-chain` where a node stands twice.
    Clauses: HM-ORDER-KNOWN-NODES, HM-MERGE-DUPLICATE, HM-MERGE-REDUCED
    Source: "General merge", assumption 2; "Complete algorithm", footnote 2
    """
    listed = tuple(nodes)
    require_known(graph, listed)
    if reading.anti_chain_check == "reduce":
        return maximal(graph, listed)
    x = frozenset(listed)
    if len(x) < len(listed):
        double = repeated(listed)
        raise not_an_anti_chain(double[0], double[0])
    return x


def merge_(
    graph: Graph[S], b_nodes: frozenset[str], states: StateType[S], reading: Reading
) -> Merging[S]:
    """merge_(G, B, A, as): fold the nodes of B into A, one after the other.

    Clauses: HM-MERGE-FOLD, HM-FOLD-ASCENDING, HM-FOLD-RANKED
    Source: "Complete algorithm", merge_
    """
    a: set[str] = set()
    a_past = NOTHING
    a_state = states.default_state
    for b in reading.folded(b_nodes):  # b = choose_any_element(B)
        a_state = yield from merge_u(graph, a, a_past, a_state, b, states)
        a.add(b)
        a_past |= graph.past(b)
    return a_state


def merge_u(
    graph: Graph[S],
    a: AbstractSet[str],
    a_past: IndexSet,
    a_state: S,
    b: str,
    states: StateType[S],
) -> Merging[S]:
    """mergeU(G, A, as, b): the state of the nodes A, which is `a_state`, merged with node b.

    Clauses: HM-MERGE-STEP, HM-MERGE-ORIGIN, HM-MERGE-NO-ORIGIN
    Source: "Complete algorithm", mergeU
    """
    if not a:
        return graph.state(b)
    origins = lca_u_of_past(graph, a_past, b)
    check(graph, origins, a, b)
    o = yield origins
    return states.three_way_merge(o, a_state, graph.state(b))


def check(graph: Graph[S], origins: frozenset[str], a: AbstractSet[str], b: str) -> None:
    """CHECK( O & (A | {b}) is empty ): b is causally independent of every node of A.

    Errors: `not-an-anti-chain`, naming the older node, then the newer one.
    Clauses: HM-MERGE-CHECK, HM-MERGE-CHECK-NAMES
    Source: "Complete algorithm", anti-chain check
    """
    if b in origins:
        raise not_an_anti_chain(b, min(node for node in a if before(graph, b, node)))
    older = origins & a
    if older:
        raise not_an_anti_chain(min(older), b)
