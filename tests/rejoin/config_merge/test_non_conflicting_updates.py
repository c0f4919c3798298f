"""Non-conflicting updates: one message after another."""

from __future__ import annotations

import pytest

from rejoin.config_merge import (
    DOCUMENT,
    LIBSESSION,
    READINGS,
    ConfigMergeError,
    Reading,
    SetDiff,
    message_hash,
    parse_message,
    update,
)
from support.config_merge import first, outer

both_readings = pytest.mark.parametrize("reading", READINGS.values(), ids=list(READINGS))


@both_readings
def test_the_steps_of_an_update(reading: Reading) -> None:
    old = outer(7, data={b"a": 1, b"s": [1]}, lagged=[[6, b"h" * 32, {b"x": b"-"}]])
    new = update([old], {b"b": b"x", b"s": {1, 2}}, reading=reading)
    assert new.seqno == 8
    assert new.data == {b"b": b"x", b"s": frozenset({1, 2})}
    assert [(row.seqno, row.hash, row.diff) for row in new.lagged] == [
        (6, b"h" * 32, {b"x": b"-"}),
        (7, message_hash(old), {}),
    ]
    assert new.diff == {
        b"a": b"-",
        b"b": b"",
        b"s": SetDiff(added=frozenset({2}), removed=frozenset()),
    }


@both_readings
def test_an_update_is_what_is_parsed_of_it(reading: Reading) -> None:
    made = update([first(7, {b"a": 1}).encoded], {b"a": 2}, reading=reading)
    parsed = parse_message(made.encoded, reading=reading)
    assert parsed == made
    assert parsed.data == made.data
    assert parsed.lagged == made.lagged
    assert parsed.diff == made.diff
    assert parsed.span_end == made.span_end


@both_readings
@pytest.mark.parametrize(
    ("window", "seqnos"),
    [(1, []), (2, [9]), (3, [8, 9]), (5, [6, 7, 8, 9]), (30, list(range(1, 10)))],
)
def test_an_update_carries_the_rows_that_are_within_n(
    window: int, seqnos: list[int], reading: Reading
) -> None:
    message = first(1, {b"n": 1})
    for number in range(2, 11):
        message = update([message.encoded], {b"n": number}, window=window, reading=reading)
    assert message.seqno == 10
    assert [row.seqno for row in message.lagged] == seqnos


@both_readings
def test_an_update_without_a_change_is_made_all_the_same(reading: Reading) -> None:
    old = first(7, {b"a": 1})
    new = update([old.encoded], {b"a": 1}, reading=reading)
    assert new.seqno == 8
    assert new.diff == {}
    assert new.data == old.data


@both_readings
def test_stale_included_and_broken_messages_make_no_difference(reading: Reading) -> None:
    old = first(7, {b"a": 1}).encoded
    current = update([old], {b"a": 2}, reading=reading).encoded
    stale = first(2, {b"z": 1}).encoded
    expected = update([current], {b"a": 3}, reading=reading).encoded
    assert update([stale, current, b"x", old], {b"a": 3}, reading=reading).encoded == expected


@pytest.mark.parametrize("data", [{b"a": {}}, {b"a": None}, {b"a": b"x" * 4097}])
def test_bad_data_are_refused(data: dict[bytes, object]) -> None:
    for messages in ([], [outer(7)]):
        with pytest.raises(ConfigMergeError) as caught:
            update(messages, data)
        assert caught.value.code in {"empty-dict", "data-value", "string-too-long"}


def test_the_first_message_assigns_all_of_its_data() -> None:
    message = update([], {b"a": 1, b"s": {2}})
    assert message.encoded == b"d1:#i1e1:&d1:ai1e1:sli2eee1:<le1:=d1:a0:1:slli2eeleeee"


def test_the_first_message_of_the_library_follows_an_empty_one() -> None:
    message = update([], {b"a": 1}, reading=LIBSESSION)
    nothing = b"d1:#i0e1:&de1:<le1:=dee"
    assert message.seqno == 1
    assert [(row.seqno, row.hash, row.diff) for row in message.lagged] == [
        (0, message_hash(nothing), {})
    ]
    assert message.diff == update([], {b"a": 1}, reading=DOCUMENT).diff


@both_readings
def test_with_a_window_of_one_the_first_message_has_no_rows(reading: Reading) -> None:
    assert update([], {b"a": 1}, reading=reading, window=1).lagged == ()
