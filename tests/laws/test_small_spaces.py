"""Small spaces, searched whole: not some examples of them."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, permutations, product

from rejoin.conflict_detection import REPAIRED, classify_by_maps
from rejoin.history_merge import SETS, Node, folding_by, graph_of, merge, ranked
from rejoin.history_merge.three_way_merge import (
    set_three_way_merge,
    symmetric_set_three_way_merge,
)
from rejoin_conformance.laws.history_merge import (
    History,
    Names,
    last,
    past,
    state_of,
    three_way,
)
from rejoin_conformance.systems.history_merge.exhaust.literal import every_dag
from support.plain_history_merge import history_of

NODES = 5


def anti_chains(history: History) -> Iterator[Names]:
    for count in range(1, len(history) + 1):
        for names in combinations(history, count):
            if last(history, past(history, names)) == frozenset(names):
                yield frozenset(names)


def test_every_order_of_every_anti_chain_of_every_small_history() -> None:
    """An element for each set of nodes that have it, so each has all its states in one history."""
    for size in range(1, NODES + 1):
        elements = range(2**size)
        states = [frozenset(f"{each}" for each in elements if each >> n & 1) for n in range(size)]
        for dag in every_dag(size):
            parents = [frozenset(str(each - 1) for each in above if each) for above in dag]
            graph = graph_of(map(Node, map(str, range(size)), parents, states))
            history = history_of(graph)
            for chain in anti_chains(history):
                events = past(history, chain)
                for order in permutations(sorted(chain)):
                    merged = merge(graph, chain, SETS, folding_by(ranked(order)))
                    assert merged == state_of(history, events, order), (history, order)


def test_every_merge_of_three_subsets_of_four_elements() -> None:
    subsets = [frozenset(some) for count in range(5) for some in combinations("wxyz", count)]
    for origin, left, right in product(subsets, repeat=3):
        expected = three_way(origin, left, right)
        for merged in (set_three_way_merge, symmetric_set_three_way_merge):
            assert merged(origin, left, right) == expected, (origin, left, right)
            assert merged(origin, right, left) == expected, (origin, right, left)


def test_every_pair_of_small_version_maps() -> None:
    """Three clients, numbers to 3, and missing entries, which count as 0."""
    maps = [
        {name: number for name, number in zip("ABC", numbers, strict=True) if number is not None}
        for numbers in product((None, 0, 1, 2, 3), repeat=3)
    ]
    for local, remote in product(maps, repeat=2):
        signs = {
            (remote.get(name, 0) > local.get(name, 0)) - (remote.get(name, 0) < local.get(name, 0))
            for name in "ABC"
        } - {0}
        expected = {(): "same", (1,): "overwrite", (-1,): "stale", (-1, 1): "conflict"}
        assert classify_by_maps(REPAIRED, local, remote).value == expected[tuple(sorted(signs))]
