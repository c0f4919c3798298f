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
)
from support.config_merge_strategies import alike_dicts

Data = dict[bytes, object]

both_readings = pytest.mark.parametrize("reading", READINGS.values(), ids=list(READINGS))


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
