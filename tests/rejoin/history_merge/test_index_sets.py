"""Index sets are sets, and share their common parts."""

from __future__ import annotations

from functools import reduce
from operator import or_

from hypothesis import given
from hypothesis import strategies as st

from rejoin.history_merge.index_sets import (
    LEAF_BITS,
    NOTHING,
    IndexSet,
    TreeSet,
    contains,
    difference,
    highest,
    integers,
    single,
)

indices = st.integers(0, LEAF_BITS * 9) | st.sampled_from(
    [0, LEAF_BITS - 1, LEAF_BITS, 2 * LEAF_BITS - 1, 2 * LEAF_BITS, 4 * LEAF_BITS, 10**6]
)
index_lists = st.sets(indices, max_size=8)


def _of(indices: set[int]) -> IndexSet:
    return reduce(or_, map(single, sorted(indices)), NOTHING)


@given(index_lists, index_lists, indices)
def test_operations_are_those_of_sets(left: set[int], right: set[int], index: int) -> None:
    one, other = _of(left), _of(right)
    assert list(integers(one)) == sorted(left)
    assert list(integers(one | other)) == sorted(left | right)
    assert list(integers(one & other)) == sorted(left & right)
    assert list(integers(difference(one, other))) == sorted(left - right)
    assert contains(one, index) == (index in left)
    assert [bool(each) for each in (one, one & other)] == [bool(left), bool(left & right)]
    assert not difference(one, one)
    assert not left or highest(one) == max(left)


def test_a_union_with_a_part_of_itself_keeps_its_tree() -> None:
    whole = _of(set(range(0, 20 * LEAF_BITS, 100)))
    part = _of({0, 500, 19 * LEAF_BITS // 100 * 100})
    assert isinstance(whole, TreeSet)
    assert (whole | part).tree is whole.tree
    assert (part | whole).tree is whole.tree


def test_small_integers_are_the_bits_of_one_integer() -> None:
    assert _of({0, 3, LEAF_BITS - 1}) == 1 | 1 << 3 | 1 << LEAF_BITS - 1
    assert isinstance(_of({LEAF_BITS}), TreeSet)


def test_a_set_with_one_more_integer_shares_all_but_one_path() -> None:
    smaller = _of({0, 3 * LEAF_BITS, 7 * LEAF_BITS})
    larger = smaller | single(7 * LEAF_BITS + 1)
    assert isinstance(smaller, TreeSet)
    assert isinstance(larger, TreeSet)
    assert isinstance(smaller.tree, tuple)
    assert isinstance(larger.tree, tuple)
    assert larger.tree[0] is smaller.tree[0]
    assert larger.tree[1] is not smaller.tree[1]
