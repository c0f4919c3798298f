"""The quick test says yes to whatever the operations and the corpus use, and to nothing else."""

from __future__ import annotations

from typing import Any

import pytest

from rejoin_conformance.contract.registry import all_systems
from rejoin_conformance.contract.system import System
from rejoin_conformance.corpus.load import load_system, topic_files
from rejoin_conformance.corpus.schemas import TOPIC_FILE
from rejoin_conformance.kit import schemas
from rejoin_conformance.kit.json_types import JsonObject, strict_json
from rejoin_conformance.kit.quick_schemas import quick_test

TEXTS = schemas.list_of(schemas.TEXT, unique=True, minimum=1, maximum=2)
EITHER: JsonObject = {
    **schemas.map_of(schemas.TEXT),
    "oneOf": [{"required": ["a"]}, {"required": ["b"]}],
}


@pytest.mark.parametrize("system", all_systems(), ids=lambda system: str(system.name))
def test_it_knows_the_schemas_of_all_operations(system: System) -> None:
    tests = {each.name: quick_test(each.input_schema) for each in system.operations}
    for vector in load_system(system.name):
        operation = system.operation(vector.operation)
        assert operation is not None
        if vector.tier == "core":
            fits = operation.input_fault(vector.input) is None
            assert tests[vector.operation](vector.input) == fits, vector.id


@pytest.mark.parametrize(
    ("schema", "value"),
    [
        (schemas.HEX, "00\n"),
        (schemas.HEX, "0"),
        (schemas.HEX, b"00"),
        (schemas.integer(0, 3), 4),
        (schemas.integer(0, 3), -1),
        (schemas.integer(0), True),
        (schemas.BOOLEAN, 1),
        ({"const": True}, 1),
        ({"const": 1}, True),
        (schemas.one_of_texts("a", "b"), "c"),
        (TEXTS, []),
        (TEXTS, ["a", "a"]),
        (TEXTS, ["a", "b", "c"]),
        (TEXTS, ["a", 1]),
        (schemas.record({"a": schemas.TEXT}), {}),
        (schemas.record({"a": schemas.TEXT}), {"a": "", "b": ""}),
        (schemas.map_of(schemas.TEXT), {"a": 1}),
        ({**schemas.map_of(schemas.TEXT), "minProperties": 1}, {}),
        ({"type": "string", "minLength": 1}, ""),
        (schemas.nullable(schemas.TEXT), 0),
        (EITHER, {"c": ""}),
        (EITHER, {"a": "", "b": ""}),
    ],
)
def test_it_does_not_say_yes_to_another_value(schema: JsonObject, value: object) -> None:
    assert not quick_test(schema)(value)


@pytest.mark.parametrize(
    "schema",
    [
        {"type": ["string", "null"]},
        {"type": "string", "format": "date"},
        {"pattern": "^a$"},
        {"oneOf": [schemas.TEXT]},
        {"anyOf": [schemas.TEXT], "minLength": 1},
        {"type": "string", "pattern": "a"},
    ],
)
def test_it_says_no_if_it_does_not_know_a_keyword(schema: Any) -> None:
    assert not quick_test(schema)("a")


def test_it_knows_a_choice_between_fields_and_no_other_choice() -> None:
    assert quick_test(EITHER)({"b": ""})
    other: JsonObject = {**schemas.map_of(schemas.TEXT), "oneOf": [{"minProperties": 1}]}
    assert not quick_test(other)({"b": ""})


def test_it_says_yes_to_each_file_of_the_corpus() -> None:
    test = quick_test(TOPIC_FILE)
    for system in all_systems():
        for path in topic_files(system.name):
            assert test(strict_json(path.read_bytes())), path
