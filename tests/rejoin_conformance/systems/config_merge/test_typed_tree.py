"""Typed trees are read and written, and refused where they are none."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rejoin.bencode import Value
from rejoin_conformance.kit.json_types import DEEPEST, Json
from rejoin_conformance.systems.config_merge.typed_tree import TypedTreeError, tree_of, value_of

REFUSED: tuple[Json, ...] = (
    None,
    7,
    "",
    [],
    {},
    {"int": "1", "str": ""},
    {"float": "1"},
    {"int": 1},
    {"int": "01"},
    {"int": "-0"},
    {"int": "+1"},
    {"int": " 1"},
    {"int": ""},
    {"int": "1\n"},
    {"str": "6"},
    {"str": "6A"},
    {"str": "61\n"},
    {"str": None},
    {"list": {}},
    {"list": [1]},
    {"dict": {}},
    {"dict": [["61"]]},
    {"dict": [["61", {"int": "1"}, {"int": "2"}]]},
    {"dict": [[1, {"int": "1"}]]},
    {"dict": [["6", {"int": "1"}]]},
    {"dict": [["61", {"int": "1"}], ["61", {"int": "2"}]]},
)
VALUES: st.SearchStrategy[Value] = st.recursive(
    st.integers(-(2**63), 2**63 - 1) | st.binary(max_size=4),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.binary(max_size=3), inner, max_size=3)
    ),
    max_leaves=8,
)


@given(VALUES)
def test_a_tree_stands_for_the_value_it_was_made_of(value: Value) -> None:
    assert value_of(tree_of(value)) == value


def test_the_deepest_json_is_converted_both_ways() -> None:
    tree: Json = {"list": []}
    for _ in range(DEEPEST // 2 - 1):
        tree = {"list": [tree]}
    assert tree_of(value_of(tree)) == tree


def test_an_invalid_typed_tree_is_refused() -> None:
    for tree in REFUSED:
        with pytest.raises(TypedTreeError) as refusal:
            value_of(tree)
        twice = "twice" in refusal.value.message
        assert refusal.value.code == ("not-encodable" if twice else "input"), tree


def test_a_long_integer_is_out_of_range_without_being_converted() -> None:
    for digits in ("1" * 21, "-" + "1" * 21, "9" * 10_000):
        with pytest.raises(TypedTreeError) as refusal:
            value_of({"int": digits})
        assert refusal.value.code == "integer-out-of-range"
