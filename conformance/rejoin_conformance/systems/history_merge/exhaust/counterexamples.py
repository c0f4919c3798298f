"""The smallest counterexamples, up to isomorphism, as the reference computes them.

Two histories are isomorphic if renaming the nodes of one, in an order of creation, gives the other:
the same parents, and the same nodes that change the element. In a smallest counterexample, the
first nodes alone do not break the claim. The merges of the parents of its nodes then have one
result each, and renaming the nodes changes no state. Only the order of a whole set can matter.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import combinations, permutations
from typing import Final, TypeAlias

from attrs import frozen

from rejoin.history_merge import (
    DOCUMENT,
    SETS,
    Graph,
    Node,
    Reading,
    folding_by,
    is_anti_chain,
    merge,
    ranked,
)
from rejoin_conformance.kit.dag_drawing import draw_dag
from rejoin_conformance.kit.json_types import Json, JsonObject
from rejoin_conformance.systems.history_merge.outcome import shown

ELEMENT: Final = "x"
State: TypeAlias = frozenset[str]
Parents: TypeAlias = tuple[tuple[int, ...], ...]
"""The parents of the nodes 1 .. K."""

IN: Final = frozenset([ELEMENT])


def history(
    parents: Parents, changes: tuple[bool, ...], reading: Reading = DOCUMENT
) -> Graph[State]:
    """Return the history of a DAG. changes: whether each node flips the merge of its parents."""
    graph: Graph[State] = Graph()
    graph.add(Node("0", frozenset(), frozenset()))
    for number, (above, change) in enumerate(zip(parents, changes, strict=True), start=1):
        names = frozenset(str(parent) for parent in above)
        merged = merge(graph, names, SETS, reading)
        graph.add(Node(str(number), names, merged ^ IN if change else merged))
    return graph


def anti_chains(graph: Graph[State]) -> list[tuple[str, ...]]:
    """Return every non-empty anti-chain of a history."""
    names = [node.id for node in graph]
    return [
        chosen
        for size in range(1, len(names) + 1)
        for chosen in combinations(names, size)
        if is_anti_chain(graph, chosen)
    ]


def with_new_node(
    graph: Graph[State], parents: tuple[str, ...], state: State
) -> tuple[Graph[State], str]:
    """Return the history with one more node, whose ID sorts after all others, and its ID."""
    extended, name = graph.copy(), str(len(graph))
    extended.add(Node(name, frozenset(parents), state))
    return extended, name


def splits(chain: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], tuple[str, ...]]]:
    """Yield every split of an anti-chain into A, of at least two nodes, and B, of at least one."""
    for size in range(2, len(chain)):
        for a in combinations(chain, size):
            yield a, tuple(node for node in chain if node not in a)


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
    by_order = [(chain, _by_order(graph, chain)) for chain in chains]
    return {
        "nodes": [
            {"id": node.id, "parents": _listed(node.parents), "state": _listed(node.state)}
            for node in graph
        ],
        "sets": [
            {"nodes": _listed(chain), "results": results}
            for chain, results in by_order
            if len(results) > 1
        ],
        "splits": [split for chain in chains for split in _failing_splits(graph, chain)],
        "drawing": _drawing(case, graph),
    }


def _by_order(graph: Graph[State], chain: tuple[str, ...]) -> list[Json]:
    """Return each result of merging an anti-chain, with its fold orders; the rarest first."""
    orders: dict[State, list[Json]] = {}
    for order in permutations(chain):
        state = merge(graph, chain, SETS, folding_by(ranked(order)))
        orders.setdefault(state, []).append([*order])
    found = sorted(orders.items(), key=lambda item: (len(item[1]), sorted(item[0])))
    return [{"state": _listed(state), "orders": each} for state, each in found]


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
        notes[number] = f"{shown(state)}  {done}".rstrip()
    return draw_dag(dag, {number: str(number) for number in dag}, notes)
