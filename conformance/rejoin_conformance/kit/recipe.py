"""Recipes: short JSON that stands for long JSON. docs/vector-format.md describes the format.

A recipe is expanded before anybody else sees it. `check_recipe` bounds the result without making
it, so a hostile recipe costs no more than its own text.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any, Final, TypeAlias, cast

from rejoin_conformance.kit.json_forms import MalformedError, unexpected
from rejoin_conformance.kit.json_types import Json, JsonObject

LONGEST: Final = 5_000_000
"""The maximum size of an expanded recipe: characters of all strings, plus one for each value."""
_DEEPEST: Final = 100
_PLACE: Final = re.compile(r"<([a-z])([+-][0-9]{1,6})?(?::([1-9]))?>")
_NAME: Final = re.compile(r"[a-z]")
_REPEAT: Final = "$repeat"
_DIGITS: Final = re.compile(r"[0-9]{0,15}")
_MADE: Final = {
    "$join": "a list of texts",
    "$hex": "a text",
    "$number": "a text of at most 15 digits and numbers of repetitions",
    "$fields": "a list of pairs of a name and a value",
}
"""The field that makes a value -> the form of its content."""

_Numbers: TypeAlias = Mapping[str, int]
"""Name of a repetition -> the number of its current item."""
_Make: TypeAlias = Callable[[_Numbers], Json]
"""A function that makes the value of a recipe inside of repetitions."""
_Ranges: TypeAlias = Mapping[str, tuple[int, int]]
"""Name of a repetition -> the smallest and largest number of its items."""


def expand(value: Json) -> Json:
    """Return the value that a checked recipe stands for. It shares what is equal to the recipe."""
    return _whole(value, repeated=False)({})


def expand_object(recipe: JsonObject) -> JsonObject:
    """Return the object that a checked recipe of an object stands for."""
    return cast("JsonObject", expand(recipe))


def _whole(value: Json, *, repeated: bool) -> _Make:
    """Return a function from the numbers of the repetitions around a value to the value."""
    return _make_of(value, repeated=repeated) or (lambda _: value)


def _make_of(value: Json, *, repeated: bool) -> _Make | None:
    """Return the same as `_whole`, or None if the value stands for itself.

    An item of a repetition is read once, and made as often as it is repeated.
    """

    def texts(inner: Json) -> Callable[[_Numbers], Any]:
        return _whole(inner, repeated=repeated)

    match value:
        case str():
            return _make_text(value) if repeated else None
        case list():
            return _make_list(value, repeated=repeated)
        case {"$join": parts}:
            joined = texts(parts)
            return lambda numbers: "".join(joined(numbers))
        case {"$hex": text}:
            in_hex = texts(text)
            return lambda numbers: in_hex(numbers).encode().hex()
        case {"$number": text}:
            digits = texts(text)
            return lambda numbers: int(digits(numbers))
        case {"$fields": pairs}:
            fields = texts(pairs)
            return lambda numbers: dict(fields(numbers))
        case dict():
            return _make_object(value, repeated=repeated)
    return None


def _make_text(text: str) -> _Make | None:
    """Return how to put the numbers of the repetitions in place of <i>, <i+1> and <i:4>."""
    places = [(name, int(added or 0)) for name, added, _ in _PLACE.findall(text)]
    if not places:
        return None
    form = _PLACE.sub(lambda place: f"%0{place[3] or 1}d", text.replace("%", "%%"))
    (name, first), *others = places
    if not others:
        return lambda numbers: form % (numbers[name] + first)
    return lambda numbers: form % tuple([numbers[name] + added for name, added in places])


def _make_object(value: dict[str, Json], *, repeated: bool) -> _Make | None:
    made = {name: _make_of(each, repeated=repeated) for name, each in value.items()}
    changed = [(name, make) for name, make in made.items() if make is not None]
    if not changed:
        return None
    return lambda numbers: value | {name: make(numbers) for name, make in changed}


def _make_list(value: list[Json], *, repeated: bool) -> _Make | None:
    if any(isinstance(each, dict) and _REPEAT in each for each in value):
        parts = [_make_items(each, repeated=repeated) for each in value]
        return lambda numbers: [item for part in parts for item in part(numbers)]
    made = [_make_of(each, repeated=repeated) for each in value]
    if not any(made):
        return None
    items = [make or (lambda _, each=each: each) for make, each in zip(made, value, strict=True)]
    return lambda numbers: [make(numbers) for make in items]


def _make_items(value: Json, *, repeated: bool) -> Callable[[_Numbers], list[Json]]:
    """Return how to make the items that one item of a list stands for."""
    if not (isinstance(value, dict) and _REPEAT in value):
        one = _whole(value, repeated=repeated)
        return lambda numbers: [one(numbers)]
    name, times, start, step = _repetition(value)
    make = _whole(value["$of"], repeated=True)

    def items(numbers: _Numbers) -> list[Json]:
        inner = dict(numbers)
        made = []
        for each in range(times):
            inner[name] = start + step * each
            made.append(make(inner))
        return made

    return items


def _repetition(value: dict[str, Json]) -> tuple[str, int, int, int]:
    """Return the name of a repetition, the number of its items, and the numbers of these items."""
    fields = {"$as": "i", "$from": 0, "$by": 1, **value}
    if fields.keys() != {_REPEAT, "$of", "$as", "$from", "$by"}:
        raise MalformedError("a repetition has $repeat and $of, and may have $as, $from and $by")
    name = fields["$as"]
    if not isinstance(name, str) or not _NAME.fullmatch(name):
        raise unexpected("one small letter", name).inside(".$as")
    return name, _count(fields[_REPEAT]), _count(fields["$from"]), _count(fields["$by"])


def check_recipe(value: Json) -> None:
    """Raise MalformedError if a recipe is malformed, or longer than LONGEST when it is expanded."""
    size = _size(value, {}, 0)
    if size > LONGEST:
        raise MalformedError(f"the recipe expands to up to {size:,} characters, over {LONGEST:,}")


def _size(value: Json, numbers: _Ranges, depth: int) -> int:
    """Return a bound of the size of a value. numbers: the range of each number."""
    if depth > _DEEPEST:
        raise MalformedError(f"the recipe is nested more than {_DEEPEST} levels deep")
    match value:
        case str():
            return 1 + _length(value, numbers)
        case list():
            return 1 + sum(_item_size(each, numbers, depth + 1) for each in value)
        case dict() if any(name.startswith("$") for name in value):
            return _made_size(value, numbers, depth + 1)
        case dict():
            inner = (_size(each, numbers, depth + 1) for each in value.values())
            return 1 + sum(len(name) for name in value) + sum(inner)
    return 1


def _length(text: str, numbers: _Ranges) -> int:
    """Return a bound of the length of a text with its numbers filled in."""
    if not numbers:
        return len(text)
    length = len(text)
    for name, added, width in _PLACE.findall(text):
        if name not in numbers:
            raise MalformedError(f"<{name}> is not the name of a repetition around it")
        smallest, largest = (each + int(added or 0) for each in numbers[name])
        if smallest < 0:
            raise MalformedError(f"<{name}{added}> is {smallest} in the first item; start higher")
        length += max(len(str(largest)), int(width or 1))
    return length


def _made_size(value: dict[str, Json], numbers: _Ranges, depth: int) -> int:
    """Return a bound of the size of a text, number or object that a recipe describes."""
    (name, inner), *others = value.items()
    if others or name not in _MADE:
        raise MalformedError(f"expected one of the fields {', '.join(_MADE)} alone")
    well_formed = {
        "$join": isinstance(inner, list) and all(map(_is_text, map(_repeated, inner))),
        "$fields": isinstance(inner, list) and all(map(_is_field, map(_repeated, inner))),
        "$hex": _is_text(inner),
        "$number": isinstance(inner, str) and bool(_DIGITS.fullmatch(_PLACE.sub("", inner))),
    }
    if not well_formed[name]:
        raise unexpected(_MADE[name], inner).inside(f".{name}")
    return _size(inner, numbers, depth) * (2 if name == "$hex" else 1)


def _repeated(item: Json) -> Json:
    """Return what an item of a list repeats, or the item itself."""
    return item.get("$of") if isinstance(item, dict) and _REPEAT in item else item


def _is_text(value: Json) -> bool:
    return isinstance(value, str) or (
        isinstance(value, dict) and not {"$join", "$hex"}.isdisjoint(value)
    )


def _is_field(value: Json) -> bool:
    return isinstance(value, list) and len(value) == 2 and isinstance(value[0], str)


def _item_size(value: Json, numbers: _Ranges, depth: int) -> int:
    """Return a bound of the size of the items that one item of a list stands for."""
    if not (isinstance(value, dict) and _REPEAT in value):
        return _size(value, numbers, depth)
    name, times, start, step = _repetition(value)
    return times * _size(value["$of"], {**numbers, name: (start, start + times * step)}, depth)


def _count(value: Json) -> int:
    if type(value) is not int or not 0 <= value <= LONGEST:
        raise unexpected(f"an integer from 0 to {LONGEST:,}", value)
    return value
