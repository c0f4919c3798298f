"""A quick test that a value matches a JSON Schema, for large values.

The test says yes only if the value matches. If it says no, the value may match nevertheless: the
test does not know every keyword, and full validation decides. It knows those of `schemas`.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, Final, TypeAlias

from rejoin_conformance.kit.json_types import JsonObject

Test: TypeAlias = Callable[[Any], bool]

_NO_MEANING: Final = frozenset({"$schema", "title", "description", "default"})
_KEYWORDS: Final = {
    "string": frozenset({"pattern", "minLength", "maxLength"}),
    "integer": frozenset({"minimum", "maximum"}),
    "array": frozenset({"items", "minItems", "maxItems", "uniqueItems"}),
    "object": frozenset(
        {"properties", "required", "additionalProperties", "minProperties", "oneOf"}
    ),
    "boolean": frozenset[str](),
    "null": frozenset[str](),
}
_NO_LIMIT: Final = 1 << 64


def quick_test(schema: JsonObject) -> Test:
    """Return a test that says yes only if a value matches the schema."""
    words: Any = {name: value for name, value in schema.items() if name not in _NO_MEANING}
    kind = words.pop("type", None)
    if kind is None:
        return _without_type(words)
    if not isinstance(kind, str) or not words.keys() <= _KEYWORDS[kind]:
        return _never
    return _TESTS[kind](words)


def _never(_value: Any) -> bool:
    return False


def _always(_value: Any) -> bool:
    return True


def _without_type(words: Any) -> Test:
    """Return the test of a schema without a type: any value, alternatives, or given values."""
    if not words:
        return _always
    if words.keys() == {"anyOf"}:
        tests = [quick_test(each) for each in words["anyOf"]]
        return lambda value: any(test(value) for test in tests)
    if words.keys() <= {"enum", "const"} and len(words) == 1:
        allowed = words["enum"] if "enum" in words else [words["const"]]
        texts = frozenset(each for each in allowed if isinstance(each, str))
        truths = [each for each in allowed if isinstance(each, bool)]
        return lambda value: (
            value in texts if type(value) is str else type(value) is bool and value in truths
        )
    return _never


def _string(words: Any) -> Test:
    low, high = words.get("minLength", 0), words.get("maxLength", _NO_LIMIT)
    pattern = words.get("pattern")
    if pattern is None:
        return lambda value: type(value) is str and low <= len(value) <= high
    if not (pattern.startswith("^") and pattern.endswith("$")):
        return _never
    matches = re.compile(pattern[1:-1]).fullmatch
    return lambda value: (
        type(value) is str and low <= len(value) <= high and matches(value) is not None
    )


def _integer(words: Any) -> Test:
    low, high = words.get("minimum", -_NO_LIMIT), words.get("maximum", _NO_LIMIT)
    return lambda value: type(value) is int and low <= value <= high


def _array(words: Any) -> Test:
    item = quick_test(words["items"]) if "items" in words else _always
    low, high = words.get("minItems", 0), words.get("maxItems", _NO_LIMIT)
    unique = words.get("uniqueItems", False)

    def test(value: Any) -> bool:
        if type(value) is not list or not low <= len(value) <= high:
            return False
        if unique and not (all(type(each) is str for each in value) and _differ(value)):
            return False
        return all(map(item, value))

    return test


def _differ(texts: list[str]) -> bool:
    return len(set(texts)) == len(texts)


def _object(words: Any) -> Test:
    tests = {name: quick_test(each) for name, each in words.get("properties", {}).items()}
    required = frozenset(words.get("required", ()))
    least = words.get("minProperties", 0)
    more = words.get("additionalProperties", True)
    other = quick_test(more) if isinstance(more, dict) else _always if more else _never
    if any(each.keys() != {"required"} for each in words.get("oneOf", ())):
        return _never
    either = [frozenset(each["required"]) for each in words.get("oneOf", ())]

    def test(value: Any) -> bool:
        if type(value) is not dict or len(value) < least or not required <= value.keys():
            return False
        if either and sum(names <= value.keys() for names in either) != 1:
            return False
        return all(tests.get(name, other)(each) for name, each in value.items())

    return test


def _boolean(_words: Any) -> Test:
    return lambda value: type(value) is bool


def _null(_words: Any) -> Test:
    return lambda value: value is None


_TESTS: Final[dict[str, Callable[[Any], Test]]] = {
    "string": _string,
    "integer": _integer,
    "array": _array,
    "object": _object,
    "boolean": _boolean,
    "null": _null,
}
