"""The page that describes a system's operations in words, from their schemas and the corpus."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from textwrap import fill
from typing import Any, Final, TypeAlias

from rejoin_conformance.contract.operation import Operation
from rejoin_conformance.contract.system import System
from rejoin_conformance.contract.vector import Vector
from rejoin_conformance.kit.json_types import canonical_json

_WIDTH: Final = 128
_EXAMPLE: Final = 150
"""The best number of characters of an example."""

_KINDS: Final = {
    "^([0-9a-f]{2})*$": "bytes as hex",
    "^(0|-?[1-9][0-9]*)$": "an integer as decimal text",
    "^(0|-?[1-9][0-9]*)(?!\\n)$": "an integer as decimal text",
}


def operation_page(system: System, vectors: Sequence[Vector]) -> str:
    """Return the page as Markdown. vectors: the corpus of the system."""
    intro = (
        f"The operations of {system.name}, from their JSON Schemas in "
        f"`vectors/schema/{system.name}/`. Each operation has a JSON object as input and returns a "
        "JSON object, or it rejects the input. An object has no fields that its table does not "
        "list. A field in brackets is optional. Each example is a vector of the corpus."
    )
    lines = [
        f"# The operations of {system.name}",
        "",
        fill(intro, _WIDTH),
        "",
        f"To write this page again, run `rejoin vectors describe {system.name}`.",
    ]
    for operation in system.operations:
        lines += ["", f"## {operation.name}", "", fill(operation.summary, _WIDTH)]
        lines += ["", "Input:", "", *_table(operation.input_schema)]
        lines += ["", "Output:", "", *_table(operation.output_schema)]
        lines += _features(operation)
        lines += _example(system, operation, vectors)
    return "\n".join([*lines, ""])


def _features(operation: Operation) -> list[str]:
    """Return the features that an implementation can leave out, as a table; nothing if none."""
    if not operation.features:
        return []
    rows = [f"| `{each.name}` | {each.summary} |" for each in operation.features]
    return ["", "Features that an adapter can leave out:", "", "| Feature | |", "|---|---|", *rows]


_Row: TypeAlias = tuple[str, str, str]
"""A field, in brackets if it is optional; its values; its description."""


def _table(schema: Any) -> list[str]:
    options = [*_options(schema)]
    joined = options and all(map(_tag, options))
    rows = dict.fromkeys(_joined(options) if joined else _rows(schema, ""))
    lines = ["| " + " | ".join(cell.replace("|", "\\|") for cell in each) + " |" for each in rows]
    return ["| Field | Value | |", "|---|---|---|", *lines]


def _joined(options: Sequence[Any]) -> Iterator[_Row]:
    """Yield one row for each field of options: its values, and in which options it has each."""
    found: dict[str, dict[str, list[Any]]] = {}
    rows: dict[str, _Row] = {}
    for option in options:
        for row in dict.fromkeys(_rows(option, "")):
            name = row[0].strip("[]")
            rows.setdefault(name, row)
            found.setdefault(name, {}).setdefault(row[1], []).append(option)
    tag = _tag(options[0])
    for name, values in found.items():
        field, kind, text = rows[name]
        if name == f"`{tag}`":
            kind = " or ".join(values)
        elif len(values) > 1:
            kind = "; ".join(
                f"{each}, if `{tag}` is {' or '.join(kind_of(o['properties'][tag]) for o in those)}"
                for each, those in values.items()
            )
        yield field, kind, text


def _tag(option: Any) -> str:
    """Return the field whose value tells an option apart; empty if there is none."""
    fields = option.get("properties", {}).items()
    return next((name for name, each in fields if "const" in each or "enum" in each), "")


def _rows(schema: Any, path: str) -> Iterator[_Row]:
    """Yield a row for each field, with the fields of its parts below it."""
    required = schema.get("required", [])
    for name, value in schema.get("properties", {}).items():
        shown = f"{path}{name}"
        field = f"`{shown}`" if name in required else f"[`{shown}`]"
        text = " ".join(str(value.get("description", "")).split())
        yield field, kind_of(value), text
        yield from _parts(value, f"{shown}.")
    for option in _options(schema):
        yield from _rows(option, path)


def _parts(schema: Any, path: str) -> Iterator[_Row]:
    inner = schema.get("items", schema.get("additionalProperties"))
    if isinstance(inner, dict):
        yield from _parts(inner, path)
    if schema.get("type") == "object" and "properties" in schema:
        yield from _rows(schema, path)
    for option in _options(schema):
        yield from _parts(option, path)


def _options(schema: Any) -> Iterable[Any]:
    return [*schema.get("anyOf", []), *schema.get("oneOf", [])]


def kind_of(schema: Any) -> str:
    """Return the values that a schema allows, in a few words."""
    if "const" in schema:
        return f"`{json.dumps(schema['const'])}`"
    if "enum" in schema:
        return " or ".join(f"`{json.dumps(each)}`" for each in schema["enum"])
    options = list(dict.fromkeys(kind_of(each) for each in _options(schema)))
    if options:
        return ", or ".join(options)
    match schema.get("type"):
        case "array":
            return f"a list: {kind_of(schema.get('items', {}))}"
        case "object" if isinstance(schema.get("additionalProperties"), dict):
            return f"an object of any fields: {kind_of(schema['additionalProperties'])}"
        case "object":
            return "an object"
        case "string":
            return _text_kind(str(schema.get("pattern", "")))
        case "integer":
            return _integer_kind(schema)
        case "boolean":
            return "true or false"
        case "null":
            return "null"
    return "a value"


def _text_kind(pattern: str) -> str:
    if pattern.startswith("^[0-9a-f]{") and pattern.endswith("}$"):
        return f"{int(pattern[10:-2]) // 2} bytes as hex"
    return _KINDS.get(pattern, "text")


def _integer_kind(schema: Any) -> str:
    low, high = schema.get("minimum"), schema.get("maximum")
    if high is not None:
        return f"an integer from {low:,} to {high:,}"
    return "an integer" if low is None else f"an integer, at least {low:,}"


def _example(system: System, operation: Operation, vectors: Sequence[Vector]) -> list[str]:
    """Return a short vector that a person wrote and every reading accepts."""
    found = [
        each
        for each in vectors
        if each.operation == operation.name
        and each.lineage is None
        and not each.recipe
        and system.default_reading in each.expected
        and all("output" in said for said in each.expected.values())
    ]
    if not found:
        return []
    chosen = min(found, key=_size)
    result = chosen.expected[system.default_reading]
    whose = f" The reading `{system.default_reading}` answers:"
    agreed = all(said == result for said in chosen.expected.values())
    return [
        "",
        f"Example `{chosen.id}`. {chosen.summary}{'' if agreed else whose}",
        "",
        "```json",
        json.dumps(chosen.input, ensure_ascii=False),
        json.dumps(result["output"], ensure_ascii=False),
        "```",
    ]


def _size(vector: Vector) -> tuple[bool, int, str]:
    """Return a sort key: a vector with a non-trivial input of a few lines comes first."""
    length = len(canonical_json(vector.input)) + len(canonical_json(dict(vector.expected)))
    trivial = not any(value for value in vector.input.values() if value not in ([], "", {}))
    return trivial, abs(length - _EXAMPLE), vector.id
