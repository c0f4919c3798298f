"""Descriptions of the fields of operations, put into their schemas."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from attrs import evolve

from rejoin_conformance.contract.operation import Operation
from rejoin_conformance.kit.json_types import JsonObject


def described(operation: Operation, words: Mapping[str, str]) -> Operation:
    """Return the operation with a description of every field that `words` describes.

    words: `field`, or `operation/field` if the field has another meaning there, -> description. A
        description that the schema already has stays.
    """
    short = operation.name.partition("/")[2]
    return evolve(
        operation,
        input_schema=_described(operation.input_schema, short, words),
        output_schema=_described(operation.output_schema, short, words),
    )


def _described(schema: Any, operation: str, words: Mapping[str, str]) -> Any:
    if isinstance(schema, list):
        return [_described(each, operation, words) for each in schema]
    if not isinstance(schema, dict):
        return schema
    result: JsonObject = {
        key: _described(value, operation, words)
        for key, value in schema.items()
        if key not in ("properties", "enum", "const", "default", "required")
    }
    for key in ("enum", "const", "default", "required"):
        if key in schema:
            result[key] = schema[key]
    if "properties" in schema:
        result["properties"] = {
            name: _field(name, value, operation, words)
            for name, value in schema["properties"].items()
        }
    return {key: result[key] for key in schema}


def _field(name: str, schema: Any, operation: str, words: Mapping[str, str]) -> JsonObject:
    text = words.get(f"{operation}/{name}", words.get(name))
    inner: JsonObject = _described(schema, operation, words)
    return inner if text is None or "description" in inner else {"description": text, **inner}
