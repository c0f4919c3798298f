"""Building blocks for the JSON Schemas of operations, shared by all systems.

Bytes are lower-case hex. Integers that can exceed 2^53 are decimal strings. Sets are sorted lists.
An object refuses every field that its schema does not name.
"""

from __future__ import annotations

from typing import Final

from rejoin_conformance.kit.json_types import Json, JsonObject

DIALECT: Final = "https://json-schema.org/draft/2020-12/schema"

HEX: Final[JsonObject] = {"type": "string", "pattern": "^([0-9a-f]{2})*$"}
DECIMAL: Final[JsonObject] = {"type": "string", "pattern": "^(0|-?[1-9][0-9]*)$"}
BOOLEAN: Final[JsonObject] = {"type": "boolean"}
TEXT: Final[JsonObject] = {"type": "string"}


def hex_of(size: int) -> JsonObject:
    """Return a schema for exactly `size` bytes as hex."""
    return {"type": "string", "pattern": f"^[0-9a-f]{{{2 * size}}}$"}


def one_of_texts(*values: str) -> JsonObject:
    """Return a schema for one of the given strings."""
    return {"enum": list(values)}


def integer(minimum: int, maximum: int | None = None) -> JsonObject:
    """Return a schema for an integer in minimum .. maximum, both included."""
    schema: JsonObject = {"type": "integer", "minimum": minimum}
    if maximum is not None:
        schema["maximum"] = maximum
    return schema


def list_of(
    item: JsonObject, *, unique: bool = False, minimum: int = 0, maximum: int | None = None
) -> JsonObject:
    """Return a schema for a list whose items all match `item`."""
    schema: JsonObject = {"type": "array", "items": item}
    if unique:
        schema["uniqueItems"] = True
    if minimum:
        schema["minItems"] = minimum
    if maximum is not None:
        schema["maxItems"] = maximum
    return schema


def map_of(value: JsonObject) -> JsonObject:
    """Return a schema for an object of any fields whose values all match `value`."""
    return {"type": "object", "additionalProperties": value}


def nullable(schema: JsonObject) -> JsonObject:
    """Return a schema for a value that matches `schema`, or null."""
    return any_of(schema, {"type": "null"})


def any_of(*schemas: JsonObject) -> JsonObject:
    """Return a schema for a value that matches any of the schemas."""
    options: list[Json] = list(schemas)
    return {"anyOf": options}


def record(
    required: dict[str, JsonObject], optional: dict[str, JsonObject] | None = None
) -> JsonObject:
    """Return a schema for an object with all required fields and any of the optional ones."""
    properties: JsonObject = {**required, **(optional or {})}
    names: list[Json] = list(required)
    return {
        "type": "object",
        "properties": properties,
        "required": names,
        "additionalProperties": False,
    }
