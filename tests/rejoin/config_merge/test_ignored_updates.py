"""Ignored updates: the messages that are set aside, each for one reason."""

from __future__ import annotations

from itertools import permutations

import pytest

from rejoin import bencode
from rejoin.config_merge import (
    READINGS,
    Reading,
    message_hash,
    parse_message,
    resolve,
)
from support.config_merge import outer

both_readings = pytest.mark.parametrize("reading", READINGS.values(), ids=list(READINGS))


def message(seqno: int, name: int, *includes: bytes) -> bytes:
    """A message with a name in its data, and rows of those that it includes."""
    rows = sorted((parse_message(other).seqno, message_hash(other)) for other in includes)
    lagged: list[bencode.Value] = [[row_seqno, digest, {}] for row_seqno, digest in rows]
    return outer(seqno, data={b"name": name}, lagged=lagged)


def ignored(messages: list[bytes], reading: Reading, window: int = 5) -> list[tuple[int, str]]:
    resolution = resolve(messages, reading=reading, window=window)
    return [(item.index, item.why) for item in resolution.ignored]


@both_readings
@pytest.mark.parametrize("window", [1, 2, 5, 9])
def test_a_message_n_behind_the_largest_is_stale(window: int, reading: Reading) -> None:
    largest, last, stale = message(50, 0), message(51 - window, 1), message(50 - window, 2)
    assert ignored([stale, largest], reading, window) == [(0, "stale")]
    assert ignored([last, largest], reading, window) == []


@both_readings
def test_a_message_that_another_has_a_row_of_is_included(reading: Reading) -> None:
    old = message(8, 1)
    assert ignored([old, message(9, 2, old)], reading) == [(0, "included")]
    assert ignored([message(9, 2, old), old], reading) == [(1, "included")]


@both_readings
def test_seqno_and_hash_must_both_agree(reading: Reading) -> None:
    old = message(8, 1)
    same_hash = outer(9, lagged=[[7, message_hash(old), {}]])
    same_seqno = outer(9, lagged=[[8, b"h" * 32, {}]])
    assert ignored([old, same_hash], reading) == []
    assert ignored([old, same_seqno], reading) == []


@both_readings
def test_the_rows_of_an_ignored_message_count(reading: Reading) -> None:
    oldest = message(7, 1)
    old = message(8, 2, oldest)
    new = message(9, 3, old)
    for order in permutations([oldest, old, new]):
        resolution = resolve(order, reading=reading)
        assert resolution.message.encoded == new
        assert not resolution.merged


@both_readings
def test_the_first_of_equal_messages_counts(reading: Reading) -> None:
    one, two = message(8, 1), message(8, 2)
    assert ignored([one, two, one, one, two], reading) == [
        (2, "duplicate"),
        (3, "duplicate"),
        (4, "duplicate"),
    ]


@both_readings
def test_a_message_has_one_reason_and_the_first_that_holds(reading: Reading) -> None:
    stale = message(5, 1)
    included = message(9, 2)
    new = outer(10, lagged=[[5, message_hash(stale), {}], [9, message_hash(included), {}]])
    assert ignored([stale, stale, included, included, b"", b"", new], reading) == [
        (0, "stale"),
        (1, "duplicate"),
        (2, "included"),
        (3, "duplicate"),
        (4, "invalid"),
        (5, "invalid"),
    ]


@both_readings
def test_stale_comes_before_included(reading: Reading) -> None:
    old = message(8, 1)
    newer = message(9, 2, old)
    newest = message(13, 3)
    assert ignored([old, newer, newest], reading) == [(0, "stale")]


@both_readings
def test_an_invalid_message_changes_nothing_for_the_others(reading: Reading) -> None:
    good = [message(8, 1), message(8, 2), message(7, 3)]
    bad = [b"", b"x", outer(2**62), outer(100, data=[]), b"d" * 1000]
    alone = resolve(good, reading=reading)
    among = resolve([bad[0], *good, *bad[1:]], reading=reading)
    assert among.message.encoded == alone.message.encoded
    assert [(item.index, item.why) for item in among.ignored] == [
        (index, "invalid") for index in (0, 4, 5, 6, 7)
    ]


@both_readings
def test_an_invalid_message_is_reported_with_what_is_wrong(reading: Reading) -> None:
    resolution = resolve([outer(8), outer(8)[:-1]], reading=reading)
    error = resolution.ignored[0].error
    assert error is not None
    assert (error.code, error.position) == ("truncated", len(outer(8)) - 1)


@both_readings
def test_a_row_of_an_invalid_message_includes_nothing(reading: Reading) -> None:
    old = message(8, 1)
    broken = message(9, 2, old)[:-1]
    assert ignored([old, broken], reading) == [(1, "invalid")]


@both_readings
def test_the_survivors_ascend_by_rank(reading: Reading) -> None:
    messages = [message(8, 1), message(9, 2), message(8, 3), message(6, 4)]
    survivors = resolve(messages, reading=reading).survivors
    assert [survivor.rank for survivor in survivors] == sorted(
        (parse_message(encoded).seqno, message_hash(encoded)) for encoded in messages
    )
