"""Histories one by one, merged by the reference: the plain search, and counterexamples.

The plain search counts the same as `counts`, with every merge carried out by the reference. It is
the search under a rule file that changes more than the 3-way merge, which is all that the `kernel`
asks the reference. The fold orders are tried one after the other. Node IDs are decimal numbers.

The smallest counterexamples are shown up to isomorphism, as the reference computes them. Two
histories are isomorphic if renaming the nodes of one, in an order of creation, gives the other:
the same parents, and the same nodes that change the element. In a smallest counterexample, the
first nodes alone do not break the claim. The merges of the parents of its nodes then have one
result each, and renaming the nodes changes no state. Only the order of a whole set can matter.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from itertools import combinations, count, permutations, product
from math import factorial
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
from rejoin_conformance.readings.reach import overridden
from rejoin_conformance.readings.rule_file import RuleError
from rejoin_conformance.systems.history_merge.exhaust.dags import dags, parents_of
from rejoin_conformance.systems.history_merge.exhaust.premises import ORDER_INDEPENDENT, PREMISES
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


# The plain search.

MOST_NODES: Final = 5
"""The largest number of nodes for this search; 5 takes some minutes."""

_COUNTED: Final = {
    PREMISES[0].name: "order_dependent",
    ORDER_INDEPENDENT: "only_not_associative",
}
"""Question -> the count of the histories that answer it."""

_OF_KERNEL: Final = "rejoin.history_merge.three_way_merge."
"""The module that the kernel asks."""


def is_literal(nodes: int) -> bool:
    """Return whether the code in force needs this search. Raises RuleError for too many nodes."""
    changed = [name for name in overridden() if not name.startswith(_OF_KERNEL)]
    if changed and nodes > MOST_NODES:
        raise RuleError(
            f"the rule file changes {changed[0]}, so the reference merges every history by itself, "
            f"which is possible for up to {MOST_NODES} nodes; add: --nodes {MOST_NODES}"
        )
    return bool(changed)


def every_history(nodes: int, reading: Reading = DOCUMENT) -> Iterator[Graph[State]]:
    """Yield every history of a root and that many further nodes."""
    for parents in every_dag(nodes):
        for changes in product((False, True), repeat=nodes):
            yield history(parents, changes, reading)


def every_dag(nodes: int) -> Iterator[Parents]:
    """Yield the parents of the nodes of every DAG: any non-empty anti-chain of earlier nodes."""
    return map(parents_of, dags(nodes))


def examined_dag(
    nodes: int, place: int, questions: Sequence[str]
) -> tuple[Counter[str], dict[str, set[Case]]]:
    """Return what `counts.examined` does, over the histories of one DAG, without the premises."""
    counts, answers = Counter[str](dags=1), dict[str, set[Case]]()
    parents = parents_of(dags(nodes)[place])
    for changes in product((False, True), repeat=nodes):
        found = findings_of(history(parents, changes))
        counts["histories"] += 1
        counts.update(found)
        for name in _COUNTED.keys() & questions:
            if found[_COUNTED[name]]:
                answers.setdefault(name, set()).add(Case(parents, changes))
    return counts, answers


def findings_of(graph: Graph[State]) -> Counter[str]:
    """Return the counts of broken claims in one history. A count of 0 can be missing."""
    found: Counter[str] = Counter()
    possible = {chain: possible_merges(graph, chain) for chain in anti_chains(graph)}
    for chain, together in possible.items():
        found["order_dependent_sets"] += len(together) > 1
        for a, b in splits(chain):
            over = [with_new_node(graph, a, state) for state in possible[a]]
            merges = (possible_merges(extended, (name, *b)) for extended, name in over)
            found["failing_splits"] += len(together.union(*merges)) > 1
            extended, name = with_new_node(graph, a, merge(graph, a, SETS))
            if merge(extended, (name, *b), SETS) != merge(graph, chain, SETS):
                found["not_associative_pinned"] = 1
    found["order_dependent"] = int(found["order_dependent_sets"] > 0)
    found["not_associative"] = int(found["failing_splits"] > 0)
    found["only_not_associative"] = int(found["not_associative"] > found["order_dependent"])
    return found


def possible_merges(
    graph: Graph[State], nodes: tuple[str, ...], reading: Reading = DOCUMENT
) -> frozenset[State]:
    """Return the merges of a set of nodes, over all fold orders of it and of all inner merges."""
    results = set()
    scripts: list[list[int]] = [[]]  # which of its orders each set takes that is folded
    while scripts:
        order = partial(_chosen, scripts.pop(), count(), scripts)
        results.add(merge(graph, nodes, SETS, folding_by(order, reading)))
    return frozenset(results)


def _chosen(
    script: list[int], places: Iterator[int], scripts: list[list[int]], nodes: frozenset[str]
) -> tuple[str, ...]:
    """Return the order of a set that a script chooses. Its other orders become further scripts."""
    place = next(places)
    if place == len(script):
        scripts += ([*script, other] for other in range(1, factorial(len(nodes))))
        script.append(0)
    return [*permutations(sorted(nodes))][script[place]]
