"""Building blocks for the JSON Schemas of operations: the formats that all systems share.

Bytes are lower-case hex, integers that may exceed 2^53 are decimal strings, sets are sorted lists,
and an object refuses every field that it does not name.
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
    """Exactly `size` bytes as hex."""
    return {"type": "string", "pattern": f"^[0-9a-f]{{{2 * size}}}$"}


def one_of_texts(*values: str) -> JsonObject:
    """One of the given strings."""
    return {"enum": list(values)}


def integer(minimum: int, maximum: int | None = None) -> JsonObject:
    """A JSON integer in a range whose ends are included."""
    schema: JsonObject = {"type": "integer", "minimum": minimum}
    if maximum is not None:
        schema["maximum"] = maximum
    return schema


def list_of(
    item: JsonObject, *, unique: bool = False, minimum: int = 0, maximum: int | None = None
) -> JsonObject:
    """A list whose items all match `item`."""
    schema: JsonObject = {"type": "array", "items": item}
    if unique:
        schema["uniqueItems"] = True
    if minimum:
        schema["minItems"] = minimum
    if maximum is not None:
        schema["maxItems"] = maximum
    return schema


def tuple_of(*items: JsonObject) -> JsonObject:
    """A list of exactly these items."""
    prefix: list[Json] = list(items)
    return {
        "type": "array",
        "prefixItems": prefix,
        "minItems": len(items),
        "maxItems": len(items),
    }


def map_of(value: JsonObject) -> JsonObject:
    """An object with any names whose values all match `value`."""
    return {"type": "object", "additionalProperties": value}


def nullable(schema: JsonObject) -> JsonObject:
    """The schema, or null."""
    return any_of(schema, {"type": "null"})


def any_of(*schemas: JsonObject) -> JsonObject:
    """Any of the schemas."""
    options: list[Json] = list(schemas)
    return {"anyOf": options}


def record(
    required: dict[str, JsonObject], optional: dict[str, JsonObject] | None = None
) -> JsonObject:
    """An object with exactly the required fields and any of the optional ones."""
    properties: JsonObject = {**required, **(optional or {})}
    names: list[Json] = list(required)
    return {
        "type": "object",
        "properties": properties,
        "required": names,
        "additionalProperties": False,
    }
