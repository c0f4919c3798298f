"""The 3-way merge of sets, counters and registers, and the laws that each keeps."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rejoin.history_merge import (
    BYTE_SETS,
    COUNTERS,
    REGISTERS,
    SET_MERGES,
    SETS,
    HistoryMergeError,
    SetDiff,
    SetMerge,
    set_apply,
    set_diff,
    set_three_way_merge,
)
from rejoin.history_merge.three_way_merge import (
    counter_three_way_merge,
    element_apply,
    element_diff,
    element_three_way_merge,
    register_three_way_merge,
    set_three_way_merge_by_element,
    symmetric_set_three_way_merge,
    three_way_merge_by_diff,
)
from support.plain_history_merge import three_way

sets = st.frozensets(st.sampled_from("abcd"))
SUBSETS = [
    frozenset(x for x, there in zip("ab", bits, strict=True) if there)
    for bits in product([False, True], repeat=2)
]


def test_the_documents_first_picture_merges_one_pair_of_states_in_two_ways() -> None:
    left, right = frozenset("ab"), frozenset("bc")
    assert set_three_way_merge(frozenset("abc"), left, right) == frozenset("b")
    assert set_three_way_merge(frozenset("b"), left, right) == frozenset("abc")


@pytest.mark.parametrize(
    ("o", "a", "b", "merged"),
    [
        (False, False, False, False),
        (False, False, True, True),
        (False, True, False, True),
        (False, True, True, True),
        (True, False, False, False),
        (True, False, True, False),
        (True, True, False, False),
        (True, True, True, True),
    ],
)
def test_one_element_is_kept_by_both_or_added_by_either(
    o: bool, a: bool, b: bool, merged: bool
) -> None:
    assert element_three_way_merge(o, a, b) is merged
    assert element_apply(b, element_diff(o, a)) is merged


def test_reading_the_formula_from_the_right_would_lose_deletions() -> None:
    o, a, b = frozenset("x"), frozenset[str](), frozenset("x")
    assert set_three_way_merge(o, a, b) == frozenset()
    assert b | ((a - o) - (o - a)) == frozenset("x")


@given(sets, sets, sets)
def test_all_forms_of_the_set_merge_are_one(
    o: frozenset[str], a: frozenset[str], b: frozenset[str]
) -> None:
    merged = set_three_way_merge(o, a, b)
    assert merged == three_way(o, a, b)
    assert merged == symmetric_set_three_way_merge(o, a, b)
    assert merged == three_way_merge_by_diff(set_diff, set_apply)(o, a, b)
    assert merged == set_apply(a, set_diff(o, b))


@pytest.mark.parametrize(("o", "a", "b"), list(product(SUBSETS, repeat=3)))
def test_sets_merge_symmetrically_and_element_by_element(
    o: frozenset[str], a: frozenset[str], b: frozenset[str]
) -> None:
    assert set_three_way_merge(o, a, b) == set_three_way_merge(o, b, a)
    numbers = [frozenset(ord(x) for x in states) for states in (o, a, b)]
    assert set_three_way_merge_by_element(*numbers) == {
        ord(x) for x in set_three_way_merge(o, a, b)
    }


@pytest.mark.parametrize(("o", "a"), list(product(SUBSETS, repeat=2)))
def test_a_side_that_changed_nothing_or_the_same_gives_the_other(
    o: frozenset[str], a: frozenset[str]
) -> None:
    assert set_three_way_merge(o, o, a) == a
    assert set_three_way_merge(o, a, o) == a
    assert set_three_way_merge(o, a, a) == a
    assert set_apply(o, set_diff(o, a)) == a


def test_a_diff_has_no_element_in_both_parts() -> None:
    assert set_diff(frozenset("ab"), frozenset("bc")) == SetDiff(frozenset("c"), frozenset("a"))


def test_a_deletion_comes_after_an_insertion_of_the_same_element() -> None:
    assert set_apply(frozenset("a"), SetDiff(frozenset("x"), frozenset("x"))) == frozenset("a")


def test_byte_strings_are_elements_too() -> None:
    merge = BYTE_SETS.three_way_merge
    assert merge(frozenset([b"\0"]), frozenset(), frozenset([b"\0", b"\xff"])) == {b"\xff"}


@given(st.integers(), st.integers(), st.integers())
def test_counters_add_both_changes(o: int, a: int, b: int) -> None:
    assert counter_three_way_merge(o, o + a, o + b) == o + a + b
    assert counter_three_way_merge(o, a, b) == counter_three_way_merge(o, b, a)
    assert counter_three_way_merge(o, o, b) == b


def test_the_merge_of_counters_is_not_idempotent() -> None:
    assert counter_three_way_merge(1, 3, 3) == 5


@pytest.mark.parametrize(
    ("o", "a", "b", "merged"),
    [("o", "o", "b", "b"), ("o", "a", "o", "a"), ("o", "a", "a", "a"), ("o", "o", "o", "o")],
)
def test_a_register_takes_the_one_change(o: str, a: str, b: str, merged: str) -> None:
    assert register_three_way_merge(o, a, b) == merged


def test_two_different_changes_of_a_register_conflict() -> None:
    with pytest.raises(HistoryMergeError) as caught:
        register_three_way_merge("o", "a", "b")
    assert caught.value.code == "conflict"


LAWFUL = [
    cells
    for cells in product([False, True], repeat=8)
    for merge in [dict(zip(product([False, True], repeat=3), cells, strict=True))]
    if all(
        merge[o, o, a] == merge[o, a, o] == a and merge[o, a, b] == merge[o, b, a]
        for o, a, b in merge
    )
]
"""Every merge of one element that is commutative and an identity if one side changed nothing."""


def _cells(set_merge: SetMerge) -> tuple[bool, ...]:
    merge = SETS.merging_by(set_merge)
    return tuple(
        bool(merge(*(frozenset("x" if state else "") for state in states)))
        for states in product([False, True], repeat=3)
    )


def test_the_laws_of_the_document_leave_four_merges_of_one_element() -> None:
    assert len(LAWFUL) == 4
    assert sorted(map(_cells, SET_MERGES)) == LAWFUL


def test_only_the_documents_merge_is_idempotent() -> None:
    idempotent = [
        name
        for name in SET_MERGES
        if all(SETS.merging_by(name)(o, a, a) == a for o in SUBSETS for a in SUBSETS)
    ]
    assert idempotent == ["idempotent"]


@given(sets, sets, sets)
def test_the_symmetric_difference_has_the_elements_of_an_odd_number_of_states(
    o: frozenset[str], a: frozenset[str], b: frozenset[str]
) -> None:
    odd = {x for x in "abcd" if ((x in o) + (x in a) + (x in b)) % 2}
    assert SETS.merging_by("symmetric-difference")(o, a, b) == odd


def test_the_choice_of_a_merge_of_sets_does_not_change_other_types() -> None:
    for name in SET_MERGES:
        assert COUNTERS.merging_by(name)(1, 4, 4) == 7
        assert REGISTERS.merging_by(name)("o", "a", "a") == "a"
