"""What the functions promise for all data, diffs and messages, in every reading."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import permutations
from typing import cast

import pytest
from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st

from rejoin.config_merge import (
    DOCUMENT,
    EMPTY,
    READINGS,
    Dict,
    Reading,
    apply_diff,
    checked_data,
    diff,
    encode_data,
    encode_diff,
    parse_data,
    parse_diff,
    parse_message,
    resolve,
    serialise,
    update,
)
from rejoin.config_merge.application_data import in_order, precedes
from support.config_merge import first, outer
from support.config_merge_strategies import alike_dicts, dicts, scalars

Data = Mapping[bytes, object]

both_readings = pytest.mark.parametrize("reading", READINGS.values(), ids=list(READINGS))


@both_readings
@given(old=dicts, new=dicts)
def test_parsing_undoes_encoding(reading: Reading, old: Data, new: Data) -> None:
    before, after = checked_data(old), checked_data(new)
    assert after == new
    assert parse_data(encode_data(after), reading=reading) == after
    changes = diff(before, after)
    assert bool(changes) == (old != new)
    assert parse_diff(encode_diff(changes), reading=reading) == changes
    message = update([first(3, old).encoded], new, reading=reading)
    parsed = parse_message(message.encoded, reading=reading)
    assert parsed == message
    for part in ("data", "diff", "lagged", "span_end"):
        assert getattr(parsed, part) == getattr(message, part)
    assert serialise(parsed) == message.encoded


@given(scalars, scalars, scalars)
def test_the_order_of_elements_is_total(
    one: int | bytes, two: int | bytes, three: int | bytes
) -> None:
    assert precedes(one, two) + precedes(two, one) + (one == two) == 1
    if precedes(one, two) and precedes(two, three):
        assert precedes(one, three)


def test_integers_come_before_strings() -> None:
    assert in_order([b"b", 2, b"", -1, b"ab", b"a", 10]) == [-1, 2, 10, b"", b"a", b"ab", b"b"]


@both_readings
@given(data=alike_dicts, old=alike_dicts, new=alike_dicts)
def test_a_diff_is_applied_once_and_leaves_nothing_empty(
    reading: Reading, data: Data, old: Data, new: Data
) -> None:
    before, source = checked_data(old), checked_data(new)
    changes = diff(before, source)
    assert apply_diff(before, changes, source, reading=reading) == source
    result = apply_diff(checked_data(data), changes, source, reading=reading)
    assert checked_data(cast("Data", result)) == result
    assert apply_diff(result, changes, source, reading=reading) == result


@both_readings
def test_what_the_diff_does_not_name_is_shared_and_stays(reading: Reading) -> None:
    data = checked_data({b"changed": {b"a": 1}, b"kept": {b"b": {1, 2}}})
    source = checked_data({b"changed": {b"a": 2}})
    result = apply_diff(data, {b"changed": {b"a": b""}}, source, reading=reading)
    assert result == {b"changed": {b"a": 2}, b"kept": {b"b": frozenset({1, 2})}}
    assert data == {b"changed": {b"a": 1}, b"kept": {b"b": frozenset({1, 2})}}
    if reading.prune_after_each_entry:
        assert result[b"kept"] is data[b"kept"]


def test_diffs_are_made_and_applied_at_the_deepest_nesting() -> None:
    data: Data = {b"k": 1}
    for _ in range(63):
        data = {b"k": data}
    deepest: Dict = checked_data(data)
    changes = diff(EMPTY, deepest)
    for reading in READINGS.values():
        assert apply_diff(EMPTY, changes, deepest, reading=reading) == deepest
        assert apply_diff(deepest, diff(deepest, EMPTY), EMPTY, reading=reading) == {}


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
