"""bt-encoding: one canonical form, and one error for everything else."""

from __future__ import annotations

from typing import cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rejoin.bencode import (
    CODES,
    MAX_NESTING,
    BencodeError,
    Key,
    Value,
    decode,
    encode,
    position_of,
    skip_value,
)

scalars = st.integers(-(2**63), 2**63 - 1) | st.binary(max_size=20)
values: st.SearchStrategy[Value] = st.recursive(
    scalars,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.binary(max_size=4), inner),
    max_leaves=20,
)


def refusal(encoded: bytes, *, lenient: bool = False) -> tuple[str, int | None]:
    with pytest.raises(BencodeError) as caught:
        decode(encoded, lenient=lenient)
    assert caught.value.code in CODES
    return caught.value.code, caught.value.position


@given(values)
def test_every_proper_prefix_is_truncated(value: Value) -> None:
    encoded = encode(value)
    for length in range(len(encoded)):
        assert refusal(encoded[:length]) == ("truncated", length)


@pytest.mark.parametrize(
    ("encoded", "code", "position"),
    [
        (b"", "truncated", 0),
        (b"i", "truncated", 1),
        (b"i-", "truncated", 2),
        (b"ie", "bad-integer", 1),
        (b"i-e", "bad-integer", 2),
        (b"i+1e", "bad-integer", 1),
        (b"i 1e", "bad-integer", 1),
        (b"i1.5e", "bad-integer", 2),
        (b"i1_0e", "bad-integer", 2),
        (b"i--1e", "bad-integer", 2),
        (b"i\xd9\xa1e", "bad-integer", 1),
        (b"i00e", "integer-not-canonical", 0),
        (b"i007e", "integer-not-canonical", 0),
        (b"i-0e", "integer-not-canonical", 0),
        (b"i-07e", "integer-not-canonical", 0),
        (b"i9223372036854775808e", "integer-out-of-range", 0),
        (b"i-9223372036854775809e", "integer-out-of-range", 0),
        (b"i21000000000000000000e", "integer-out-of-range", 0),
        (b"i99999999999999999999999999e", "integer-out-of-range", 0),
        (b"3:ab", "truncated", 4),
        (b"99999999999999999999999999:ab", "truncated", 29),
        (b"18446744073709551616:", "truncated", 21),
        (b"03:abc", "string-length-not-canonical", 0),
        (b"00:", "string-length-not-canonical", 0),
        (b"1;a", "bad-string-length", 1),
        (b"1a:a", "bad-string-length", 1),
        (b"-1:a", "unexpected-byte", 0),
        (b":a", "unexpected-byte", 0),
        (b"x", "unexpected-byte", 0),
        (b" i1e", "unexpected-byte", 0),
        (b"e", "unexpected-byte", 0),
        (b"lxe", "unexpected-byte", 1),
        (b"d1:ae", "unexpected-byte", 4),
        (b"di1ei2ee", "key-not-string", 1),
        (b"dlei2ee", "key-not-string", 1),
        (b"ddei2ee", "key-not-string", 1),
        (b"d1:bi1e1:ai1ee", "keys-not-ascending", 7),
        (b"d1:ai1e1:ai1ee", "keys-not-ascending", 7),
        (b"d0:i1e0:i1ee", "keys-not-ascending", 6),
        (b"d2:aai1e1:bi1e1:ai1ee", "keys-not-ascending", 14),
        (b"d1:\xffi1e1:ai1ee", "keys-not-ascending", 7),
        (b"d1:ad1:zi1ee1:ai1ee", "keys-not-ascending", 12),
        (b"i1ei2e", "trailing-bytes", 3),
        (b"dee", "trailing-bytes", 2),
        (b"i1e\n", "trailing-bytes", 3),
    ],
)
def test_a_refusal_has_its_code_and_position(encoded: bytes, code: str, position: int) -> None:
    assert refusal(encoded) == (code, position)


@pytest.mark.parametrize(
    ("value", "code"),
    [
        (2**63, "integer-out-of-range"),
        (-(2**63) - 1, "integer-out-of-range"),
        (True, "not-encodable"),
        (None, "not-encodable"),
        (1.0, "not-encodable"),
        ("text", "not-encodable"),
        ({"text": 1}, "not-encodable"),
        ({b"a": 1, "text": 1}, "not-encodable"),
        (frozenset({1}), "not-encodable"),
    ],
)
def test_a_value_without_encoding_is_refused(value: object, code: str) -> None:
    with pytest.raises(BencodeError) as caught:
        encode(cast("Value", value))
    assert caught.value.code == code


def test_a_value_nested_too_deep_is_not_encoded() -> None:
    value: Value = []
    for _ in range(MAX_NESTING):
        value = [value]
    with pytest.raises(BencodeError) as caught:
        encode(value)
    assert caught.value.code == "nesting-too-deep"


def test_a_value_that_contains_itself_is_not_encoded() -> None:
    value: list[Value] = []
    value.append(value)
    with pytest.raises(BencodeError) as caught:
        encode(value)
    assert caught.value.code == "nesting-too-deep"


@pytest.mark.parametrize(
    ("path", "position"),
    [
        ((), 0),
        ((b"a",), 4),
        ((Key(b"a"),), 1),
        ((b"b",), 10),
        ((b"b", 0), 11),
        ((b"b", 2), 17),
        ((b"b", 2, b"x"), 21),
        ((Key(b"c"),), 26),
    ],
)
def test_a_path_leads_to_a_position(path: tuple[bytes | int, ...], position: int) -> None:
    #           0  3   7  1011 14 17     26
    encoded = b"d1:ai1e1:bli1ei2ed1:xi3eee1:c0:e"
    assert position_of(encoded, path) == position


@given(values)
def test_a_skipped_value_ends_where_a_read_value_ends(value: Value) -> None:
    encoded = encode(value)
    assert skip_value(b"x" + encoded + b"0:", 1) == 1 + len(encoded)


@pytest.mark.parametrize(
    "encoded",
    [
        b"i007e",
        b"i-0e",
        b"i" + b"9" * 40 + b"e",
        b"03:abc",
        b"d1:b0:1:a0:e",
        b"l" * 300 + b"e" * 300,
    ],
)
def test_order_range_zeros_and_depth_of_a_skipped_value_do_not_matter(encoded: bytes) -> None:
    assert skip_value(encoded, 0) == len(encoded)


@pytest.mark.parametrize(
    ("encoded", "code", "position"),
    [
        (b"", "truncated", 0),
        (b"l", "truncated", 1),
        (b"i5", "truncated", 2),
        (b"3:ab", "truncated", 4),
        (b"e", "unexpected-byte", 0),
        (b"d1:ae", "unexpected-byte", 4),
        (b"lxe", "unexpected-byte", 1),
        (b"di1ei2ee", "key-not-string", 1),
        (b"i-e", "bad-integer", 2),
        (b"1x", "bad-string-length", 1),
    ],
)
def test_a_value_whose_end_cannot_be_found_is_not_skipped(
    encoded: bytes, code: str, position: int
) -> None:
    with pytest.raises(BencodeError) as caught:
        skip_value(encoded, 0)
    assert (caught.value.code, caught.value.position) == (code, position)
