from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rejoin_conformance.kit.tla_values import (
    MOST_NESTED,
    Function,
    ModelValue,
    TlaValueError,
    Value,
    function,
    parse_value,
    record,
    same,
    to_tla,
)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("17", 17),
        ("-3", -3),
        ("TRUE", True),
        ("FALSE", False),
        ('"a b"', "a b"),
        (r'"say \"a\\b\"\n"', 'say "a\\b"\n'),
        ("{}", frozenset()),
        ("<< >>", ()),
        ("{1, 2}", frozenset({1, 2})),
        ("2..4", frozenset({2, 3, 4})),
        ("3..2", frozenset()),
        ("<<1, <<2>>, {}>>", (1, (2,), frozenset())),
        ("A_1", ModelValue("A_1")),
        ("[b |-> 1, a |-> <<>>]", record(a=(), b=1)),
        ('("x y" :> 1 @@ "z" :> 2)', Function((("x y", 1), ("z", 2)))),
        ("(1 :> 5 @@ 2 :> 6)", (5, 6)),
        ("(2 :> 6 @@ 1 :> 5)", (5, 6)),
        ("(0 :> 5 @@ 1 :> 6)", Function(((0, 5), (1, 6)))),
        ("({1} :> <<>>)", Function(((frozenset({1}), ()),))),
        ("((7))", 7),
        ("[a |->\n  {<<1,\n     2>>}]\n", record(a=frozenset({(1, 2)}))),
    ],
)
def test_what_tlc_prints_is_read(text: str, value: Value) -> None:
    found = parse_value(text)
    assert found == value
    assert type(found) is type(value)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "  ",
        "1 2",
        "{1",
        "{1,}",
        "{,1}",
        "1}",
        "<<1}",
        "{1 :> 2}",
        "[a |-> ]",
        "[1 |-> 2]",
        "[a |-> 1, b]",
        "[a]",
        "[]",
        "()",
        "(1 :> 2 @@ 3)",
        "(1 :> 2, 3 :> 4)",
        "(1, 2)",
        "1 :> 2",
        "1, 2",
        '"open',
        "a..b",
        "1..99999999999",
        "1..",
        "9" * 5000,
        "#",
        "[a |-> 1 |-> 2]",
    ],
)
def test_anything_else_is_refused(text: str) -> None:
    with pytest.raises(TlaValueError):
        parse_value(text)


@pytest.mark.parametrize(("opening", "closing"), [("{", "}"), ("<<", ">>"), ("(", ")")])
def test_what_is_too_deep_is_refused_at_once(opening: str, closing: str) -> None:
    assert to_tla(parse_value(opening * MOST_NESTED + "1" + closing * MOST_NESTED))
    for depth in (MOST_NESTED + 1, 300_000):
        with pytest.raises(TlaValueError, match="deep"):
            parse_value(opening * depth + "1" + closing * depth)


def test_a_long_value_is_read_in_one_pass() -> None:
    numbers = tuple(range(200_000))
    assert parse_value(to_tla(numbers)) == numbers


def test_equal_values_have_one_text() -> None:
    assert to_tla(frozenset({"b", "a"})) == '{"a", "b"}'
    assert to_tla(record(b=True, a=frozenset[Value]())) == "[a |-> {}, b |-> TRUE]"
    assert to_tla(Function((("x y", 1),))) == '("x y" :> 1)'
    assert same(parse_value("(2 :> 6 @@ 1 :> 5)"), (5, 6))


def test_truth_is_not_one() -> None:
    assert not same(True, 1)
    assert not same((True,), (1,))
    assert not same(record(a=frozenset({True})), record(a=frozenset({1})))


def test_a_function_is_asked_by_its_argument() -> None:
    assert record(a=1, b=2)["b"] == 2
    with pytest.raises(KeyError):
        record(a=1)["c"]


SIMPLE = st.one_of(
    st.integers(-(2**31), 2**31 - 1),
    st.booleans(),
    st.text(st.characters(codec="utf-8"), max_size=8),
    st.builds(ModelValue, st.sampled_from(["A", "B_2"])),
)
VALUES: st.SearchStrategy[Value] = st.recursive(
    SIMPLE,
    lambda inner: st.one_of(
        st.frozensets(inner, max_size=4),
        st.lists(inner, max_size=4).map(tuple),
        st.lists(st.tuples(inner, inner), max_size=4).map(function),
        st.dictionaries(st.sampled_from(["a", "b", "two words", ""]), inner, max_size=3).map(
            lambda fields: function((name, value) for name, value in fields.items())
        ),
    ),
    max_leaves=12,
)


@given(VALUES)
def test_what_is_written_is_read_back(value: Value) -> None:
    assert same(parse_value(to_tla(value)), value)


@given(st.text(alphabet='{}<>[]()|-:@,. "\\a1TRUE\n', max_size=40))
def test_any_text_is_a_value_or_is_refused(text: str) -> None:
    try:
        value = parse_value(text)
    except TlaValueError:
        return
    assert same(parse_value(to_tla(value)), value)
