"""JSON is read strictly and written in one form."""

from __future__ import annotations

import hashlib

import pytest

from rejoin_conformance.kit.json_types import (
    NotStrictJsonError,
    canonical_json,
    digest_of,
    strict_json,
)


def test_the_canonical_text_sorts_keys_and_escapes_what_is_not_ascii() -> None:
    assert canonical_json({"b": [1, None, True], "a": "\u00e9"}) == (
        '{"a":"\\u00e9","b":[1,null,true]}'
    )


def test_the_digest_is_blake2b_of_the_canonical_text() -> None:
    assert digest_of({}) == hashlib.blake2b(b"{}", digest_size=32).hexdigest()


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("1.0", "only integers"),
        ("[1e3]", "only integers"),
        ("NaN", "only integers"),
        ("-Infinity", "only integers"),
        ('{"a":1,"a":2}', "'a' occurs twice"),
        ("{", "at character 1"),
        ("", "at character 0"),
        ("[" * 100_000, "nested too deeply"),
        ("9" * 5000, "too many digits"),
        (b"\xff", "not UTF-8"),
        (b'"\xed\xa0\x80"', "not UTF-8"),
        ("1".encode("utf-16"), "not UTF-8"),
    ],
)
def test_everything_else_is_refused_with_a_reason(text: str | bytes, reason: str) -> None:
    with pytest.raises(NotStrictJsonError, match=reason):
        strict_json(text)


def test_integers_keep_their_value() -> None:
    assert strict_json("[9223372036854775807]") == [2**63 - 1]


def test_a_byte_order_mark_is_passed_over() -> None:
    assert strict_json(b"\xef\xbb\xbf[1]") == [1]
