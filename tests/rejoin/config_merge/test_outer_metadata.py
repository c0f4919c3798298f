"""Outer metadata: the dict around the data, its faults, and its parts that are kept."""

from __future__ import annotations

import pytest
from attrs import asdict
from hypothesis import given

from rejoin import bencode
from rejoin.config_merge import (
    LIBSESSION,
    READINGS,
    Reading,
    parse_message,
    resolve,
    serialise,
    update,
)
from support.config_merge import first, outer, refusal, worked_example
from support.config_merge_strategies import dicts

EXAMPLE = worked_example()
both_readings = pytest.mark.parametrize("reading", READINGS.values(), ids=list(READINGS))


def test_the_parts_of_a_message() -> None:
    message = parse_message(b"d1:#i7e1:&d1:ai1ee1:<lli6e32:" + b"h" * 32 + b"deee1:=d1:a0:ee")
    assert message.seqno == 7
    assert message.data == {b"a": 1}
    assert [(row.seqno, row.hash, row.diff) for row in message.lagged] == [(6, b"h" * 32, {})]
    assert message.diff == {b"a": b""}
    assert message.unknown == ()
    assert message.signature is None


@both_readings
def test_serialising_undoes_parsing(reading: Reading) -> None:
    encoded: dict[str, bytes] = asdict(EXAMPLE)
    for message in encoded.values():
        assert serialise(parse_message(message, reading=reading)) == message


@both_readings
@given(data=dicts)
def test_any_data_come_back(reading: Reading, data: dict[bytes, object]) -> None:
    message = first(3, data)
    parsed = parse_message(message.encoded, reading=reading)
    assert parsed == message
    assert parsed.data == message.data == data
    assert parsed.diff == message.diff
    assert serialise(parsed) == message.encoded


def test_the_smallest_message() -> None:
    message = parse_message(b"d1:#i0e1:&de1:<le1:=dee")
    assert (message.seqno, message.data, message.lagged, message.diff) == (0, {}, (), {})


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


def test_nothing_follows_a_message() -> None:
    error = refusal(outer() + b"\n")
    assert (error.code, error.position) == ("trailing-bytes", len(outer()))


UNKNOWN: dict[bytes, bencode.Value] = {
    b"#2": 5,
    b"$": {b"z": {}, b"": []},
    b"*": [3, 1, 1, [], [2, b""]],
    b";": bytes(5000),
    b"=0": {bytes(200): 1},
    b"A": -(2**63),
    b"}": b"last",
}


def with_unknown(seqno: int, **others: bencode.Value) -> bytes:
    unknown = {key.decode(): value for key, value in UNKNOWN.items()} | others
    return outer(seqno, None, None, None, **unknown)


@both_readings
def test_unknown_keys_may_hold_anything_in_canonical_form(reading: Reading) -> None:
    message = parse_message(with_unknown(1), reading=reading)
    assert dict(message.unknown) == {key: bencode.encode(UNKNOWN[key]) for key in UNKNOWN}
    assert serialise(message) == with_unknown(1)


@both_readings
def test_an_update_carries_unknown_keys_on(reading: Reading) -> None:
    updated = update([with_unknown(1)], {b"a": 1}, reading=reading)
    assert updated.unknown == parse_message(with_unknown(1)).unknown
    decoded = bencode.decode(updated.encoded)
    assert isinstance(decoded, dict)
    assert list(decoded) == sorted([b"#", b"&", b"<", b"=", *UNKNOWN])


def test_a_merge_carries_on_the_unknown_keys_of_the_highest() -> None:
    one, two = with_unknown(1, B=1), with_unknown(2, C=2)
    merged = resolve([two, one]).message
    assert merged.seqno == 3
    assert merged.unknown == parse_message(two).unknown


def test_a_merge_with_a_local_change_keeps_them_too() -> None:
    merged = update([with_unknown(1, B=1), with_unknown(2, C=2)], {b"a": 1})
    assert dict(merged.unknown)[b"C"] == b"i2e"
    assert b"B" not in dict(merged.unknown)


def test_the_library_drops_unknown_keys_on_a_merge() -> None:
    merged = resolve([with_unknown(1), with_unknown(2)], reading=LIBSESSION).message
    assert merged.unknown == ()


def test_an_unknown_value_is_encoded_canonically_wherever_it_stands() -> None:
    for value in (b"i01e", b"01:a", b"d1:bi1e1:ai1ee", b"l" * 100 + b"e" * 100):
        encoded = b"d1:#i1e1:&de1:<le1:=de1:>" + value + b"e"
        assert refusal(encoded).position in range(25, 25 + len(value))


@both_readings
def test_an_unknown_value_nests_to_the_limit_of_the_encoding(reading: Reading) -> None:
    deepest = b"d1:#i1e1:&de1:<le1:=de1:>" + b"l" * 99 + b"e" * 99 + b"e"
    assert parse_message(deepest, reading=reading).unknown
    deeper = b"d1:#i1e1:&de1:<le1:=de1:>" + b"l" * 100 + b"e" * 100 + b"e"
    assert refusal(deeper, reading).code == "nesting-too-deep"


@both_readings
def test_what_is_valid_as_data_is_valid_in_every_later_message(reading: Reading) -> None:
    data: dict[bytes, object] = {b"s": {1}}
    for _ in range(62):
        data = {b"k": data}
    message = first(1, data).encoded
    for _ in range(3):
        message = update([message], {**data, b"n": len(message)}, reading=reading).encoded
        assert parse_message(message, reading=reading).encoded == message
