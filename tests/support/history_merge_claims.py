"""The plain search: one history at a time, with every merge carried out by the reference.

Histories are graphs of the reference, node IDs are decimal numbers, and the fold orders are tried
one after the other.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from itertools import count, permutations, product
from math import factorial
from types import MappingProxyType
from typing import Final

from attrs import frozen

from rejoin.history_merge import (
    DOCUMENT,
    SETS,
    Graph,
    Node,
    Reading,
    before,
    fast_merge,
    folding_by,
    lca_u,
    operational_edges,
)
from rejoin_conformance.systems.history_merge.exhaust.counterexamples import (
    Parents,
    State,
    anti_chains,
    history,
    splits,
    with_new_node,
)
from rejoin_conformance.systems.history_merge.exhaust.dags import dags, parents_of
from rejoin_conformance.systems.history_merge.exhaust.premises import PREMISES


def every_history(nodes: int, reading: Reading = DOCUMENT) -> Iterator[Graph[State]]:
    """Yield every history of a root and that many further nodes."""
    for parents in every_dag(nodes):
        for changes in product((False, True), repeat=nodes):
            yield history(parents, changes, reading)


def every_dag(nodes: int) -> Iterator[Parents]:
    """Yield the parents of the nodes of every DAG: any non-empty anti-chain of earlier nodes."""
    return map(parents_of, dags(nodes))


def possible_merges(
    graph: Graph[State], nodes: tuple[str, ...], reading: Reading = DOCUMENT
) -> frozenset[State]:
    """Return the merges of a set of nodes, over all fold orders of it and of all inner merges."""
    results = set()
    scripts: list[list[int]] = [[]]  # which of its orders each set takes that is folded
    while scripts:
        order = partial(_chosen, scripts.pop(), count(), scripts)
        results.add(fast_merge(graph, nodes, SETS, folding_by(order, reading)))
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


def histories(nodes: int) -> Iterator[tuple[Node[State], ...]]:
    """Yield every history of a root and that many further nodes, each with the element or not."""
    for parents in every_dag(nodes):
        for states in product((frozenset[str](), frozenset("x")), repeat=nodes):
            yield tuple(
                Node(str(number), frozenset(map(str, above)), state)
                for number, (above, state) in enumerate(
                    zip([(), *parents], [frozenset[str](), *states], strict=True)
                )
            )


@frozen
class Operations:
    """The operations of a history on the element: the nodes that add it and that remove it."""

    graph: Graph[State]
    added: tuple[str, ...]
    removed: tuple[str, ...]

    def concurrent(self, some: tuple[str, ...], others: tuple[str, ...]) -> bool:
        """Return whether one of some nodes and one of some others are concurrent."""
        is_before = [{(u, v), (v, u)} for u, v in product(some, others) if u != v]
        return any(not any(before(self.graph, *pair) for pair in both) for both in is_before)


def operations(graph: Graph[State]) -> Operations:
    """Return the operations of a history, from its operational edges."""
    edges = operational_edges(graph, SETS)
    added, removed = (
        tuple(edge.node for edge in edges if bool(edge.after) is adds) for adds in (True, False)
    )
    return Operations(graph, added, removed)


_FAULTS: Final[Mapping[str, Callable[[Operations], bool]]] = MappingProxyType(
    {
        "operation-twice": lambda o: len(o.added + o.removed) > 1,
        "operation-thrice": lambda o: len(o.added + o.removed) > 2,
        "added-twice": lambda o: len(o.added) > 1,
        "removed": lambda o: len(o.removed) > 0,
        "removed-twice": lambda o: len(o.removed) > 1,
        "re-added": lambda o: any(before(o.graph, *each) for each in product(o.removed, o.added)),
        "concurrent-additions": lambda o: o.concurrent(o.added, o.added),
        "concurrent-removals": lambda o: o.concurrent(o.removed, o.removed),
        "concurrent-opposites": lambda o: o.concurrent(o.removed, o.added),
        "changed-at-merge": lambda o: any(
            len(o.graph.node(node).parents) > 1 for node in o.added + o.removed
        ),
        "several-parents": lambda o: any(len(node.parents) > 1 for node in o.graph),
        "several-origins": lambda o: any(
            len(lca_u(o.graph, {*chain} - {last}, last)) > 1
            for chain in anti_chains(o.graph)
            if len(chain) > 1
            for last in chain
        ),
        "three-heads": lambda o: any(len(chain) > 2 for chain in anti_chains(o.graph)),
    }
)


def met_by(graph: Graph[State]) -> dict[str, bool]:
    """Return whether a history meets each premise."""
    found = operations(graph)
    occurs = {name: fault(found) for name, fault in _FAULTS.items()}
    return {each.name: not any(occurs[fault] for fault in each.faults) for each in PREMISES}


def plain_counts(nodes: int) -> Counter[str]:
    """Return all counts of one size. The count X of the premise P is named `premise:P:X`."""
    counts: Counter[str] = Counter()
    for graph in every_history(nodes):
        found = findings_of(graph)
        counts["histories"] += 1
        counts.update(found)
        for name in (name for name, met in met_by(graph).items() if met):
            counts[f"premise:{name}:histories"] += 1
            for what in ("order_dependent", "not_associative"):
                counts[f"premise:{name}:{what}"] += found[what]
    counts["dags"] = counts["histories"] >> nodes
    return counts


def findings_of(graph: Graph[State]) -> Counter[str]:
    """Return the counts of broken claims in one history. A count of 0 can be missing."""
    found: Counter[str] = Counter()
    for chain in anti_chains(graph):
        together = possible_merges(graph, chain)
        found["order_dependent_sets"] += len(together) > 1
        for a, b in splits(chain):
            found["failing_splits"] += len(together | _possible_over_new_node(graph, a, b)) > 1
            extended, name = with_new_node(graph, a, fast_merge(graph, a, SETS))
            if fast_merge(extended, (name, *b), SETS) != fast_merge(graph, chain, SETS):
                found["not_associative_pinned"] = 1
    found["order_dependent"] = int(found["order_dependent_sets"] > 0)
    found["not_associative"] = int(found["failing_splits"] > 0)
    found["only_not_associative"] = int(found["not_associative"] > found["order_dependent"])
    return found


def _possible_over_new_node(
    graph: Graph[State], a: tuple[str, ...], b: tuple[str, ...]
) -> frozenset[State]:
    """Return the merges of {v} + B, with v a new node over A whose state is any merge of A."""
    results: set[State] = set()
    for state in possible_merges(graph, a):
        extended, name = with_new_node(graph, a, state)
        results |= possible_merges(extended, (name, *b))
    return frozenset(results)
