"""The first difference of two values is named by its path, with both sides."""

from __future__ import annotations

import json

from hypothesis import given
from hypothesis import strategies as st

from rejoin_conformance.contract.differences import first_difference
from rejoin_conformance.contract.explanation import (
    FirstDifference,
    difference_text,
    explain_json,
    first_different_line,
)
from rejoin_conformance.kit.json_types import Json


def first_text(expected: Json, observed: Json) -> FirstDifference | None:
    """Return the first difference of two values as text."""
    first = first_difference(expected, observed)
    return None if first is None else difference_text(first)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-3, 3) | st.text("ab", max_size=3),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text("xy", max_size=2), inner),
    max_leaves=8,
)


FIRST: list[tuple[Json, Json, FirstDifference]] = [
    ({"a": 1, "b": 2}, {"a": 1, "b": 3}, FirstDifference("$.b", "2", "3")),
    ({"a": 1}, {"a": True}, FirstDifference("$.a", "1", "true")),
    ({"a": None}, {}, FirstDifference("$.a", "null", None)),
    ({}, {"a": None}, FirstDifference("$.a", None, "null")),
    ({"b": 1}, {"a": 0, "b": 2}, FirstDifference("$.b", "1", "2")),
    ({"a-b": 1}, {"a-b": 2}, FirstDifference('$["a-b"]', "1", "2")),
    ({"a": [1, [2, 3]]}, {"a": [1, [2, 4]]}, FirstDifference("$.a[1][1]", "3", "4")),
    ([1, 2], [1], FirstDifference("$[1]", "2", None, "{0} 2 items, {1} 1")),
    ([1], [1, 2], FirstDifference("$[1]", None, "2", "{0} 1 item, {1} 2")),
    ("ab", "ac", FirstDifference("$", '"ab"', '"ac"')),
    ({"a": []}, {"a": {}}, FirstDifference("$.a", "[]", "{}")),
]


def test_the_first_difference_is_named() -> None:
    for expected, observed, first in FIRST:
        assert first_text(expected, observed) == first


def test_long_texts_are_shown_around_their_first_difference() -> None:
    expected, observed = "0" * 500 + "1" + "0" * 500, "0" * 1001
    first = first_text({"hex": expected}, {"hex": observed})
    assert first is not None
    assert first.note == "from character 500 on ({0} 1001, {1} 1001)"
    assert first.expected == '..."' + "0" * 40 + "1" + "0" * 119 + '"...'
    assert first.observed == '..."' + "0" * 160 + '"...'


def test_a_long_value_is_cut() -> None:
    first = first_text({"a": 1}, {"a": list(range(1000))})
    assert first is not None
    assert first.observed is not None
    assert len(first.observed) == 163


def test_texts_differ_in_a_line() -> None:
    assert first_different_line("a\nb\nc", "a\nx\nc", "answer") == (
        "at line 2 of the answer\n  expected  b\n  observed  x"
    )
    assert first_different_line("a", "a\nb", "answer") == (
        "at line 2 of the answer\n  expected  (nothing)\n  observed  b"
    )
    assert first_different_line("a", "a", "answer") is None
    assert first_different_line("a", None, "answer") is None


def test_an_explanation_has_both_sides_below_each_other() -> None:
    assert explain_json({"half": 4}, {}) == ("at $.half\n  expected  4\n  observed  (nothing)")


@given(JSON, JSON)
def test_there_is_a_difference_exactly_where_the_values_differ(one: Json, other: Json) -> None:
    same = json.dumps(one, sort_keys=True) == json.dumps(other, sort_keys=True)
    assert (first_difference(one, other) is None) == same
    assert (explain_json(one, other) == "") == same
