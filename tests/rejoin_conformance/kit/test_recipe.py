"""A recipe is checked without being expanded, and stands for one value in every language."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from rejoin_conformance.kit.json_forms import MalformedError
from rejoin_conformance.kit.recipe import LONGEST, check_recipe, expand

_PAGE = Path(__file__).parents[3] / "docs" / "vector-format.md"

_CASES: tuple[tuple[Any, Any], ...] = (
    ("<i>", "<i>"),
    ([1, None, True, {"a": []}], [1, None, True, {"a": []}]),
    (["r", {"$repeat": 3, "$of": "h<i>"}], ["r", "h0", "h1", "h2"]),
    ([{"$repeat": 0, "$of": "h<i>"}], []),
    ([{"$repeat": 3, "$of": "<i:2>", "$from": 8, "$by": 2}], ["08", "10", "12"]),
    ([{"$repeat": 2, "$of": ["<i+1>", "<i-1:3>"], "$from": 1}], [["2", "000"], ["3", "001"]]),
    (
        [{"$repeat": 2, "$of": [{"$repeat": 2, "$as": "j", "$of": "<i><j>"}]}],
        [["00", "01"], ["10", "11"]],
    ),
    ({"$join": ["l", {"$repeat": 3, "$of": "i<i>e"}, "e"]}, "li0ei1ei2ee"),
    ({"$hex": {"$join": ["é", {"$repeat": 2, "$of": "<i>"}]}}, "c3a93031"),
    ([{"$repeat": 2, "$of": {"$number": "1<i>"}}], [10, 11]),
    (
        {"$fields": [["a", 1], {"$repeat": 2, "$of": ["k<i>", ["<i>"]]}]},
        {"a": 1, "k0": ["0"], "k1": ["1"]},
    ),
    ({"a": [{"$repeat": 2, "$of": {"b": "<i>"}}]}, {"a": [{"b": "0"}, {"b": "1"}]}),
)


@pytest.mark.parametrize(("recipe", "value"), _CASES)
def test_a_recipe_stands_for_a_value(recipe: Any, value: Any) -> None:
    check_recipe(recipe)
    assert expand(recipe) == value


def test_the_program_in_the_documentation_expands_recipes_in_the_same_way() -> None:
    program = re.findall(
        r"^```python\n(.*?)^```$", _PAGE.read_text("utf-8"), re.MULTILINE | re.DOTALL
    )
    names: dict[str, Any] = {}
    exec(program[0], names)
    assert [names["expand"](recipe) for recipe, _ in _CASES] == [value for _, value in _CASES]


@pytest.mark.parametrize(
    ("recipe", "fault"),
    [
        ([{"$repeat": LONGEST, "$of": ""}], "expands to up to 5,000,001 characters"),
        ([{"$repeat": 10**6, "$of": [{"$repeat": 10**6, "$of": "", "$as": "j"}]}], "expands to"),
        ([{"$repeat": LONGEST + 1, "$of": ""}], "expected an integer from 0 to 5,000,000"),
        ([{"$repeat": -1, "$of": ""}], "expected an integer from 0"),
        ([{"$repeat": True, "$of": ""}], "expected an integer from 0"),
        ([{"$repeat": 2, "$of": "", "$as": "ij"}], r"\.\$as: expected one small letter"),
        ([{"$repeat": 2}], "a repetition has \\$repeat and \\$of"),
        ([{"$repeat": 2, "$of": "", "more": 1}], "a repetition has"),
        ([{"$repeat": 2, "$of": "<j>"}], "<j> is not the name of a repetition"),
        ([{"$repeat": 2, "$of": "<i-1>"}], "<i-1> is -1 in the first item"),
        ({"$repeat": 2, "$of": ""}, "expected one of the fields"),
        ({"$join": [], "more": 1}, "expected one of the fields"),
        ({"$other": []}, "expected one of the fields"),
        ({"$join": "text"}, r"\.\$join: expected a list of texts"),
        ({"$join": [1]}, "expected a list of texts"),
        ({"$join": [{"$repeat": 2, "$of": 1}]}, "expected a list of texts"),
        ({"$hex": []}, r"\.\$hex: expected a text"),
        ({"$number": "0x10"}, "expected a text of at most 15 digits"),
        ({"$number": "1" * 16}, "expected a text of at most 15 digits"),
        ({"$fields": [["a", 1, 2]]}, "expected a list of pairs"),
    ],
)
def test_a_recipe_that_is_malformed_or_too_long_is_refused(recipe: Any, fault: str) -> None:
    with pytest.raises(MalformedError, match=fault):
        check_recipe(recipe)


def test_a_recipe_of_too_many_levels_is_refused() -> None:
    recipe: Any = ""
    for _ in range(200):
        recipe = [recipe]
    with pytest.raises(MalformedError, match="more than 100 levels"):
        check_recipe(recipe)


@pytest.mark.parametrize(
    "recipe",
    [
        [{"$repeat": 1000, "$of": {"name": "<i-1:7><i+10>"}, "$from": 1, "$by": 9}],
        {"$hex": {"$join": [{"$repeat": 300, "$of": "i<i>e"}]}},
        {"$fields": [{"$repeat": 50, "$of": ["<i>", {"$number": "<i>"}]}]},
    ],
)
def test_the_bound_is_not_below_the_size(recipe: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    size = _characters(expand(recipe))
    monkeypatch.setattr("rejoin_conformance.kit.recipe.LONGEST", size - 1)
    with pytest.raises(MalformedError, match="expands to"):
        check_recipe(recipe)


def _characters(value: Any) -> int:
    match value:
        case str():
            return len(value)
        case list():
            return sum(map(_characters, value))
        case dict():
            return sum(len(name) + _characters(each) for name, each in value.items())
    return 0
