"""Conflict resolution: rules on which the readings agree."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import permutations

import pytest
from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st

from rejoin.config_merge import (
    DOCUMENT,
    READINGS,
    Reading,
    apply_diff,
    parse_message,
    resolve,
    serialise,
    update,
)
from support.config_merge import first, outer
from support.config_merge_strategies import alike_dicts

both_readings = pytest.mark.parametrize("reading", READINGS.values(), ids=list(READINGS))

Data = Mapping[bytes, object]


def chain(start: bytes, *states: Data, window: int = 5, reading: Reading = DOCUMENT) -> bytes:
    """Follow a message by one update for each state of the data."""
    for data in states:
        start = update([start], data, window=window, reading=reading).encoded
    return start


@both_readings
@given(
    base=alike_dicts,
    branches=st.lists(st.lists(alike_dicts, min_size=1, max_size=3), min_size=2, max_size=3),
    window=st.integers(1, 6),
)
def test_any_merge_is_canonical_and_the_same_in_any_order(
    reading: Reading, base: Data, branches: list[list[Data]], window: int
) -> None:
    start = first(1, base).encoded
    messages = [chain(start, *states, window=window, reading=reading) for states in branches]
    merged = resolve(messages, window=window, reading=reading).message
    for order in permutations(messages):
        result = resolve([*order, start], window=window, reading=reading).message
        assert result.encoded == merged.encoded
    parsed = parse_message(merged.encoded, window=window, reading=reading)
    assert serialise(parsed) == merged.encoded
    assert parsed.data == merged.data


@given(alike_dicts, alike_dicts, alike_dicts)
def test_a_merge_of_two_is_the_lower_change_under_the_higher(
    base: Data, one: Data, two: Data
) -> None:
    start = first(1, base).encoded
    pair = [parse_message(chain(start, data)) for data in (one, two)]
    if pair[0] == pair[1]:
        return
    low, high = sorted(pair, key=lambda message: message.rank)
    merged = resolve([low.encoded, high.encoded]).message
    replayed = high.data
    for row, source in ((parse_message(start).row, high), (low.row, low), (high.row, high)):
        replayed = apply_diff(replayed, row.diff, source.data)
    assert merged.data == replayed


def test_mixed_readings_are_possible() -> None:
    mixture = evolve(DOCUMENT, name="mixture", unknown_keys_on_merge="drop")
    pair = [outer(7, A=1), outer(7, B=1)]
    assert resolve(pair, reading=mixture).message.unknown == ()
    assert len(resolve(pair).message.unknown) == 1
