"""The plain search: one history at a time, with every merge carried out by the reference.

Histories are graphs of the reference, node IDs are decimal numbers, and the fold orders are tried
one after the other. For large bounds it is too slow; tests compare the kernel with it.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from itertools import combinations, count, permutations, product
from math import factorial
from typing import Final, TypeAlias

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
