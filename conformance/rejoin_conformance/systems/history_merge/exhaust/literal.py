"""The plain search: one history at a time, with every merge carried out by the reference.

It is the search under a rule file that changes more than the 3-way merge, which is all that the
`kernel` asks the reference. The fold orders are tried one after the other. Node IDs are decimal
numbers.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import partial
from itertools import count, permutations, product
from math import factorial
from typing import Final

from rejoin.history_merge import DOCUMENT, SETS, Graph, Reading, folding_by, merge
from rejoin_conformance.readings.reach import overridden
from rejoin_conformance.readings.rule_file import RuleError
from rejoin_conformance.systems.history_merge.exhaust.counterexamples import (
    Case,
    Parents,
    State,
    anti_chains,
    history,
    splits,
    with_new_node,
)
from rejoin_conformance.systems.history_merge.exhaust.counts import ORDER_INDEPENDENT
from rejoin_conformance.systems.history_merge.exhaust.dags import dags, parents_of
from rejoin_conformance.systems.history_merge.exhaust.premises import PREMISES

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
