"""Every operation has a page in words, made from its schemas and the corpus."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from rejoin_conformance.contract.registry import all_systems
from rejoin_conformance.contract.system import System
from rejoin_conformance.corpus.load import load_system
from rejoin_conformance.corpus.operation_page import kind_of, operation_page
from rejoin_conformance.kit import schemas
from support.written_texts import PROJECT

every_system = pytest.mark.parametrize("system", all_systems(), ids=lambda each: each.name)


def fields_of(schema: Any, path: str) -> Iterator[tuple[str, Any]]:
    """Yield the path and the schema of every field."""
    for name, value in schema.get("properties", {}).items():
        yield f"{path} {name}", value
        yield from fields_of(value, f"{path} {name}")
    for key in ("items", "additionalProperties"):
        if isinstance(schema.get(key), dict):
            yield from fields_of(schema[key], path)
    for key in ("anyOf", "oneOf"):
        for option in schema.get(key, []):
            yield from fields_of(option, path)


@every_system
def test_the_page_in_the_documentation_is_up_to_date(system: System) -> None:
    page = PROJECT / "docs" / "operations" / f"{system.name}.md"
    expected = operation_page(system, load_system(system.name))
    assert page.read_text(encoding="utf-8") == expected, (
        f"run: rejoin vectors describe {system.name} --output docs/operations/{system.name}.md"
    )


@every_system
def test_every_field_of_every_operation_is_described(system: System) -> None:
    found = [
        f"{operation.name} {path}"
        for operation in system.operations
        for schema in (operation.input_schema, operation.output_schema)
        for path, value in fields_of(schema, "")
        if not value.get("description")
    ]
    assert found == []


@every_system
def test_every_operation_has_an_example(system: System) -> None:
    page = operation_page(system, load_system(system.name))
    parts = page.split("\n## ")[1:]
    assert [part.partition("\n")[0] for part in parts] == [each.name for each in system.operations]
    assert all(f"\nExample `{system.name}/" in part for part in parts)


@pytest.mark.parametrize(
    ("schema", "words"),
    [
        (schemas.HEX, "bytes as hex"),
        (schemas.hex_of(32), "32 bytes as hex"),
        (schemas.DECIMAL, "an integer as decimal text"),
        (schemas.integer(0, 2**31), "an integer from 0 to 2,147,483,648"),
        (schemas.nullable(schemas.TEXT), "text, or null"),
        (schemas.list_of(schemas.BOOLEAN), "a list: true or false"),
        (schemas.one_of_texts("a", "b"), '`"a"` or `"b"`'),
    ],
)
def test_a_schema_in_words(schema: Any, words: str) -> None:
    assert kind_of(schema) == words
