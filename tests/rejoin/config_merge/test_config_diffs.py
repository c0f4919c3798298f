"""Rows that are known from other messages are taken as they are, and checked all the same."""

from __future__ import annotations

import pytest

from rejoin import bencode
from rejoin.config_merge import (
    ConfigMergeError,
    Reading,
    parse_message,
    rows_by_prefix,
)
from support.config_merge import both_readings, outer, refusal

LOW, HIGH = b"\x01" * 32, b"\xfe" * 32


def row(
    seqno: bencode.Value = 9,
    digest: bencode.Value = LOW,
    changes: bencode.Value | None = None,
) -> bencode.Value:
    return [seqno, digest, {} if changes is None else changes]


@both_readings
def test_a_known_row_with_equal_bytes_is_taken_as_it_is(reading: Reading) -> None:
    rows = [row(8, LOW, {b"a": b"", b"s": [[1], [b"x"]]}), row(9, HIGH)]
    first = parse_message(outer(10, lagged=rows), reading=reading)
    second = outer(11, lagged=[*rows, row(10, LOW, {b"a": b"-"})])
    known = rows_by_prefix(first.lagged)
    message = parse_message(second, reading=reading, known=known)
    assert message.lagged == parse_message(second, reading=reading).lagged
    assert message.lagged[0] is first.lagged[0]
    assert message.lagged[1] is first.lagged[1]


@both_readings
def test_a_known_row_with_another_diff_is_not_taken(reading: Reading) -> None:
    first = parse_message(outer(10, lagged=[row(9, LOW, {b"a": b"-"})]), reading=reading)
    other = outer(10, lagged=[row(9, LOW, {b"a": b""})])
    message = parse_message(other, reading=reading, known=rows_by_prefix(first.lagged))
    assert message.lagged == parse_message(other, reading=reading).lagged
    assert message.lagged[0].diff == {b"a": b""}


@both_readings
def test_the_message_of_a_known_row_is_checked_all_the_same(reading: Reading) -> None:
    first = parse_message(outer(10, lagged=[row(8), row(9)]), reading=reading)
    known = rows_by_prefix(first.lagged)
    for rows, own in (([row(8), row(9)], 9), ([row(9), row(8)], 10), ([row(8), row(8)], 10)):
        encoded = outer(own, lagged=rows)
        with pytest.raises(ConfigMergeError) as again:
            parse_message(encoded, reading=reading, known=known)
        fresh = refusal(encoded, reading)
        assert (again.value.code, again.value.position) == (fresh.code, fresh.position)
