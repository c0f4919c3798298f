"""Every operation has a page in words, made from its schemas and the corpus."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from rejoin_conformance.contract.registry import all_systems
from rejoin_conformance.contract.system import System
from rejoin_conformance.corpus.load import load_system
from rejoin_conformance.corpus.operation_page import operation_page
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
