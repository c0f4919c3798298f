"""Every small history of history merge, and the broken claims in each, by the reference."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from itertools import combinations, product
from types import MappingProxyType
from typing import Final

from attrs import frozen

from rejoin.history_merge import SETS, Graph, Node, before, fast_merge, lca_u, operational_edges
from rejoin_conformance.systems.history_merge.exhaust.plain import (
    State,
    anti_chains,
    every_dag,
    every_history,
    possible_merges,
    splits,
    with_new_node,
)


def histories(nodes: int) -> Iterator[tuple[Node[State], ...]]:
    """Yield every history of a root and that many further nodes, each with the element or not."""
    for parents in every_dag(nodes):
        for states in product((frozenset[str](), frozenset("x")), repeat=nodes):
            yield (
                Node("0", frozenset(), frozenset()),
                *(
                    Node(str(number), frozenset(map(str, above)), state)
                    for number, (above, state) in enumerate(zip(parents, states, strict=True), 1)
                ),
            )


def possible_over_new_node(
    graph: Graph[State], a: tuple[str, ...], b: tuple[str, ...]
) -> frozenset[State]:
    """Return the merges of {v} + B, with v a new node over A whose state is any merge of A."""
    results: set[State] = set()
    for state in possible_merges(graph, a):
        extended, name = with_new_node(graph, a, state)
        results |= possible_merges(extended, (name, *b))
    return frozenset(results)


@frozen
class Operations:
    """The operations of a history on the element: the nodes that add it and that remove it."""

    graph: Graph[State]
    additions: tuple[str, ...]
    removals: tuple[str, ...]

    def concurrent(self, u: str, v: str) -> bool:
        """Return whether neither of two nodes is before the other."""
        return not before(self.graph, u, v) and not before(self.graph, v, u)

    def none_concurrent(self, nodes: tuple[str, ...]) -> bool:
        """Return whether no two of the nodes are concurrent."""
        return not any(self.concurrent(u, v) for u, v in combinations(nodes, 2))


def operations(graph: Graph[State]) -> Operations:
    """Return the operations of a history, from its operational edges."""
    edges = operational_edges(graph, SETS)
    return Operations(
        graph,
        tuple(edge.node for edge in edges if edge.after),
        tuple(edge.node for edge in edges if not edge.after),
    )


MEETS: Final[Mapping[str, Callable[[Operations], bool]]] = MappingProxyType(
    {
        "none": lambda _: True,
        "totally-ordered": lambda o: o.none_concurrent(o.additions + o.removals),
        "added-once": lambda o: len(o.additions) <= 1,
        "removed-once": lambda o: len(o.removals) <= 1,
        "never-removed": lambda o: not o.removals,
        "no-re-adding": lambda o: (
            not any(
                before(o.graph, removal, addition)
                for removal in o.removals
                for addition in o.additions
            )
        ),
        "no-concurrent-equal": lambda o: (
            o.none_concurrent(o.additions) and o.none_concurrent(o.removals)
        ),
        "no-concurrent-additions": lambda o: o.none_concurrent(o.additions),
        "no-concurrent-removals": lambda o: o.none_concurrent(o.removals),
        "no-concurrent-opposites": lambda o: (
            not any(
                o.concurrent(removal, addition)
                for removal in o.removals
                for addition in o.additions
            )
        ),
        "one-operation": lambda o: len(o.additions + o.removals) <= 1,
        "two-operations": lambda o: len(o.additions + o.removals) <= 2,
        "removed-once-no-concurrent-additions": lambda o: (
            MEETS["removed-once"](o) and MEETS["no-concurrent-additions"](o)
        ),
        "removed-once-no-re-adding": lambda o: (
            MEETS["removed-once"](o) and MEETS["no-re-adding"](o)
        ),
        "plain-merges": lambda o: all(
            len(o.graph.node(node).parents) == 1 for node in o.additions + o.removals
        ),
        "single-parents": lambda o: all(len(node.parents) <= 1 for node in o.graph),
        "single-origins": lambda o: all(
            len(lca_u(o.graph, frozenset(chain) - {last}, last)) == 1
            for chain in anti_chains(o.graph)
            if len(chain) > 1
            for last in chain
        ),
        "two-heads": lambda o: all(len(chain) <= 2 for chain in anti_chains(o.graph)),
        "single-parents-removed-once-no-re-adding": lambda o: (
            MEETS["single-parents"](o) and MEETS["removed-once-no-re-adding"](o)
        ),
    }
)
"""The premises of the check, each as a predicate."""


def plain_counts(nodes: int) -> Counter[str]:
    """Return all counts of one size. The count X of the premise P is named `premise:P:X`."""
    counts: Counter[str] = Counter()
    for graph in every_history(nodes):
        found = findings_of(graph)
        counts["histories"] += 1
        counts.update(found)
        facts = operations(graph)
        for name, meets in MEETS.items():
            if meets(facts):
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
            found["failing_splits"] += len(together | possible_over_new_node(graph, a, b)) > 1
            extended, name = with_new_node(graph, a, fast_merge(graph, a, SETS))
            if fast_merge(extended, (name, *b), SETS) != fast_merge(graph, chain, SETS):
                found["not_associative_pinned"] = 1
    found["order_dependent"] = int(found["order_dependent_sets"] > 0)
    found["not_associative"] = int(found["failing_splits"] > 0)
    found["only_not_associative"] = int(found["not_associative"] > found["order_dependent"])
    return found
