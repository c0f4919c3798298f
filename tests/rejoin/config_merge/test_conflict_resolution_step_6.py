"""Step 6 of conflict resolution: the effect of one diff, where the readings agree."""

from __future__ import annotations

from collections.abc import Mapping
from typing import cast

import pytest
from hypothesis import given

from rejoin.config_merge import (
    EMPTY,
    READINGS,
    Reading,
    apply_diff,
    checked_data,
    diff,
    parse_diff,
)
from support.config_merge_strategies import alike_dicts

Data = dict[bytes, object]

both_readings = pytest.mark.parametrize("reading", READINGS.values(), ids=list(READINGS))


def applied(data: Data, changes: bytes, source: Data, reading: Reading) -> Mapping[bytes, object]:
    return apply_diff(
        checked_data(data),
        parse_diff(changes, reading=reading),
        checked_data(source),
        reading=reading,
    )


@both_readings
@given(data=alike_dicts, old=alike_dicts, new=alike_dicts)
def test_what_is_applied_leaves_nothing_empty(
    reading: Reading, data: Data, old: Data, new: Data
) -> None:
    source = checked_data(new)
    changes = diff(checked_data(old), source)
    result = apply_diff(checked_data(data), changes, source, reading=reading)
    assert checked_data(cast("Mapping[bytes, object]", result)) == result


@both_readings
@given(data=alike_dicts, old=alike_dicts, new=alike_dicts)
def test_a_diff_applied_twice_changes_nothing_more(
    reading: Reading, data: Data, old: Data, new: Data
) -> None:
    source = checked_data(new)
    changes = diff(checked_data(old), source)
    once = apply_diff(checked_data(data), changes, source, reading=reading)
    assert apply_diff(once, changes, source, reading=reading) == once


@both_readings
@pytest.mark.parametrize(
    ("data", "changes", "source", "result"),
    [
        # scalars
        ({}, b"d1:k0:e", {b"k": 1}, {b"k": 1}),
        ({b"k": 1}, b"d1:k0:e", {b"k": b"x"}, {b"k": b"x"}),
        ({b"k": {1}}, b"d1:k0:e", {b"k": 1}, {b"k": 1}),
        ({b"k": {b"a": 1}}, b"d1:k0:e", {b"k": 1}, {b"k": 1}),
        ({b"k": 1}, b"d1:k0:e", {}, {}),
        ({b"k": {1}}, b"d1:k0:e", {}, {}),
        ({b"k": 1}, b"d1:k0:e", {b"k": {1}}, {}),
        ({b"k": 1}, b"d1:k0:e", {b"k": {b"a": 1}}, {}),
        ({b"k": 1}, b"d1:k1:-e", {}, {}),
        ({b"k": 1}, b"d1:k1:-e", {b"k": 2}, {}),
        ({b"k": {1}}, b"d1:k1:-e", {}, {}),
        ({b"k": {b"a": 1}}, b"d1:k1:-e", {}, {}),
        ({b"o": 1}, b"d1:k1:-e", {}, {b"o": 1}),
        # sets
        ({}, b"d1:klli1eeleee", {b"k": {1}}, {b"k": {1}}),
        ({b"k": {1}}, b"d1:klli2eeleee", {b"k": {1, 2}}, {b"k": {1, 2}}),
        ({b"k": {1, 2}}, b"d1:klleli1eeee", {b"k": {2}}, {b"k": {2}}),
        ({b"k": {1}}, b"d1:klleli1eeee", {b"k": {2}}, {}),
        ({b"k": {1}}, b"d1:klli2eeli3eeee", {b"k": {1, 2}}, {b"k": {1, 2}}),
        ({b"k": 1}, b"d1:klli1eeleee", {b"k": {1}}, {b"k": {1}}),
        ({b"k": {b"a": 1}}, b"d1:klli1eeleee", {b"k": {1}}, {b"k": {1}}),
        ({}, b"d1:klleli1eeee", {b"k": {2}}, {}),
        # dicts
        ({}, b"d1:kd1:a0:ee", {b"k": {b"a": 1}}, {b"k": {b"a": 1}}),
        ({b"k": {b"b": 2}}, b"d1:kd1:a0:ee", {b"k": {b"a": 1}}, {b"k": {b"a": 1, b"b": 2}}),
        ({b"k": {b"a": 1}}, b"d1:kd1:a1:-ee", {b"k": {b"b": 1}}, {}),
        ({b"k": {b"a": {b"b": 1}}}, b"d1:kd1:ad1:b1:-eee", {b"k": {b"a": {b"c": 1}}}, {}),
        ({b"k": 5}, b"d1:kd1:a0:ee", {b"k": {b"a": 1}}, {b"k": {b"a": 1}}),
        ({b"k": {5}}, b"d1:kd1:a0:ee", {b"k": {b"a": 1}}, {b"k": {b"a": 1}}),
        ({b"k": 5}, b"d1:kd1:a0:ee", {b"k": {b"b": 1}}, {}),
        ({}, b"d1:kd1:a0:ee", {b"k": {b"b": 1}}, {}),
        ({b"x": 1}, b"de", {b"y": 1}, {b"x": 1}),
    ],
)
def test_what_a_diff_does(
    data: Data, changes: bytes, source: Data, result: Data, reading: Reading
) -> None:
    assert applied(data, changes, source, reading) == result


@both_readings
def test_a_removed_last_key_removes_the_dict_and_the_dict_around_it(reading: Reading) -> None:
    data: Data = {b"dictC": {b"x": {b"y": 1}}, b"other": 1}
    source: Data = {b"dictC": {b"x": {b"z": 1}}}
    assert applied(data, b"d5:dictCd1:xd1:y1:-eee", source, reading) == {b"other": 1}


@both_readings
def test_what_the_diff_does_not_name_is_shared_and_stays(reading: Reading) -> None:
    data = checked_data({b"changed": {b"a": 1}, b"kept": {b"b": {1, 2}}})
    source = checked_data({b"changed": {b"a": 2}})
    result = apply_diff(data, {b"changed": {b"a": b""}}, source, reading=reading)
    assert result == {b"changed": {b"a": 2}, b"kept": {b"b": frozenset({1, 2})}}
    assert data == {b"changed": {b"a": 1}, b"kept": {b"b": frozenset({1, 2})}}
    if reading.prune_after_each_entry:
        assert result[b"kept"] is data[b"kept"]


def test_an_empty_diff_returns_the_data_themselves() -> None:
    data = checked_data({b"a": {b"b": 1}})
    assert apply_diff(data, {}, EMPTY) is data
