"""Deliberate faults in the fast evaluation of the history merge; the tests must find each one."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from attrs import evolve, frozen

from rejoin.history_merge import (
    SETS,
    Graph,
    MergeCache,
    OperationalEdge,
    Session,
    StateType,
    fast_lca2,
    operational_edges,
    transitive_reduction,
)
from rejoin.history_merge.fast_complete_algorithm import (
    fast_check,
    fast_merge_steps,
)
from rejoin.history_merge.fast_partial_orders import fast_lca_u_of_past
from rejoin.history_merge.index_sets import IndexSet


@frozen
class Mutant:
    """A change of one function of the reference, and the laws that it must break.

    original: the function to replace wherever it is imported, or the function that is an attribute
    of `owner`, a class or a value.
    """

    name: str
    original: Callable[..., Any]
    changed: Callable[..., Any]
    breaks: frozenset[str]
    owner: Any = None


@contextmanager
def mutated(mutant: Mutant) -> Iterator[None]:
    """Apply the change to the reference until the block ends."""
    places = _places(mutant)
    changed = mutant.changed
    try:
        for owner, name in places:
            _set(owner, name, changed)
        yield
    finally:
        for owner, name in places:
            _set(owner, name, mutant.original)


def _places(mutant: Mutant) -> list[tuple[Any, str]]:
    if mutant.owner is not None:
        return [(mutant.owner, mutant.original.__name__)]
    return [
        (module, name)
        for key, module in list(sys.modules.items())
        if "history_merge" in key and key != __name__
        for name, value in list(vars(module).items())
        if value is mutant.original
    ]


def _set(owner: Any, name: str, value: Any) -> None:
    if isinstance(owner, StateType):
        object.__setattr__(owner, "three_way_merge", value)
    else:
        setattr(owner, name, value)


def _first_origin_only(graph: Graph[Any], a_past: IndexSet, b: str) -> frozenset[str]:
    return frozenset(sorted(graph.pasts.maximal(a_past & graph.pasts.of(b)))[:1])


def _fold_that_forgets(graph: Any, b_nodes: Any, states: Any, reading: Any) -> Any:
    before, a_state = None, states.default_state
    for b in reading.folded(b_nodes):
        if before is None:
            a_state = graph.state(b)
        else:
            origins = fast_lca_u_of_past(graph, graph.pasts.of(before), b)
            fast_check(graph, origins, {before}, b, reading)
            a_state = reading.three_way_merge(states, (yield origins), a_state, graph.state(b))
        before = b
    return a_state


_keep = MergeCache.keep


def _keep_too_much(self: MergeCache[Any], nodes: frozenset[str], state: Any) -> None:
    _keep(self, nodes, state)
    if len(nodes) > 2:
        _keep(self, frozenset(sorted(nodes)[:2]), state)


def _accept_before_the_check(self: Session[Any], message: Any) -> Any:
    self.graph.add(message)
    return self.merge(message.parents)


_accept = Session.accept


def _accept_twice(self: Session[Any], message: Any) -> Any:
    if message.id in self.graph:
        return self.merge(message.parents)
    return _accept(self, message)


def _last_head_only(self: Session[Any]) -> Any:
    return self.merge(list(self.graph._heads)[-1:])


def _never_virtual(*given: Any) -> tuple[OperationalEdge[Any], ...]:
    edges = _operational_edges(*given)
    return tuple(evolve(edge, virtual=False) for edge in edges)


_operational_edges = operational_edges


def _one_origin_of_two(graph: Graph[Any], a: str, b: str) -> frozenset[str]:
    return frozenset(sorted(graph.pasts.maximal(graph.pasts.of(a) & graph.pasts.of(b)))[-1:])


MUTANTS = (
    Mutant(
        "of several origins only the first",
        fast_lca_u_of_past,
        _first_origin_only,
        frozenset(
            {
                "counters-count-once",
                "temporary-nodes-agree",
                "evaluations-agree",
                "last-operations-count",
                "order-independence",
                "associativity",
            }
        ),
    ),
    Mutant(
        "a fold that forgets what it has merged",
        fast_merge_steps,
        _fold_that_forgets,
        frozenset({"counters-count-once", "temporary-nodes-agree"}),
    ),
    Mutant(
        "no anti-chain check",
        fast_check,
        lambda *_: None,
        frozenset({"reduced-sets", "refusals-change-nothing"}),
    ),
    Mutant(
        "a cache that keeps too much",
        MergeCache.keep,
        _keep_too_much,
        frozenset({"cache-changes-nothing", "only-the-past-counts", "unanimity"}),
        owner=MergeCache,
    ),
    Mutant(
        "a refused message that stays",
        Session.accept,
        _accept_before_the_check,
        frozenset({"refusals-change-nothing"}),
        owner=Session,
    ),
    Mutant(
        "a message that is accepted twice",
        Session.accept,
        _accept_twice,
        frozenset({"refusals-change-nothing"}),
        owner=Session,
    ),
    Mutant(
        "the last head decides",
        Session.members,
        _last_head_only,
        frozenset({"delivery-order-means-nothing", "members-of-a-view"}),
        owner=Session,
    ),
    Mutant(
        "edges that are never virtual",
        operational_edges,
        _never_virtual,
        frozenset({"operational-edges"}),
    ),
    Mutant(
        "temporary nodes over one origin",
        fast_lca2,
        _one_origin_of_two,
        frozenset({"temporary-nodes-agree"}),
    ),
    Mutant(
        "a merge that never removes",
        SETS.three_way_merge,
        lambda _o, a, b: a | b,
        frozenset({"last-operations-count", "elements-are-independent", "three-way-merge"}),
        owner=SETS,
    ),
    Mutant(
        "a merge that favours one side",
        SETS.three_way_merge,
        lambda o, a, b: b if a == o else a,
        frozenset({"elements-are-independent", "three-way-merge"}),
        owner=SETS,
    ),
    Mutant(
        "a reduction that leaves all parents",
        transitive_reduction,
        tuple,
        frozenset({"redundant-parents-mean-nothing"}),
    ),
)
