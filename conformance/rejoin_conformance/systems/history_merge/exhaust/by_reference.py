"""The same counts by the reference: one history at a time, with every merge carried out.

It shares only the definitions with the search. Histories are graphs of the reference, node IDs are
decimal numbers, and the fold orders are tried one after the other. It is too slow for large bounds.
Tests compare the search with it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from itertools import combinations, permutations, product
from math import factorial
from types import MappingProxyType
from typing import Final, TypeAlias

from attrs import define, field, frozen

from rejoin.history_merge import (
    DOCUMENT,
    SETS,
    Graph,
    Node,
    Reading,
    before,
    fast_merge,
    folding_by,
    is_anti_chain,
    lca_u,
    operational_edges,
)

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


def possible_over_new_node(
    graph: Graph[State], a: tuple[str, ...], b: tuple[str, ...]
) -> frozenset[State]:
    """Return the merges of {v} + B, with v a new node over A whose state is any merge of A."""
    results: set[State] = set()
    for state in possible_merges(graph, a):
        extended, name = with_new_node(graph, a, state)
        results |= possible_merges(extended, (name, *b))
    return frozenset(results)


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
