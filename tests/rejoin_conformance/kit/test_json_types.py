"""JSON is read strictly and written in one form."""

from __future__ import annotations

import hashlib

import pytest

from rejoin_conformance.kit.json_types import (
    DEEPEST,
    NotStrictJsonError,
    canonical_json,
    digest_of,
    strict_json,
)
from rejoin_conformance.kit.limited_time import limited_time


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
        ("[" * 100_000, "nested too deeply: the limit is 512 levels"),
        (970 * "[" + 970 * "]", "nested too deeply"),
        (DEEPEST * '{"a":[' + "1", "nested too deeply"),
        ("[" * 600 + '"' + '\\"' * 10, "nested too deeply"),
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


def test_json_may_be_nested_up_to_the_limit_and_contain_any_brackets_in_strings() -> None:
    deep = DEEPEST * "[" + DEEPEST * "]"
    assert canonical_json(strict_json(deep)) == deep
    wide = "[" + ",".join([deep, *["[]"] * 1000]) + "]"
    with pytest.raises(NotStrictJsonError, match="nested too deeply"):
        strict_json(wide)
    assert strict_json(f'["{600 * "["}", "\\"{600 * "{"}"]') == [600 * "[", f'"{600 * "{"}']


def test_the_number_of_values_can_be_limited() -> None:
    assert strict_json("[1,2,[3]]", 5) == [1, 2, [3]]
    assert strict_json('["1,2,3,4,5,6"]', 5) == ["1,2,3,4,5,6"]
    with pytest.raises(NotStrictJsonError, match="too many values: the limit is 4"):
        strict_json("[1,2,[3]]", 4)


def test_a_double_field_is_found_in_one_pass() -> None:
    """A search through all earlier names would take minutes for an object of this size."""
    names = [f"k{number}" for number in (*range(100_000), 99_999)]
    with limited_time(20), pytest.raises(NotStrictJsonError, match="'k99999' occurs twice"):
        strict_json("{" + ",".join(f'"{name}":null' for name in names) + "}")
