"""What each reading accepts as a message: the errata about encoding, rows and signatures."""

from __future__ import annotations

import pytest

from rejoin.config_merge import (
    DOCUMENT,
    LIBSESSION,
    READINGS,
    ConfigMergeError,
    Reading,
    message_hash,
    parse_message,
    signed_span,
    update,
)
from support.config_merge import first, outer, refusal

both_readings = pytest.mark.parametrize("reading", READINGS.values(), ids=list(READINGS))
HASH = b"h" * 32


@pytest.mark.parametrize(
    ("encoded", "code"),
    [
        (b"d1:#i1e1:&de1:=dee", "lagged-missing"),
        (b"d1:#i1e1:&de1:~64:" + bytes(64) + b"e", "lagged-missing"),
        (b"d1:#i1e1:&de1:>i1ee", "lagged-missing"),
        (b"d1:#i1e1:&de1:<le1:>i1ee", "diff-missing"),
        (b"d1:#i1e1:&de1:<le1:~64:" + bytes(64) + b"e", "diff-missing"),
    ],
    ids=["no <", "neither, signed", "neither, unknown key", "no =", "no =, signed"],
)
def test_12_fields_that_the_library_misses_only_at_the_end(encoded: bytes, code: str) -> None:
    assert refusal(encoded).code == code
    message = parse_message(encoded, reading=LIBSESSION)
    assert (message.lagged, message.diff) == ((), {})


@both_readings
@pytest.mark.parametrize(
    ("encoded", "code"),
    [
        (b"d1:#i1e1:&dee", "lagged-missing"),
        (b"d1:#i1e1:&de1:'i1ee", "lagged-missing"),
        (b"d1:#i1e1:&de1:<lee", "diff-missing"),
        (b"d1:#i1e1:&de1:;i1ee", "lagged-missing"),
        (b"d1:#i1e1:&de1:<le2:<<i1ee", "diff-missing"),
    ],
    ids=["neither", "key before <", "no =", "key before both", "key between"],
)
def test_12_fields_that_both_readings_miss(encoded: bytes, code: str, reading: Reading) -> None:
    error = refusal(encoded, reading)
    if error.code != code:
        assert reading == LIBSESSION
        assert error.code == "diff-missing"


@pytest.mark.parametrize(
    "encoded",
    [
        outer(1, data={bytes(129): 1}),
        outer(1, data={b"k": bytes(4097)}),
        outer(1, data={b"k": [bytes(4097)]}),
        outer(1, changes={bytes(129): b""}),
        outer(1, changes={b"k": [[bytes(4097)], []]}),
        outer(2, lagged=[[1, HASH, {bytes(129): b"-"}]]),
    ],
    ids=["key", "string", "element", "diff key", "diff element", "row key"],
)
def test_13_limits_of_size(encoded: bytes) -> None:
    assert refusal(encoded).code in {"key-too-long", "string-too-long"}
    assert parse_message(encoded, reading=LIBSESSION).encoded == encoded


@pytest.mark.parametrize(
    ("encoded", "code"),
    [
        (b"d1:#i01e1:&de1:<le1:=dee", "integer-not-canonical"),
        (b"d01:#i1e1:&de1:<le1:=dee", "string-length-not-canonical"),
        (b"d1:#i1e1:&d1:ai-0ee1:<le1:=dee", "integer-not-canonical"),
        (b"d1:#i1e1:&d1:a03:abce1:<le1:=dee", "string-length-not-canonical"),
        (b"d1:#i1e1:&de1:<lli00e032:" + HASH + b"deee1:=dee", "integer-not-canonical"),
        (b"d1:#i1e1:&de1:<le1:=d01:a00:ee", "string-length-not-canonical"),
        (b"d1:#i1e1:&de1:<le1:=de1:Ai007ee", "integer-not-canonical"),
        (b"d1:#i1e1:&de1:<le1:=deetrailing", "trailing-bytes"),
    ],
)
def test_14_encodings_that_are_not_canonical(encoded: bytes, code: str) -> None:
    assert refusal(encoded).code == code
    message = parse_message(encoded, reading=LIBSESSION)
    assert message.encoded == encoded
    assert message.hash == message_hash(encoded)


def test_14_what_follows_a_message_that_is_not_canonical_is() -> None:
    odd = b"d1:#i07e1:&d1:ai-0ee1:<lli06e32:" + HASH + b"d1:a00:eee1:=d01:a0:e1:A01:xe "
    followed = update([odd], {b"b": 1}, reading=LIBSESSION)
    strict = parse_message(followed.encoded)
    assert [(row.seqno, row.hash) for row in strict.lagged] == [(6, HASH), (7, message_hash(odd))]
    assert strict.unknown == ((b"A", b"1:x"),)


def test_15_expired_rows() -> None:
    encoded = outer(10, lagged=[[1, b"short", {}]])
    assert refusal(encoded).code == "row-hash-length"
    assert parse_message(encoded, reading=LIBSESSION).lagged == ()


@both_readings
def test_16_a_row_at_or_above_the_seqno_of_its_message(reading: Reading) -> None:
    for seqno in (10, 11):
        assert refusal(outer(10, lagged=[[seqno, HASH, {}]]), reading).code == "row-seqno"


def test_66_a_row_of_a_negative_seqno_within_the_window() -> None:
    encoded = outer(2, lagged=[[-2, b"\x66" * 32, {}]])
    with pytest.raises(ConfigMergeError) as caught:
        parse_message(encoded, reading=DOCUMENT)
    assert caught.value.code == "row-seqno"
    assert [row.seqno for row in parse_message(encoded, reading=LIBSESSION).lagged] == [-2]
    assert parse_message(encoded, reading=LIBSESSION, window=4).lagged == ()


def test_68_leading_zeros_of_the_signature_key_are_signed() -> None:
    unsigned = first(7, {b"a": 1}).encoded
    padded = unsigned[:-1] + b"001:~64:" + bytes(64) + b"e"
    message = parse_message(padded, reading=LIBSESSION)
    assert signed_span(message) == unsigned[:-1] + b"00"
