"""HM-E28: the laws of the 3-way merge do not order the states, and four states show it.

For one origin, every merge that obeys the laws and is idempotent is a choice: the result for each
pair of other states. All choices are enumerated.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import combinations, permutations, product
from typing import TypeAlias

ORIGIN = 0
Table: TypeAlias = Mapping[frozenset[int], int]


def tables(states: int) -> Iterator[Table]:
    """Yield every idempotent merge with this number of states, the origin included."""
    pairs = [frozenset(pair) for pair in combinations(range(1, states), 2)]
    for results in product(range(states), repeat=len(pairs)):
        yield dict(zip(pairs, results, strict=True))


def merged(table: Table, left: int, right: int) -> int:
    """Return 3-way-merge(origin, left, right)."""
    if left in {ORIGIN, right}:
        return right
    return left if right == ORIGIN else table[frozenset({left, right})]


def is_transitive(table: Table, states: int) -> bool:
    """Return whether the relation "to merge a into b changes nothing" is transitive."""
    below = {(a, b) for a, b in product(range(states), repeat=2) if merged(table, a, b) == b}
    return all((a, d) in below for a, b in below for c, d in below if b == c)


def test_three_states_are_always_ordered() -> None:
    assert len(list(tables(3))) == 3
    assert all(is_transitive(table, 3) for table in tables(3))


def test_four_states_are_not_ordered_in_two_cycles_and_twelve_broken_chains() -> None:
    # A chain a < b < c is broken by merging a and c to b or to the origin: 6 chains, 2 results.
    broken = [table for table in tables(4) if not is_transitive(table, 4)]
    assert len(list(tables(4))) == 64
    assert len(broken) == 2 + 6 * 2


def test_rock_paper_and_scissors_is_one_of_them() -> None:
    rock, paper, scissors = 1, 2, 3
    game = {
        frozenset({rock, paper}): paper,
        frozenset({paper, scissors}): scissors,
        frozenset({scissors, rock}): rock,
    }
    wins = [(a, b) for a, b in permutations(range(1, 4), 2) if merged(game, a, b) == b]
    assert sorted(wins) == [(rock, paper), (paper, scissors), (scissors, rock)]
    assert not is_transitive(game, 4)
