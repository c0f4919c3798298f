"""Conflict resolution: rules on which the readings agree."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import permutations

import pytest
from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st

from rejoin import bencode
from rejoin.config_merge import (
    DOCUMENT,
    READINGS,
    Reading,
    apply_diff,
    message_hash,
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


def merged_data(*messages: bytes, reading: Reading = DOCUMENT) -> object:
    resolution = resolve(messages, reading=reading)
    assert resolution.merged
    return resolution.message.data


@both_readings
def test_changes_of_different_keys_are_both_kept(reading: Reading) -> None:
    base = first(1, {b"a": 1, b"b": 1}).encoded
    one = chain(base, {b"a": 2, b"b": 1}, reading=reading)
    two = chain(base, {b"a": 1, b"b": 2}, reading=reading)
    assert merged_data(one, two, reading=reading) == {b"a": 2, b"b": 2}


@both_readings
def test_elements_added_and_removed_by_different_clients_add_up(reading: Reading) -> None:
    base = first(1, {b"s": {1, 2, 3}}).encoded
    one = chain(base, {b"s": {2, 3, 10}}, reading=reading)
    two = chain(base, {b"s": {1, 2, 20}}, reading=reading)
    assert merged_data(one, two, reading=reading) == {b"s": frozenset({2, 10, 20})}


@both_readings
def test_of_two_changes_of_a_key_the_one_of_higher_hash_stands(reading: Reading) -> None:
    base = first(1, {b"a": 0}).encoded
    updates = [chain(base, {b"a": value}, reading=reading) for value in (1, 2)]
    winner = max(updates, key=message_hash)
    assert merged_data(*updates, reading=reading) == parse_message(winner).data


@both_readings
def test_of_two_changes_of_a_key_the_one_of_higher_seqno_stands(reading: Reading) -> None:
    base = first(1, {b"a": 0}).encoded
    late = chain(base, {b"a": 0, b"n": 0}, {b"a": b"late", b"n": 0}, reading=reading)
    for value in range(10):
        early = chain(base, {b"a": b"early", b"n": value}, reading=reading)
        assert resolve([early, late], reading=reading).message.data[b"a"] == b"late"


@both_readings
def test_a_removal_of_a_key_undoes_an_earlier_assignment(reading: Reading) -> None:
    base = first(1, {b"a": 0, b"b": 0}).encoded
    assigned = chain(base, {b"a": 5, b"b": 0}, reading=reading)
    removed = chain(base, {b"a": 0, b"b": 1}, {b"b": 1}, reading=reading)
    assert merged_data(assigned, removed, reading=reading) == {b"b": 1}


@both_readings
def test_a_dict_goes_when_its_keys_were_removed_by_different_clients(reading: Reading) -> None:
    base = first(1, {b"d": {b"x": 1, b"y": 1}, b"o": 1}).encoded
    one = chain(base, {b"d": {b"x": 1}, b"o": 1}, reading=reading)
    two = chain(base, {b"d": {b"y": 1}, b"o": 1}, reading=reading)
    assert merged_data(one, two, reading=reading) == {b"o": 1}


@both_readings
def test_the_seqno_is_one_above_the_largest(reading: Reading) -> None:
    messages = [outer(7, data={b"a": 1}), outer(9, data={b"a": 2}), outer(8, data={b"a": 3})]
    assert resolve(messages, reading=reading).message.seqno == 10


@both_readings
def test_a_row_takes_its_value_from_the_highest_message_that_carries_it(reading: Reading) -> None:
    changed: bencode.Value = [6, b"h" * 32, {b"a": b""}]
    low = outer(7, data={b"a": b"low"}, lagged=[changed])
    high = outer(8, data={b"a": b"high"}, lagged=[changed])
    top = outer(9, data={b"a": b"top"})
    assert merged_data(top, low, high, reading=reading) == {b"a": b"high"}


@both_readings
def test_rows_and_messages_are_replayed_in_one_order(reading: Reading) -> None:
    row: bencode.Value = [8, b"h" * 32, {b"a": b""}]
    by_row = outer(9, data={b"a": b"row"}, lagged=[row])
    below = outer(7, data={b"a": b"below"}, changes={b"a": b""})
    assert merged_data(by_row, below, reading=reading) == {b"a": b"row"}
    above = outer(9, data={b"a": b"above"}, changes={b"a": b""})
    assert merged_data(by_row, above, reading=reading) == {b"a": b"above"}


@both_readings
@pytest.mark.parametrize("window", [1, 2, 3, 5, 8])
def test_a_merge_keeps_the_rows_that_are_within_n(window: int, reading: Reading) -> None:
    base = first(1, {b"n": 1}).encoded
    one = chain(base, *[{b"n": n} for n in range(2, 11)], window=window, reading=reading)
    two = chain(base, *[{b"m": n} for n in range(2, 11)], window=window, reading=reading)
    merged = resolve([one, two], window=window, reading=reading).message
    seqnos = [row.seqno for row in merged.lagged]
    assert merged.seqno == 11
    assert seqnos == sorted(seqnos)
    assert set(seqnos) == {seqno for seqno in range(1, 11) if seqno > 11 - window}
    assert merged.diff == {}


@both_readings
def test_with_a_window_of_one_a_merge_has_no_rows_and_still_stands(reading: Reading) -> None:
    pair = [outer(7, data={b"a": 1}), outer(7, data={b"a": 2})]
    merged = resolve(pair, window=1, reading=reading).message
    assert merged.lagged == ()
    again = resolve([*pair, merged.encoded], window=1, reading=reading)
    assert again.message.encoded == merged.encoded
    assert not again.merged


@both_readings
def test_rows_are_copied_into_a_merge_unchanged(reading: Reading) -> None:
    row: bencode.Value = [8, b"h" * 32, {b"a": b"", b"s": [[1], [2]], b"t": {b"x": b"-"}}]
    merged = resolve([outer(9, lagged=[row]), outer(9, data={b"b": 1})], reading=reading).message
    assert bencode.encode(row) in [entry.encoded for entry in merged.lagged]


@both_readings
def test_a_local_change_is_part_of_the_merge(reading: Reading) -> None:
    base = first(1, {b"a": 1}).encoded
    pair = [chain(base, {b"a": 1, b"b": 1}), chain(base, {b"a": 1, b"c": 1})]
    pure = resolve(pair, reading=reading).message
    changed = update(pair, {b"b": 1, b"c": 2}, reading=reading)
    assert changed.seqno == pure.seqno == 3
    assert changed.lagged == pure.lagged
    assert changed.data == {b"b": 1, b"c": 2}
    assert changed.diff == {b"a": b"-", b"c": b""}


@both_readings
def test_a_local_change_that_changes_nothing_is_a_pure_merge(reading: Reading) -> None:
    pair = [outer(7, data={b"a": 1}), outer(7, data={b"b": 1})]
    pure = resolve(pair, reading=reading).message
    assert update(pair, pure.data, reading=reading).encoded == pure.encoded


@both_readings
def test_the_merge_stands_above_all_that_it_merged(reading: Reading) -> None:
    base = first(1, {b"a": 1}).encoded
    messages = [chain(base, {b"a": n}, reading=reading) for n in range(2, 6)]
    merged = resolve(messages, reading=reading).message
    again = resolve([*messages, merged.encoded, base], reading=reading)
    assert again.message.encoded == merged.encoded
    assert not again.merged
    assert {item.why for item in again.ignored} == {"included"}


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
