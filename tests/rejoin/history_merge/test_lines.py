"""Lists of lines: the matching, the merge, its laws, and how easily it conflicts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations, product

import pytest

from rejoin.history_merge import HistoryMergeError, Lines, lines_three_way_merge
from rejoin.history_merge.lines import matching
from rejoin.history_merge.three_way_merge import register_three_way_merge

LISTS: list[Lines] = [lines for length in range(4) for lines in product("xy", repeat=length)]


def merged(o: Lines, a: Lines, b: Lines) -> Lines | None:
    """Return the merge, or None for a conflict."""
    try:
        return lines_three_way_merge(o, a, b)
    except HistoryMergeError:
        return None


def matchings(o: Lines, a: Lines) -> Iterator[list[tuple[int, int]]]:
    """Yield every matching of two lists, with as many pairs as it can have."""
    for size in range(min(len(o), len(a)) + 1):
        for places, others in product(
            combinations(range(len(o)), size), combinations(range(len(a)), size)
        ):
            if [o[place] for place in places] == [a[other] for other in others]:
                yield [*zip(places, others, strict=True)]


def test_of_the_longest_matchings_the_one_with_the_earliest_pairs_counts() -> None:
    for o, a in product(LISTS, repeat=2):
        every = [*matchings(o, a)]
        longest = max(map(len, every))
        assert [*matching(o, a).items()] == min(each for each in every if len(each) == longest)


def test_the_laws_hold_for_all_lists_of_up_to_three_lines() -> None:
    for o, a in product(LISTS, repeat=2):
        assert merged(o, o, a) == merged(o, a, o) == merged(o, a, a) == a
        assert all(merged(o, a, b) == merged(o, b, a) for b in LISTS)


def test_most_triples_of_short_lists_conflict_and_fewer_triples_of_registers() -> None:
    conflicts = [each for each in product(LISTS, repeat=3) if merged(*each) is None]
    assert (len(LISTS) ** 3, len(conflicts)) == (3_375, 2_378)
    refused = 0
    for o, a, b in product("xyz", repeat=3):
        try:
            register_three_way_merge(o, a, b)
        except HistoryMergeError:
            refused += 1
    assert refused == 6


def test_a_conflict_names_the_lines_of_the_part() -> None:
    states: Sequence[Lines] = ("a", "m"), ("b", "m"), ("c", "m", "d")
    with pytest.raises(HistoryMergeError, match=r"\['a'\] became \['b'\] .* and \['c'\]") as error:
        lines_three_way_merge(*states)
    assert error.value.code == "conflict"
