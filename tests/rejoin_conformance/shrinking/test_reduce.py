"""The result of the reducer is interesting, minimal, and always the same."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rejoin_conformance.kit.json_types import Json
from rejoin_conformance.shrinking.reduce import NotInterestingError, reduce_json, steps
from rejoin_conformance.shrinking.simpler import complexity

_SCALARS = st.none() | st.booleans() | st.integers(-1000, 1000) | st.text("ab0zé", max_size=4)
_VALUES: st.SearchStrategy[Any] = st.recursive(
    _SCALARS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text("kl", max_size=2), inner),
    max_leaves=12,
)


def _leaves(value: Any) -> list[Any]:
    if isinstance(value, dict):
        return [leaf for each in value.values() for leaf in _leaves(each)]
    if isinstance(value, list):
        return [leaf for each in value for leaf in _leaves(each)]
    return [value]


def _planted(values: st.SearchStrategy[Any]) -> st.SearchStrategy[tuple[Any, Callable[..., bool]]]:
    """A value, and something that is true of it and not of everything."""

    def predicates(value: Any) -> st.SearchStrategy[tuple[Any, Callable[..., bool]]]:
        leaves = _leaves(value)
        numbers = sum(leaf for leaf in leaves if isinstance(leaf, int))
        letters = sum(leaf.count("z") for leaf in leaves if isinstance(leaf, str))
        return st.sampled_from(
            [
                (value, lambda other: len(_leaves(other)) >= len(leaves)),
                (
                    value,
                    lambda other: sum(x for x in _leaves(other) if isinstance(x, int)) >= numbers,
                ),
                (
                    value,
                    lambda other: (
                        sum(x.count("z") for x in _leaves(other) if isinstance(x, str)) >= letters
                    ),
                ),
                (value, lambda other: type(other) is type(value)),
                (value, lambda _: True),
            ]
        )

    return values.flatmap(predicates)


@given(_planted(_VALUES))
def test_the_result_is_interesting_and_nothing_one_step_simpler_is(
    planted: tuple[Json, Callable[[Json], bool]],
) -> None:
    value, interesting = planted
    reduction = reduce_json(value, interesting)
    assert reduction.minimal
    assert interesting(reduction.value)
    assert not [step for step in steps(reduction.value) if interesting(step)]


@given(_planted(_VALUES))
def test_the_result_is_always_the_same(planted: tuple[Json, Callable[[Json], bool]]) -> None:
    value, interesting = planted
    assert reduce_json(value, interesting) == reduce_json(value, interesting)


@given(_VALUES)
def test_every_step_is_simpler(value: Json) -> None:
    assert all(complexity(step) < complexity(value) for step in steps(value))


@given(_planted(_VALUES), st.integers(1, 30))
def test_no_more_is_tried_than_the_budget_allows(
    planted: tuple[Json, Callable[[Json], bool]], budget: int
) -> None:
    value, interesting = planted
    calls = 0

    def counted(candidate: Json) -> bool:
        nonlocal calls
        calls += 1
        return interesting(candidate)

    reduction = reduce_json(value, counted, budget=budget)
    assert reduction.tries == calls <= budget
    assert interesting(reduction.value)


RESULTS: list[tuple[Any, Callable[[Any], bool], Any]] = [
    ([*range(100)], lambda v: {17, 42, 91} <= {*v}, [17, 42, 91]),
    (123_456_789, lambda v: v >= 777, 777),
    (-31, lambda v: abs(v) > 4, 5),  # a positive integer is simpler
    ("h\xe9llo w\xf6rld", lambda v: isinstance(v, str) and len(v) >= 3, "000"),
    ("00112233445566", lambda v: b"\x33\x44" in bytes.fromhex(v), "3344"),  # digits go in pairs
    ("-9007199254740993", lambda v: isinstance(v, str) and int(v) < -99, "-100"),
    ({"a": {"b": 9, "c": 1}, "d": []}, lambda v: v["a"]["b"] > 2, {"a": {"b": 3}}),
    ("ab" * 100_000 + "needle" + "cd" * 100_000, lambda v: "needle" in v, "needle"),
]
"""A value, what must stay true of it, and the result. An exception means that it is not true."""


def test_a_value_becomes_minimal_in_few_tries() -> None:
    for value, interesting, result in RESULTS:
        reduction = reduce_json(value, interesting)
        assert (reduction.value, type(reduction.value)) == (result, type(result))
        assert reduction.tries < 400


def test_a_name_becomes_simpler_wherever_it_stands() -> None:
    nodes: Json = {
        "nodes": [{"id": "qwx", "parents": []}, {"id": "rst", "parents": ["qwx"]}],
        "versions": {"rst": 1},
    }

    def linked(value: Any) -> bool:
        first, second = value["nodes"]
        linked = first["parents"] == [] and second["parents"] == [first["id"]] != [second["id"]]
        return bool(linked and value["versions"] == {second["id"]: 1})

    assert reduce_json(nodes, linked).value == {
        "nodes": [{"id": "a", "parents": []}, {"id": "b", "parents": ["a"]}],
        "versions": {"b": 1},
    }


def test_a_number_that_names_something_becomes_smaller_wherever_it_stands() -> None:
    events: Json = [{"client": 5, "text": 5}, {"client": 7, "polls": 5}]

    def polled(value: Any) -> bool:
        first, second = value
        return bool(second["polls"] == first["client"] != int(second["client"]))

    assert reduce_json(events, polled).value == [{"client": 0}, {"client": 1, "polls": 0}]


def test_what_is_not_interesting_to_begin_with_is_refused() -> None:
    with pytest.raises(NotInterestingError):
        reduce_json([1, 2], lambda _: False)


def test_deep_nesting_is_reduced_like_anything_else() -> None:
    value: Json = 7
    for _ in range(100):
        value = [value]
    reduction = reduce_json(value, lambda other: 7 in _leaves(other) and isinstance(other, list))
    assert reduction.value == [7]


def test_a_fatal_exception_ends_the_reduction() -> None:
    def interesting(value: Any) -> bool:
        if value == [1]:
            raise ConnectionError
        return bool(1 in value)

    with pytest.raises(ConnectionError):
        reduce_json([1, 2, 3], interesting, fatal=ConnectionError)
