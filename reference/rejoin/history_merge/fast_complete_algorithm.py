"""The merge of any set of nodes of a history of any size and depth.

The result is that of `complete_algorithm`. Three properties make the evaluation fast and safe:

- Sets of ancestors are index sets, and the fold passes anc*(A) along for lcaU.
- A merge is a generator. Where the document calls merge(G, O), the generator yields O and receives
  the merged state. Merges that wait for another merge are in a list, not on the call stack, so no
  history is too deep.
- One evaluation merges every set only once. Otherwise, the time grows exponentially with the rows
  of a wide criss-cross. A `MergeCache` keeps the merged states for later evaluations.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Generator, Iterable
from collections.abc import Set as AbstractSet
from typing import Any, Generic, TypeAlias

from attrs import field, frozen

from rejoin.history_merge.complete_algorithm import admitted
from rejoin.history_merge.errors import not_an_anti_chain
from rejoin.history_merge.fast_partial_orders import (
    fast_before,
    fast_lca_u_of_past,
    fast_maximal,
)
from rejoin.history_merge.graph import Graph, S
from rejoin.history_merge.index_sets import NOTHING
from rejoin.history_merge.reading import DOCUMENT, Reading
from rejoin.history_merge.three_way_merge import StateType

Merging: TypeAlias = Generator[frozenset[str], S, S]
"""A merge in progress: it yields sets of nodes, receives their merged states, and returns one."""

MergeSteps: TypeAlias = Callable[[frozenset[str]], Merging[S]]
"""Starts the merge of a set of nodes."""


@frozen(eq=False)
class MergeCache(Generic[S]):
    """The merged states of sets of nodes; a full cache drops the least recently used set.

    A new node is never an ancestor of an older one, so an entry never becomes wrong. Dropping an
    entry costs time and has no other effect. One cache serves one graph, one type of state and one
    reading. Sets of fewer than two nodes are not cached, because their merge costs nothing.

    capacity: the largest number of cached sets, or None for no limit.

    Clauses: HM-ACCEPT-CACHE
    Source: "Complete algorithm", note on the LRU cache
    """

    capacity: int | None = None
    _states: OrderedDict[frozenset[str], S] = field(factory=OrderedDict, init=False)

    def __len__(self) -> int:
        return len(self._states)

    def __contains__(self, nodes: object) -> bool:
        return nodes in self._states

    def recall(self, nodes: frozenset[str]) -> S:
        """Return the merged state of a set of nodes that the cache contains."""
        self._states.move_to_end(nodes)
        return self._states[nodes]

    def keep(self, nodes: frozenset[str], state: S) -> None:
        """Cache the merged state of a set of nodes."""
        if len(nodes) < 2:
            return
        self._states[nodes] = state
        self._states.move_to_end(nodes)
        if self.capacity is not None and len(self._states) > self.capacity:
            self._states.popitem(last=False)


def fast_merge(
    graph: Graph[S],
    nodes: Iterable[str],
    states: StateType[S],
    reading: Reading = DOCUMENT,
    cache: MergeCache[S] | None = None,
) -> S:
    """Return merge[G](X): the merged state of a set of nodes.

    cache: must belong to this graph, type of state and reading.

    Errors: as `merge`.
    Clauses: HM-MERGE-EMPTY, HM-MERGE-ONE, HM-MERGE-HISTORY, HM-MERGE-ANY-TYPE,
        HM-MERGE-CONFLICT-FREE, HM-MERGE-IDEMPOTENT, HM-MERGE-ORDER-FREE, HM-MERGE-AGREEMENT,
        HM-MERGE-NO-UNDO, HM-MERGE-ASSOCIATIVE, HM-MERGE-REDUNDANT-PARENTS, HM-RECURSE-FOLD-DIFFERS
    Source: "Complete algorithm", merge
    """
    x = fast_admitted(graph, nodes, reading)
    if len(x) < 2:
        return state_of(graph, x, states)
    return evaluate(x, lambda x: fast_merge_steps(graph, x, states, reading), cache)


def state_of(graph: Graph[S], nodes: frozenset[str], states: StateType[S]) -> S:
    """Return the merge of at most one node, which has no order: its state, or the default state.

    Clauses: HM-MERGE-EMPTY, HM-MERGE-ONE
    Source: "Complete algorithm", merge
    """
    for only in nodes:
        return graph.state(only)
    return states.default_state


def fast_admitted(graph: Graph[S], nodes: Iterable[str], reading: Reading) -> frozenset[str]:
    """Return the set X to merge: the given nodes, or only the maximal ones if the reading reduces.

    Errors: `unknown-node`; `not-an-anti-chain` if a node is listed twice.
    Clauses: HM-ORDER-KNOWN-NODES, HM-MERGE-DUPLICATE, HM-MERGE-REDUCED
    """
    if reading.anti_chain_check == "reduce":
        return fast_maximal(graph, nodes)
    return admitted(graph, nodes, reading)


def fast_merge_steps(
    graph: Graph[S], b_nodes: frozenset[str], states: StateType[S], reading: Reading
) -> Merging[S]:
    """Run merge_(G, B, {}, default-state) as a loop: fold the nodes of B into A, one by one.

    Each round of the loop is mergeU(G, A, as, b), given a_past = anc*(A).

    Clauses: HM-MERGE-FOLD, HM-FOLD-ASCENDING, HM-FOLD-RANKED, HM-MERGE-STEP, HM-MERGE-ORIGIN,
        HM-MERGE-NO-ORIGIN, HM-MERGE-CHECK-RETURNS
    Source: "Complete algorithm", merge_ and mergeU
    """
    a_nodes: set[str] = set()
    a_past = NOTHING
    a_state = states.default_state
    for b in reading.folded(b_nodes):
        if not a_nodes:
            a_state = graph.state(b)
        else:
            origins = fast_lca_u_of_past(graph, a_past, b)
            if fast_check(graph, origins, a_nodes, b, reading):
                o = (yield origins) if len(origins) > 1 else state_of(graph, origins, states)
                a_state = reading.three_way_merge(states, o, a_state, graph.state(b))
        a_nodes.add(b)
        a_past |= graph.pasts.of(b)
    return a_state


def fast_check(
    graph: Graph[S], origins: frozenset[str], a_nodes: AbstractSet[str], b: str, reading: Reading
) -> bool:
    """CHECK( O & (A | {b}) is empty ): return whether mergeU goes on with b.

    Errors: `not-an-anti-chain`, naming the older node first, then the newer one.
    Clauses: HM-MERGE-CHECK, HM-MERGE-CHECK-NAMES, HM-MERGE-CHECK-CONTINUES,
        HM-MERGE-CHECK-RETURNS, HM-MERGE-CHECK-NOT-ENOUGH
    Source: "Complete algorithm", anti-chain check and footnote 2
    """
    if (b not in origins and origins.isdisjoint(a_nodes)) or reading.anti_chain_check == "continue":
        return True
    if reading.anti_chain_check == "return-as":
        return False
    if b in origins:
        raise not_an_anti_chain(b, min(a for a in a_nodes if fast_before(graph, b, a)))
    raise not_an_anti_chain(min(origins & a_nodes), b)


def evaluate(
    nodes: frozenset[str], merge_steps: MergeSteps[S], cache: MergeCache[S] | None = None
) -> S:
    """Return the merged state of a set of nodes, after running every merge that it needs.

    An exception in a step propagates. One evaluation merges no set twice, whatever the capacity of
    the cache.

    Clauses: HM-MERGE-DEEP, HM-MERGE-WIDE
    Source: "Complete algorithm", note on stack overflow
    """
    if cache is not None and nodes in cache:
        return cache.recall(nodes)
    found: dict[frozenset[str], S] = {}
    waiting: list[tuple[frozenset[str], Merging[S]]] = []
    merged, merging = nodes, merge_steps(nodes)
    answer: Any = None  # the state that the merge needs, once it has asked for one
    while True:
        try:
            wanted = merging.send(answer)
        except StopIteration as finished:
            state: S = finished.value
            found[merged] = state
            if cache is not None:
                cache.keep(merged, state)
            if not waiting:
                return state
            merged, merging = waiting.pop()
            answer = state
            continue
        answer = None
        if wanted in found:
            answer = found[wanted]
        elif cache is not None and wanted in cache:
            answer = cache.recall(wanted)
        else:
            waiting.append((merged, merging))
            merged, merging = wanted, merge_steps(wanted)
