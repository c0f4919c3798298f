"""The plain search: one history at a time, with every merge carried out by the reference.

Histories are graphs of the reference, node IDs are decimal numbers, and the fold orders are tried
one after the other. It describes counterexamples. For large bounds it is too slow; tests compare
the kernel with it.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, permutations, product
from math import factorial
from typing import Final, TypeAlias

from attrs import define, field

from rejoin.history_merge import (
    DOCUMENT,
    SETS,
    Graph,
    Node,
    Reading,
    fast_merge,
    folding_by,
    is_anti_chain,
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
