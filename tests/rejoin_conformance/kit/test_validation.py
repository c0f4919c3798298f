"""Schemas mean the same as in every other language."""

from __future__ import annotations

import pytest

from rejoin_conformance.kit import schemas
from rejoin_conformance.kit.json_types import JsonObject
from rejoin_conformance.kit.validation import schema_fault, validator


@pytest.mark.parametrize(
    ("schema", "good", "bad"),
    [
        (schemas.HEX, "00ff", "00ff\n"),
        (schemas.HEX, "", "\n"),
        (schemas.HEX, "ab", "AB"),
        (schemas.HEX, "abcd", "abc"),
        (schemas.DECIMAL, "-7", "-7\n"),
        (schemas.DECIMAL, "0", "-0"),
        (schemas.DECIMAL, "10", "010"),
        (schemas.DECIMAL, "1", "\u0661"),
        (schemas.hex_of(1), "0a", "0a0b"),
        (schemas.integer(0, 3), 3, 4),
        (schemas.integer(0), 0, True),
        (schemas.record({"a": schemas.TEXT}), {"a": ""}, {"a": "", "b": ""}),
        (schemas.record({}, {"b": schemas.TEXT}), {}, {"b": 1}),
        (schemas.nullable(schemas.TEXT), None, 0),
        (schemas.list_of(schemas.TEXT, unique=True), ["a", "b"], ["a", "a"]),
    ],
)
def test_a_schema_takes_the_one_and_not_the_other(
    schema: JsonObject, good: object, bad: object
) -> None:
    assert schema_fault(validator(schema), good) is None
    assert schema_fault(validator(schema), bad) is not None


def test_a_fault_says_where_it_is_and_is_never_long() -> None:
    schema = schemas.record({"a": schemas.list_of(schemas.HEX)})
    fault = schema_fault(validator(schema), {"a": ["00", "x" * 10_000]})
    assert fault is not None
    assert fault.startswith("$.a[1]: ")
    assert len(fault) < 250


@pytest.mark.parametrize(("value", "shown"), [(None, "null"), (True, "true"), (False, "false")])
def test_a_fault_shows_a_value_as_json_writes_it(value: bool | None, shown: str) -> None:
    fault = schema_fault(validator(schemas.TEXT), value)
    assert fault == f'$: {shown} is not of type "string"'


def test_a_value_can_have_unpaired_surrogates() -> None:
    texts = validator(schemas.record({"a": schemas.TEXT}))
    assert schema_fault(texts, {"a": "\ud800"}) is None
    assert schema_fault(texts, {"b": "\ud800"}) is not None


def test_a_fault_names_the_alternative_that_fits_best() -> None:
    one = schemas.record({"kind": {"const": "a"}, "a": schemas.TEXT})
    other = schemas.record({"kind": {"const": "b"}, "b": schemas.TEXT})
    either = validator(schemas.any_of(one, other))
    assert schema_fault(either, {"kind": "b", "b": 1}) == '$.b: 1 is not of type "string"'


def test_a_value_that_is_nested_too_deeply_has_a_fault_without_a_place() -> None:
    value: object = 1
    for _ in range(1000):
        value = [value]
    fault = schema_fault(validator(schemas.TEXT), value)
    assert fault == "$: does not match the schema, and is nested too deeply to say where"
