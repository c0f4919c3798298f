"""The JSON Schemas of the corpus files, which stand in `schema/`, and of each operation."""

from __future__ import annotations

import json
from importlib.resources import files
from typing import Final

from rejoin_conformance.contract.system import System
from rejoin_conformance.kit.json_types import JsonObject
from rejoin_conformance.kit.schemas import DIALECT


def _schema(name: str) -> JsonObject:
    text = files(__package__).joinpath("schema", name).read_text(encoding="utf-8")
    schema: JsonObject = json.loads(text)
    return schema


TOPIC_FILE: Final = _schema("topic.json")
INDEX_FILE: Final = _schema("index.json")


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
