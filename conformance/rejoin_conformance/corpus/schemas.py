"""The JSON Schemas of the corpus files and of each operation."""

from __future__ import annotations

from typing import Final

from rejoin_conformance.contract.system import System
from rejoin_conformance.kit import schemas
from rejoin_conformance.kit.json_types import JsonObject
from rejoin_conformance.kit.schemas import DIALECT, record

_NAME: Final[JsonObject] = {"type": "string", "pattern": "^[a-z0-9]+(-[a-z0-9]+)*$"}
_CLAUSE: Final[JsonObject] = {"type": "string", "pattern": "^[A-Z]+(-[A-Z0-9]+)+$"}
_VERSION: Final[JsonObject] = {
    "type": "string",
    "pattern": "^(0|[1-9][0-9]*)([.](0|[1-9][0-9]*)){2}$",
}
_ANY_OBJECT: Final[JsonObject] = {"type": "object"}

EXPECTED: Final = schemas.any_of(
    record({"output": _ANY_OBJECT}), record({"rejected": record({}, {"code": _NAME})})
)

LINEAGE: Final[JsonObject] = record(
    {
        "profile": _NAME,
        "seed": schemas.DECIMAL,
        "index": schemas.integer(0),
        "code": schemas.TEXT,
        "history": _NAME,
    },
    {
        "readings": schemas.list_of(schemas.TEXT, unique=True, minimum=1),
        "law": _NAME,
        "kinds": schemas.list_of(schemas.TEXT, unique=True, minimum=1),
    },
)

HISTORY: Final = record(
    {"name": _NAME, "shows": schemas.TEXT, "lineage": LINEAGE, "history": _ANY_OBJECT},
    {
        "reaches": schemas.list_of(schemas.TEXT, unique=True, minimum=1),
        "decides": schemas.map_of(schemas.list_of(_CLAUSE, unique=True, minimum=1)),
    },
)

VECTOR: Final[JsonObject] = {
    **record(
        {
            "id": {"type": "string", "pattern": "^[a-z0-9-]+/[a-z0-9-]+/[a-z0-9-]+$"},
            "operation": {"type": "string", "pattern": "^[a-z0-9-]+/[a-z0-9-]+$"},
            "clauses": schemas.list_of(_CLAUSE, unique=True, minimum=1),
            "level": schemas.one_of_texts("must", "should", "may"),
            "summary": {"type": "string", "minLength": 1},
            "input": _ANY_OBJECT,
        },
        {
            "expected": EXPECTED,
            "expected_by_reading": schemas.map_of(EXPECTED),
            "mended": _ANY_OBJECT,
            "scenario": record({"name": schemas.TEXT, "step": schemas.TEXT}),
            "lineage": LINEAGE,
            "recipe": {"const": True},
        },
    ),
    "oneOf": [{"required": ["expected"]}, {"required": ["expected_by_reading"]}],
}

TOPIC_FILE: Final[JsonObject] = {
    "$schema": DIALECT,
    "title": "One file of the corpus: the vectors of a topic",
    **record(
        {
            "schema": schemas.integer(1, 1),
            "system": _NAME,
            "topic": _NAME,
            "notes": schemas.TEXT,
            "vectors": schemas.list_of(VECTOR),
        },
        {"histories": schemas.list_of(HISTORY)},
    ),
}

INDEX_FILE: Final[JsonObject] = {
    "$schema": DIALECT,
    "title": "Every vector of the corpus with the BLAKE2b-32 digest of its canonical JSON",
    **record(
        {
            "schema": schemas.integer(1, 1),
            "vectors": schemas.list_of(record({"id": schemas.TEXT, "digest": schemas.hex_of(32)})),
        },
        {"version": _VERSION},
    ),
}


def corpus_schemas(system: System) -> dict[str, JsonObject]:
    """Return path below `vectors/` -> schema: the general ones, and two for each operation."""
    files: dict[str, JsonObject] = {
        "schema/topic.json": TOPIC_FILE,
        "schema/index.json": INDEX_FILE,
    }
    for operation in system.operations:
        for side, schema in (
            ("input", operation.input_schema),
            ("output", operation.output_schema),
        ):
            files[f"schema/{operation.name}.{side}.json"] = {
                "$schema": DIALECT,
                "title": f"{operation.name}: {side}",
                "description": operation.summary,
                **schema,
            }
    return files
