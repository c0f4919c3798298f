"""The smallest counterexamples, up to isomorphism, as the reference computes them.

Two histories are isomorphic if renaming the nodes of one, in an order of creation, gives the other:
the same parents, and the same nodes that change the element. In a smallest counterexample, the
first nodes alone do not break the claim. The merges of the parents of its nodes then have one
result each, and renaming the nodes changes no state.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import permutations

from attrs import frozen

from rejoin.history_merge import SETS, Graph, folding_by, merge, ranked
from rejoin_conformance.kit.dag_drawing import draw_dag
from rejoin_conformance.kit.json_types import Json, JsonObject
from rejoin_conformance.systems.history_merge.exhaust.plain import (
    IN,
    Parents,
    State,
    anti_chains,
    history,
    possible_merges,
    splits,
    with_new_node,
)


@frozen(order=True)
class Case:
    """One history: for each of the nodes 1 .. K its parents, and whether it changes the element."""

    parents: Parents
    changes: tuple[bool, ...]


def canonical(case: Case) -> Case:
    """Return the least of all histories that are isomorphic to this one."""
    return min(_renamed(case, (0,)))


def _renamed(case: Case, order: tuple[int, ...]) -> Iterator[Case]:
    """Yield the history with its nodes renamed, for each order of creation that starts as given."""
    if len(order) > len(case.parents):
        new_name = {node: place for place, node in enumerate(order)}
        yield Case(
            tuple(
                tuple(sorted(new_name[parent] for parent in case.parents[node - 1]))
                for node in order[1:]
            ),
            tuple(case.changes[node - 1] for node in order[1:]),
        )
        return
    for node, parents in enumerate(case.parents, start=1):
        if node not in order and all(parent in order for parent in parents):
            yield from _renamed(case, (*order, node))


def described(case: Case) -> JsonObject:
    """Return a counterexample as the reference computes it: its nodes, and where the claims fail.

    sets: each anti-chain whose merge depends on the order, with the fold orders of each result.
    splits: each A and B for which associativity fails in ascending order, with both results.
    """
    graph = history(case.parents, case.changes)
    chains = anti_chains(graph)
    nodes: list[Json] = [
        {"id": node.id, "parents": _listed(node.parents), "state": _listed(node.state)}
        for node in graph
    ]
    return {
        "nodes": nodes,
        "sets": [
            _by_order(graph, each) for each in chains if len(possible_merges(graph, each)) > 1
        ],
        "splits": [split for chain in chains for split in _failing_splits(graph, chain)],
        "drawing": _drawing(case, graph),
    }


def _by_order(graph: Graph[State], chain: tuple[str, ...]) -> JsonObject:
    orders: dict[State, list[Json]] = {}
    for order in permutations(chain):
        state = merge(graph, chain, SETS, folding_by(ranked(order)))
        orders.setdefault(state, []).append([*order])
    results: list[Json] = [
        {"state": _listed(state), "orders": found}
        for state, found in sorted(orders.items(), key=lambda item: (len(item[1]), sorted(item[0])))
    ]
    return {"nodes": _listed(chain), "results": results}


def _failing_splits(graph: Graph[State], chain: tuple[str, ...]) -> Iterator[JsonObject]:
    together = merge(graph, chain, SETS)
    for a, b in splits(chain):
        extended, name = with_new_node(graph, a, merge(graph, a, SETS))
        over = merge(extended, (name, *b), SETS)
        if over != together:
            named = {"a": a, "b": b, "together": together, "over_new_node": over}
            yield {each: _listed(names) for each, names in named.items()}


def _listed(names: Iterable[str]) -> list[Json]:
    return [*sorted(names)]


def _drawing(case: Case, graph: Graph[State]) -> str:
    dag = dict(enumerate([(), *case.parents]))
    notes = {}
    for number, change in enumerate([False, *case.changes]):
        state = graph.state(str(number))
        done = ("adds x" if state == IN else "removes x") if change else ""
        notes[number] = f"{{{', '.join(sorted(state))}}}  {done}".rstrip()
    return draw_dag(dag, {number: str(number) for number in dag}, notes)
