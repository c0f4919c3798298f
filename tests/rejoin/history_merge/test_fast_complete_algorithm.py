"""Recursive merges are carried out without recursion, each once."""

from __future__ import annotations

import pytest

from rejoin.history_merge.fast_complete_algorithm import MergeCache, Merging, evaluate


def _pair(number: int) -> frozenset[str]:
    return frozenset([f"a{number}", f"b{number}"])


def _fibonacci(begun: list[int], nodes: frozenset[str]) -> Merging[int]:
    number = int(min(nodes)[1:])
    begun.append(number)
    if number < 2:
        return number
    one = yield _pair(number - 1)
    two = yield _pair(number - 2)
    return one + two


def test_a_merge_that_many_others_need_is_begun_once() -> None:
    begun: list[int] = []
    assert evaluate(_pair(30), lambda nodes: _fibonacci(begun, nodes), MergeCache(0)) == 832_040
    assert sorted(begun) == list(range(31))


def test_ten_thousand_merges_may_wait_for_each_other() -> None:
    def steps(nodes: frozenset[str]) -> Merging[int]:
        number = int(min(nodes)[1:])
        if number == 0:
            return 0
        below = yield _pair(number - 1)
        return below + 1

    assert evaluate(_pair(10_000), steps, MergeCache()) == 10_000


def test_what_is_in_the_cache_is_not_merged_again() -> None:
    cache = MergeCache[int]()
    begun: list[int] = []
    evaluate(_pair(10), lambda nodes: _fibonacci(begun, nodes), cache)
    begun.clear()
    assert evaluate(_pair(10), lambda nodes: _fibonacci(begun, nodes), cache) == 55
    assert begun == []
    assert evaluate(_pair(11), lambda nodes: _fibonacci(begun, nodes), cache) == 89
    assert begun == [11]


def test_a_full_cache_forgets_what_was_not_used_for_longest() -> None:
    cache = MergeCache[int](capacity=2)
    cache.keep(_pair(1), 1)
    cache.keep(_pair(2), 2)
    assert cache.recall(_pair(1)) == 1
    cache.keep(_pair(3), 3)
    assert len(cache) == 2
    assert _pair(1) in cache
    assert _pair(2) not in cache


def test_sets_of_fewer_than_two_nodes_are_not_kept() -> None:
    cache = MergeCache[int]()
    cache.keep(frozenset(), 0)
    cache.keep(frozenset("a"), 1)
    assert len(cache) == 0


def test_a_refusal_inside_a_merge_comes_out_as_it_is() -> None:
    def steps(nodes: frozenset[str]) -> Merging[int]:
        if nodes == _pair(0):
            raise ZeroDivisionError
        yield _pair(0)
        return 1

    with pytest.raises(ZeroDivisionError):
        evaluate(_pair(1), steps, MergeCache())
