"""Outer metadata: the dict around the data, its faults, and its parts that are kept."""

from __future__ import annotations

import pytest
from hypothesis import given

from rejoin.config_merge import (
    READINGS,
    Reading,
    parse_message,
    serialise,
    update,
)
from support.config_merge import first, refusal
from support.config_merge_strategies import dicts

both_readings = pytest.mark.parametrize("reading", READINGS.values(), ids=list(READINGS))


@both_readings
@given(data=dicts)
def test_any_data_come_back(reading: Reading, data: dict[bytes, object]) -> None:
    message = first(3, data)
    parsed = parse_message(message.encoded, reading=reading)
    assert parsed == message
    assert parsed.data == message.data == data
    assert parsed.diff == message.diff
    assert serialise(parsed) == message.encoded


@both_readings
@pytest.mark.parametrize(
    ("encoded", "code", "position"),
    [
        (b"", "truncated", 0),
        (b"i1e", "not-a-dict", 0),
        (b"le", "not-a-dict", 0),
        (b"4:spam", "not-a-dict", 0),
        (b"x", "unexpected-byte", 0),
        (b"\x00" * 100, "unexpected-byte", 0),
        (b"d", "truncated", 1),
        (b"de", "seqno-missing", 1),
        (b"d1:&de1:<le1:=dee", "seqno-missing", 1),
        (b"d0:i1e1:#i1e1:&de1:<le1:=dee", "major-version-break", 1),
        (b"d1:!i1e1:#i1e1:&de1:<le1:=dee", "major-version-break", 1),
        (b'd1:"2:v21:#i1e1:&de1:<le1:=dee', "major-version-break", 1),
        (b"d1:\x00i1e1:#i1e1:&de1:<le1:=dee", "major-version-break", 1),
        (b"di1e1:#i1e1:&de1:<le1:=dee", "key-not-string", 1),
        (b"d1:#1:11:&de1:<le1:=dee", "seqno-type", 4),
        (b"d1:#de1:&de1:<le1:=dee", "seqno-type", 4),
        (b"d1:#i1e1:<le1:=dee", "data-missing", 17),
        (b"d1:#i1e1:&le1:<le1:=dee", "data-not-dict", 10),
        (b"d1:#i1e1:&d1:aleee", "empty-set", 14),
        (b"d1:#i1e1:&de1:<de1:=dee", "lagged-type", 15),
        (b"d1:#i1e1:&de1:<0:1:=dee", "lagged-type", 15),
        (b"d1:#i1e1:&de1:<le1:=lee", "diff-type", 20),
        (b"d1:#i1e1:&de1:<le1:=d1:ai1eee", "diff-value", 24),
        (b"d1:#i1e1:&dee", "lagged-missing", 12),
        (b"d1:#i1e1:&de1:<lee", "diff-missing", 17),
        (b"d1:#i1e1:#i1e1:&de1:<le1:=dee", "keys-not-ascending", 7),
        (b"d1:#i1e1:<le1:&de1:=dee", "keys-not-ascending", 12),
        (b"d1:#i1e1:&de1:<le1:=de1:>i1e1:>i1ee", "keys-not-ascending", 28),
        (b"d1:#i1e1:&de1:<le1:=de1:>di1ei1eee", "key-not-string", 26),
        (b"d1:#i1e1:&de1:<le1:=de2:~ai1ee", "key-after-signature", 22),
        (b"d1:#i1e1:&de1:<le1:=de1:\xffi1ee", "key-after-signature", 22),
        (b"d1:#e", "unexpected-byte", 4),
        (b"d1:#i1e1:&de1:<le1:=de", "truncated", 22),
    ],
)
def test_a_fault_has_its_code_and_position(
    encoded: bytes, code: str, position: int, reading: Reading
) -> None:
    error = refusal(encoded, reading)
    assert (error.code, error.position) == (code, position)


@both_readings
def test_what_is_valid_as_data_is_valid_in_every_later_message(reading: Reading) -> None:
    data: dict[bytes, object] = {b"s": {1}}
    for _ in range(62):
        data = {b"k": data}
    message = first(1, data).encoded
    for _ in range(3):
        message = update([message], {**data, b"n": len(message)}, reading=reading).encoded
        assert parse_message(message, reading=reading).encoded == message
