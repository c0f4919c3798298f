"""The plain search: one history at a time, with every merge carried out by the reference.

Histories are graphs of the reference, node IDs are decimal numbers, and the fold orders are tried
one after the other. For large bounds it is too slow; tests compare the kernel with it.

It describes counterexamples up to isomorphism: two histories are isomorphic if renaming the nodes
of one, in an order of creation, gives the other: the same parents, and the same nodes that change
the element. In a smallest counterexample, the first nodes alone do not break the claim. The merges
of the parents of its nodes then have one result each, and renaming the nodes changes no state.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, permutations, product
from math import factorial
from typing import Final, TypeAlias

from attrs import define, field, frozen

from rejoin.history_merge import (
    DOCUMENT,
    SETS,
    Graph,
    Node,
    Reading,
    fast_merge,
    folding_by,
    is_anti_chain,
    merge,
    ranked,
)
from rejoin_conformance.kit.dag_drawing import draw_dag
from rejoin_conformance.kit.json_types import Json, JsonObject
from rejoin_conformance.systems.history_merge.exhaust.bits import Pattern
from rejoin_conformance.systems.history_merge.exhaust.dags import Dag, parents_of
from rejoin_conformance.systems.history_merge.exhaust.premises import Happened

ELEMENT: Final = "x"
State: TypeAlias = frozenset[str]
Parents: TypeAlias = tuple[tuple[int, ...], ...]
"""The parents of the nodes 1 .. K."""

IN: Final = frozenset([ELEMENT])


def every_history(nodes: int, reading: Reading = DOCUMENT) -> Iterator[Graph[State]]:
    """Yield every history of a root and that many further nodes."""
    for parents in every_dag(nodes):
        for changes in product((False, True), repeat=nodes):
            yield history(parents, changes, reading)


def every_dag(nodes: int) -> Iterator[Parents]:
    """Yield the parents of the nodes of every DAG: any non-empty anti-chain of earlier nodes."""
    if nodes == 0:
        yield ()
        return
    for parents in every_dag(nodes - 1):
        graph = history(parents, (False,) * (nodes - 1))
        for chosen in anti_chains(graph):
            yield (*parents, tuple(int(node) for node in chosen))


def history(
    parents: Parents, changes: tuple[bool, ...], reading: Reading = DOCUMENT
) -> Graph[State]:
    """Return the history of a DAG. changes: whether each node flips the merge of its parents."""
    graph: Graph[State] = Graph()
    graph.add(Node("0", frozenset(), frozenset()))
    for number, (above, change) in enumerate(zip(parents, changes, strict=True), start=1):
        names = frozenset(str(parent) for parent in above)
        merged = fast_merge(graph, names, SETS, reading)
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


@define
class _Choices:
    """A fold order that follows a script of choices, one for each set that is folded."""

    script: list[int]
    asked: list[int] = field(factory=list)

    def __call__(self, nodes: frozenset[str]) -> tuple[str, ...]:
        orders = factorial(len(nodes))
        if len(self.asked) == len(self.script):
            self.script.append(0)
        chosen = self.script[len(self.asked)]
        self.asked.append(orders)
        return list(permutations(sorted(nodes)))[chosen]


def possible_merges(
    graph: Graph[State], nodes: tuple[str, ...], reading: Reading = DOCUMENT
) -> frozenset[State]:
    """Return the merges of a set of nodes, over all fold orders of it and of all inner merges."""
    results = set()
    script: list[int] = []
    while True:
        choices = _Choices(script)
        results.add(fast_merge(graph, nodes, SETS, folding_by(choices, reading)))
        script = _next_script(choices)
        if not script:
            return frozenset(results)


def _next_script(choices: _Choices) -> list[int]:
    """Return the next script in counting order; empty after the last one."""
    script = list(choices.script)
    while script and script[-1] == choices.asked[len(script) - 1] - 1:
        script.pop()
    if script:
        script[-1] += 1
    return script


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


# Counterexamples.


@frozen(order=True)
class Case:
    """One history: for each of the nodes 1 .. K its parents, and whether it changes the element."""

    parents: Parents
    changes: tuple[bool, ...]


def case_of(dag: Dag, happened: Happened, pattern: Pattern) -> Case:
    """Return the history of a DAG under a pattern. happened: the operations in its histories."""
    operations = zip(happened.additions[1:], happened.removals[1:], strict=True)
    return Case(
        parents_of(dag),
        tuple(bool((added | removed) >> pattern & 1) for added, removed in operations),
    )


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
    sets: list[Json] = [
        _by_order(graph, chain) for chain in chains if len(possible_merges(graph, chain)) > 1
    ]
    failing: list[Json] = [split for chain in chains for split in _failing_splits(graph, chain)]
    return {"nodes": nodes, "sets": sets, "splits": failing, "drawing": _drawing(case, graph)}


def _by_order(graph: Graph[State], chain: tuple[str, ...]) -> JsonObject:
    orders: dict[State, list[Json]] = {}
    for order in permutations(chain):
        state = merge(graph, chain, SETS, folding_by(ranked(order)))
        orders.setdefault(state, []).append(list(order))
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
            yield {
                "a": _listed(a),
                "b": _listed(b),
                "together": _listed(together),
                "over_new_node": _listed(over),
            }


def _listed(names: frozenset[str] | tuple[str, ...]) -> list[Json]:
    return [*sorted(names)]


def _drawing(case: Case, graph: Graph[State]) -> str:
    dag: dict[int, tuple[int, ...]] = {0: ()}
    notes = {0: "{}"}
    for number, (parents, change) in enumerate(zip(case.parents, case.changes, strict=True), 1):
        dag[number] = parents
        state = graph.state(str(number))
        done = ("adds x" if state == IN else "removes x") if change else ""
        notes[number] = f"{{{', '.join(sorted(state))}}}  {done}".rstrip()
    return draw_dag(dag, {number: str(number) for number in dag}, notes)
