"""The second account of changes: leaf by leaf, with true values."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from rejoin_conformance.systems.config_merge.changes import (
    Change,
    changed,
    changes_between,
    leaves_of,
    touches,
)

KEYS = st.sampled_from([b"a", b"b", b""])
SCALARS = st.sampled_from([1, 2, b"", b"1"])
VALUES: st.SearchStrategy[Any] = st.recursive(
    SCALARS | st.frozensets(SCALARS, min_size=1, max_size=3),
    lambda inner: st.dictionaries(KEYS, inner, min_size=1, max_size=3),
    max_leaves=6,
)
DATA = st.dictionaries(KEYS, VALUES, max_size=3)
PATHS = st.lists(KEYS, min_size=1, max_size=3).map(tuple)
CHANGES: st.SearchStrategy[Change] = st.one_of(
    st.builds(Change, st.sampled_from(["assign", "add", "discard"]), PATHS, SCALARS),
    st.builds(Change, st.just("remove"), PATHS),
)


CARRIED_OUT: tuple[tuple[Change, dict[bytes, Any]], ...] = (
    (Change("assign", (b"d", b"x"), 7), {b"d": {b"x": 7}, b"s": {1, 2}}),
    (Change("assign", (b"d",), 7), {b"d": 7, b"s": {1, 2}}),
    (Change("assign", (b"s", b"in"), 7), {b"d": {b"x": 1}, b"s": {b"in": 7}}),
    (Change("add", (b"s",), 3), {b"d": {b"x": 1}, b"s": {1, 2, 3}}),
    (Change("add", (b"d",), 3), {b"d": {3}, b"s": {1, 2}}),
    (Change("discard", (b"s",), 1), {b"d": {b"x": 1}, b"s": {2}}),
    (Change("discard", (b"d",), 1), {b"d": {b"x": 1}, b"s": {1, 2}}),
    (Change("discard", (b"nowhere", b"s"), 1), {b"d": {b"x": 1}, b"s": {1, 2}}),
    (Change("remove", (b"d", b"x")), {b"s": {1, 2}}),
    (Change("remove", (b"d",)), {b"s": {1, 2}}),
    (Change("remove", (b"s", b"in")), {b"d": {b"x": 1}, b"s": {1, 2}}),
)


@given(DATA, DATA)
def test_the_changes_between_two_states_lead_from_one_to_the_other(
    old: dict[bytes, Any], new: dict[bytes, Any]
) -> None:
    changes = changes_between(old, new)
    assert changed(old, changes) == new
    assert bool(changes) == (old != new)


@given(DATA, CHANGES)
def test_a_change_alters_no_leaf_that_it_does_not_touch(
    data: dict[bytes, Any], change: Change
) -> None:
    before, after = leaves_of(data), leaves_of(changed(data, [change]))
    for leaf in before.keys() | after.keys():
        if not touches(change, leaf):
            assert before.get(leaf) == after.get(leaf)


@given(DATA, DATA, CHANGES)
def test_what_a_touched_leaf_becomes_does_not_depend_on_what_was_there(
    one: dict[bytes, Any], other: dict[bytes, Any], change: Change
) -> None:
    left, right = leaves_of(changed(one, [change])), leaves_of(changed(other, [change]))
    for leaf in left.keys() | right.keys():
        if touches(change, leaf):
            assert left.get(leaf) == right.get(leaf)


@given(DATA, st.lists(CHANGES, max_size=4))
def test_no_set_and_no_dict_is_left_empty(data: dict[bytes, Any], changes: list[Change]) -> None:
    def hollow(value: Any) -> bool:
        if isinstance(value, dict):
            return not value or any(map(hollow, value.values()))
        return bool(value == set())

    assert not any(map(hollow, changed(data, changes).values()))


def test_a_change_does_what_it_says() -> None:
    for change, after in CARRIED_OUT:
        assert changed({b"d": {b"x": 1}, b"s": frozenset({1, 2})}, [change]) == after, change
