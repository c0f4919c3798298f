"""Integers that stand for all operation patterns at once."""

from __future__ import annotations

from itertools import product

from rejoin.history_merge.three_way_merge import element_three_way_merge
from rejoin_conformance.systems.history_merge.exhaust.patterns import (
    Possible,
    every_pattern,
    flips,
    possible_three_way,
    three_way,
)


def test_node_n_flips_under_the_patterns_whose_bit_n_minus_1_is_set() -> None:
    for nodes in range(1, 7):
        assert flips(nodes) == (
            0,
            *(
                sum(1 << pattern for pattern in range(1 << nodes) if pattern >> (node - 1) & 1)
                for node in range(1, nodes + 1)
            ),
        )


def test_there_are_two_to_the_nodes_patterns() -> None:
    assert [every_pattern(nodes).bit_count() for nodes in range(4)] == [1, 2, 4, 8]


def test_three_way_is_the_merge_of_the_reference() -> None:
    for o, a, b in product((0, 1), repeat=3):
        assert three_way(~o, a, b) == element_three_way_merge(bool(o), bool(a), bool(b))


def test_the_possible_results_are_those_of_all_choices() -> None:
    possibilities = ({0}, {1}, {0, 1})
    for o, a, b in product(possibilities, repeat=3):
        results = {
            element_three_way_merge(bool(x), bool(y), bool(z)) for x, y, z in product(o, a, b)
        }
        found = possible_three_way(_as_bits(o), _as_bits(a), _as_bits(b))
        assert found == (int(False in results), int(True in results))


def _as_bits(values: set[int]) -> Possible:
    return int(0 in values), int(1 in values)
