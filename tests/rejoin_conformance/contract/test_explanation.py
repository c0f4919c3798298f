"""The first difference of two values is named by its path, with both sides."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rejoin_conformance.contract.explanation import (
    Parting,
    explain_json,
    first_difference,
    first_different_line,
)
from rejoin_conformance.kit.json_types import Json

JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-3, 3) | st.text("ab", max_size=3),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text("xy", max_size=2), inner),
    max_leaves=8,
)


@pytest.mark.parametrize(
    ("expected", "observed", "parting"),
    [
        ({"a": 1, "b": 2}, {"a": 1, "b": 3}, Parting("$.b", "2", "3")),
        ({"a": 1}, {"a": True}, Parting("$.a", "1", "true")),
        ({"a": None}, {}, Parting("$.a", "null", None)),
        ({}, {"a": None}, Parting("$.a", None, "null")),
        ({"b": 1}, {"a": 0, "b": 2}, Parting("$.b", "1", "2")),
        ({"a-b": 1}, {"a-b": 2}, Parting('$["a-b"]', "1", "2")),
        ({"a": [1, [2, 3]]}, {"a": [1, [2, 4]]}, Parting("$.a[1][1]", "3", "4")),
        ([1, 2], [1], Parting("$[1]", "2", None, "2 items expected, 1 observed")),
        ([1], [1, 2], Parting("$[1]", None, "2", "1 item expected, 2 observed")),
        ("ab", "ac", Parting("$", '"ab"', '"ac"')),
        ({"a": []}, {"a": {}}, Parting("$.a", "[]", "{}")),
    ],
)
def test_the_first_difference_is_named(expected: Json, observed: Json, parting: Parting) -> None:
    assert first_difference(expected, observed) == parting


def test_long_texts_are_shown_around_their_first_difference() -> None:
    expected, observed = "0" * 500 + "1" + "0" * 500, "0" * 1001
    parting = first_difference({"hex": expected}, {"hex": observed})
    assert parting is not None
    assert parting.note == "from character 500 on (1001 expected, 1001 observed)"
    assert parting.expected == '..."' + "0" * 40 + "1" + "0" * 119 + '"...'
    assert parting.observed == '..."' + "0" * 160 + '"...'


def test_a_long_value_is_cut() -> None:
    parting = first_difference({"a": 1}, {"a": list(range(1000))})
    assert parting is not None
    assert parting.observed is not None
    assert len(parting.observed) == 163


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
