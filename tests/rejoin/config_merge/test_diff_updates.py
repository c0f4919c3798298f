"""Diff updates: how to make a diff, where the readings agree."""

from __future__ import annotations

import pytest
from hypothesis import given

from rejoin.config_merge import (
    EMPTY,
    READINGS,
    Dict,
    Diff,
    Reading,
    apply_diff,
    checked_data,
    diff,
)
from support.config_merge_strategies import alike_dicts, dicts

Data = dict[bytes, object]

both_readings = pytest.mark.parametrize("reading", READINGS.values(), ids=list(READINGS))


@both_readings
@given(old=alike_dicts, new=alike_dicts)
def test_a_diff_leads_from_the_old_data_to_the_new(reading: Reading, old: Data, new: Data) -> None:
    before, after = checked_data(old), checked_data(new)
    assert apply_diff(before, diff(before, after), after, reading=reading) == after


@given(dicts, dicts)
def test_equal_data_have_no_diff_and_different_data_have_one(old: Data, new: Data) -> None:
    assert bool(diff(checked_data(old), checked_data(new))) == (old != new)


def test_diffs_are_made_and_applied_at_the_deepest_nesting() -> None:
    deepest = deep_data(64)
    changes: Diff = diff(EMPTY, deepest)
    for reading in READINGS.values():
        assert apply_diff(EMPTY, changes, deepest, reading=reading) == deepest
        assert apply_diff(deepest, diff(deepest, EMPTY), EMPTY, reading=reading) == {}


def deep_data(levels: int) -> Dict:
    data: Data = {b"k": 1}
    for _ in range(levels - 1):
        data = {b"k": data}
    return checked_data(data)
