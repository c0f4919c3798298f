"""Hostile input: one documented error, whatever the bytes."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rejoin import bencode
from rejoin.config_merge import (
    CODES,
    ConfigMergeError,
    Message,
    Reading,
    decrypt,
    parse_data,
    parse_diff,
    parse_message,
    resolve,
    serialise,
    update,
)
from support.config_merge import both_readings, example, first, outer

MEBIBYTE = 2**20
GOOD = [example("125a"), example("125b")]


def outcome(encoded: bytes, reading: Reading) -> Message | ConfigMergeError:
    try:
        return parse_message(encoded, reading=reading)
    except ConfigMergeError as error:
        return error


def is_documented(error: ConfigMergeError, encoded: bytes) -> bool:
    return error.code in CODES and error.position in range(len(encoded) + 1)


HEAD, TAIL = b"d1:#i7e1:&d", b"e1:<le1:=dee"

HUGE = {
    "lists": b"l" * MEBIBYTE,
    "dicts": b"d0:" * (MEBIBYTE // 3),
    "dicts in data": HEAD + b"1:kd" * (MEBIBYTE // 4) + b"e" * (MEBIBYTE // 4) + TAIL,
    "lists in data": HEAD + b"1:k" + b"l" * MEBIBYTE + b"e" * MEBIBYTE + TAIL,
    "digits in data": HEAD + b"1:ki" + b"1" * MEBIBYTE + b"e" + TAIL,
    "zeros in data": HEAD + b"1:ki" + b"0" * MEBIBYTE + b"xe" + TAIL,
    "a length in data": HEAD + b"1:k" + b"9" * MEBIBYTE + b":" + TAIL,
    "digits in the seqno": b"d1:#i" + b"9" * MEBIBYTE + b"e" + TAIL,
    "lists in a row": b"d1:#i7e1:&de1:<l" + b"l" * MEBIBYTE,
    "lists in a diff": b"d1:#i7e1:&de1:<le1:=d1:a" + b"l" * MEBIBYTE,
    "dicts in a diff": b"d1:#i7e1:&de1:<le1:=" + b"d1:a" * (MEBIBYTE // 4),
    "lists in an unknown value": b"d1:#i7e1:&de1:<le1:=de1:>" + b"l" * MEBIBYTE,
    "lists before everything": b"d0:" + b"l" * MEBIBYTE,
    "lists for a key": b"d" + b"l" * MEBIBYTE,
    "nothing but a bracket": b"d" * MEBIBYTE,
    "no dict": b"le" * (MEBIBYTE // 2),
    "NUL": bytes(MEBIBYTE),
}


@both_readings
@pytest.mark.parametrize("encoded", HUGE.values(), ids=HUGE)
def test_a_mebibyte_of_malice_is_refused_and_affects_nothing_else(
    encoded: bytes, reading: Reading
) -> None:
    error = outcome(encoded, reading)
    assert isinstance(error, ConfigMergeError)
    assert is_documented(error, encoded)
    resolution = resolve([GOOD[0], encoded, GOOD[1]], reading=reading)
    assert resolution.message.encoded == example("126a")
    assert [(item.index, item.why) for item in resolution.ignored] == [(1, "invalid")]


@both_readings
def test_a_mebibyte_of_good_data_is_read(reading: Reading) -> None:
    many = {b"%07d" % number: number for number in range(60_000)}
    message = first(7, many)
    assert len(message.encoded) > MEBIBYTE
    assert serialise(parse_message(message.encoded, reading=reading)) == message.encoded


@both_readings
def test_a_mebibyte_of_rows_is_read(reading: Reading) -> None:
    rows: list[bencode.Value] = [[number, b"h" * 32, {}] for number in range(25_000)]
    encoded = outer(25_000, lagged=rows)
    assert len(encoded) > MEBIBYTE
    assert len(parse_message(encoded, reading=reading, window=25_000).lagged) == 24_999


@both_readings
@given(encoded=st.binary(max_size=60))
def test_any_bytes_give_a_message_or_one_documented_error(reading: Reading, encoded: bytes) -> None:
    result = outcome(encoded, reading)
    if isinstance(result, ConfigMergeError):
        assert is_documented(result, encoded)
    else:  # Hypothesis draws literals that it finds in the sources, a whole small message too
        assert result.encoded == encoded


@both_readings
@given(
    message=st.sampled_from([*map(example, ("123", "124b", "126b", "127"))]),
    edits=st.lists(
        st.tuples(
            st.integers(0, 10_000),
            st.sampled_from(["put", "cut", "add", "swap"]),
            st.binary(min_size=1, max_size=3),
        ),
        min_size=1,
        max_size=3,
    ),
)
def test_a_damaged_message_gives_a_message_or_one_documented_error(
    reading: Reading, message: bytes, edits: list[tuple[int, str, bytes]]
) -> None:
    damaged = message
    for place, kind, piece in edits:
        at = place % len(damaged)
        after = {"put": at + len(piece), "cut": at + len(piece), "add": at, "swap": at + 1}[kind]
        damaged = damaged[:at] + (b"" if kind == "cut" else piece) + damaged[after:] or b"d"
    result = outcome(damaged, reading)
    if isinstance(result, ConfigMergeError):
        assert is_documented(result, damaged)
    else:
        resolution = resolve([*GOOD, damaged], reading=reading)
        assert resolution.message.seqno >= 125
        update([*GOOD, damaged], {b"a": 1}, reading=reading)


@both_readings
def test_every_prefix_of_a_message_is_truncated(reading: Reading) -> None:
    for length in range(len(example("127"))):
        prefix = example("127")[:length]
        error = outcome(prefix, reading)
        assert isinstance(error, ConfigMergeError)
        assert (error.code, error.position) == ("truncated", length)


@both_readings
def test_every_other_byte_at_every_place_is_noticed_or_another_message(reading: Reading) -> None:
    message = example("123")
    for at in range(0, len(message), 3):
        for byte in (0, 0x30, 0x39, 0x3A, 0x64, 0x65, 0x69, 0x6C, 0xFF):
            damaged = message[:at] + bytes([byte]) + message[at + 1 :]
            result = outcome(damaged, reading)
            if isinstance(result, ConfigMergeError):
                assert is_documented(result, damaged)
            elif damaged != message:
                assert result.rank != parse_message(message).rank


@both_readings
@given(encoded=st.binary(max_size=60))
def test_data_diffs_and_ciphertexts_of_any_bytes(reading: Reading, encoded: bytes) -> None:
    for parse in (parse_data, parse_diff):
        try:
            parse(encoded, reading=reading)
        except ConfigMergeError as error:
            position = error.position
            assert position in range(len(encoded) + 1)
    with pytest.raises(ConfigMergeError):
        decrypt(encoded, bytes(32), reading=reading, domain=b"domain")
