"""Values become JSON and come back; JSON of another form is refused in one short line."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Annotated, Any, Literal

import pytest
from attrs import field, frozen, validators

from rejoin_conformance.kit.codec import plain, read
from rejoin_conformance.kit.json_forms import (
    NOT_EMPTY,
    OPTIONAL,
    BigInt,
    MalformedError,
    named,
    within,
)
from rejoin_conformance.kit.json_types import Json, JsonObject, canonical_json, strict_json


@frozen
class Inner:
    x: int
    y: bool = False


@frozen(kw_only=True)
class Value:
    number: Annotated[int, within(0, 7)] = 3
    least: Annotated[int, within(1)] = 1
    big: BigInt = -(10**40)
    flag: bool = True
    text: str = ""
    name: Annotated[str, NOT_EMPTY] = field(default="n", metadata=named("a-name"))
    word: Literal["push", "fetch"] = "push"
    data: bytes = b"\x00\xff"
    names: tuple[str, ...] = ("a", "b")
    pair: tuple[int, str] = (1, "x")
    maps: Mapping[str, tuple[int, ...]] = field(factory=lambda: {"k": (1, 2)})
    counts: Counter[str] = field(factory=lambda: Counter("aab"))
    inner: Inner = Inner(1)
    perhaps: Inner | None = None
    free: Json = None
    free_object: JsonObject = field(factory=lambda: {"any": ["thing", None]})
    over: int = field(default=0, validator=validators.ge(0))
    extra: tuple[str, ...] = field(default=(), metadata=OPTIONAL)


def test_a_value_comes_back_from_json() -> None:
    for value in (Value(), Value(perhaps=Inner(2, y=True), extra=("z",), free=[{"a": [1]}])):
        assert read(strict_json(canonical_json(plain(value))), Value) == value


def test_json_has_the_annotated_form() -> None:
    assert plain(Value()) == {
        "number": 3,
        "least": 1,
        "big": "-1" + 40 * "0",
        "flag": True,
        "text": "",
        "a-name": "n",
        "word": "push",
        "data": "00ff",
        "names": ["a", "b"],
        "pair": [1, "x"],
        "maps": {"k": [1, 2]},
        "counts": {"a": 2, "b": 1},
        "inner": {"x": 1, "y": False},
        "perhaps": None,
        "free": None,
        "free_object": {"any": ["thing", None]},
        "over": 0,
    }


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("number", True, "expected an integer, found true"),
        ("number", 8, "expected an integer from 0 to 7, found 8"),
        ("number", "7", 'expected an integer, found "7"'),
        ("number", 7.0, "expected an integer, found a value of the type float"),
        ("least", 0, "expected an integer of at least 1, found 0"),
        ("big", 7, "expected a decimal number as a string, found 7"),
        ("big", "\u0667", "expected a decimal number as a string"),
        ("big", "9" * 101, "expected a decimal number as a string"),
        ("big", "-0", "expected a decimal number as a string"),
        ("big", "7\n", "expected a decimal number as a string"),
        ("flag", 0, "expected true or false, found 0"),
        ("text", None, "expected a string, found null"),
        ("a-name", "", "expected a value that is not empty"),
        ("word", "pull", "expected one of push, fetch"),
        ("word", ["push"], "expected one of push, fetch"),
        ("data", "0", "expected bytes in lower-case hex"),
        ("data", "FF", "expected bytes in lower-case hex"),
        ("data", "00 ff", "expected bytes in lower-case hex"),
        ("names", "ab", "expected a list"),
        ("pair", [1], "expected a list of length 2, found a list of length 1"),
        ("maps", [], "expected an object, found a list of length 0"),
        ("inner", {"x": 1}, "the field y is missing"),
        ("free_object", 10**100, "expected an object, found a longer integer"),
    ],
)
def test_a_field_with_another_form_is_refused(name: str, value: Any, message: str) -> None:
    with pytest.raises(MalformedError) as refused:
        read({**plain(Value()), name: value}, Value)
    assert str(refused.value).startswith(f"$.{name}: {message}")


@pytest.mark.parametrize(
    ("changed", "place"),
    [
        ({"names": ["a", 1]}, "$.names[1]: "),
        ({"pair": [1, 2]}, "$.pair[1]: "),
        ({"maps": {"k": [1, None]}}, '$.maps["k"][1]: '),
        ({"perhaps": {"x": None, "y": True}}, "$.perhaps.x: "),
        ({"other": 1}, '$: unknown field "other"; the fields are number, least, '),
        ({"over": -1}, "$: "),
    ],
)
def test_an_error_names_the_place(changed: JsonObject, place: str) -> None:
    with pytest.raises(MalformedError) as refused:
        read({**plain(Value()), **changed}, Value)
    assert str(refused.value).startswith(place)


def test_every_field_is_needed_except_optional_ones() -> None:
    value = plain(Value())
    for name in value:
        with pytest.raises(MalformedError, match=f"the field {name} is missing"):
            read({other: value[other] for other in value if other != name}, Value)
    assert read({**value, "extra": ["z"]}, Value) == Value(extra=("z",))


def test_the_caller_chooses_the_error() -> None:
    with pytest.raises(KeyError, match="expected an object"):
        read([], Value, error=KeyError)


def _deep() -> Json:
    value: Json = []
    for _ in range(100_000):
        value = [value]
    return value


@pytest.mark.parametrize(
    "value",
    [
        _deep(),
        "\x1b[2J" * 100_000,
        {"\n" * 100_000: 1},
        {**plain(Value()), "\n" * 100_000: 1},
        {**plain(Value()), "names": [*["a"] * 100_000, _deep()]},
        {**plain(Value()), "names": [None] * 100_000},
        {**plain(Value()), "maps": {"\x1b" * 100_000: 1}},
        {**plain(Value()), "number": 10**5000},
    ],
    ids=["deep", "long", "long name", "unknown", "late", "all wrong", "long key", "many digits"],
)
def test_hostile_input_is_refused_in_one_short_line(value: Json) -> None:
    with pytest.raises(MalformedError) as refused:
        read(value, Value)
    assert len(str(refused.value)) < 700
    assert str(refused.value).isprintable()
