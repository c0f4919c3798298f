"""The fields of the operations' inputs: schemas, and functions that read them.

The input matches its schema before a reader runs, so a reader only gives the value its type.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, cast

from rejoin import conflict_detection as cd
from rejoin_conformance.kit.json_types import Json, JsonObject
from rejoin_conformance.kit.schemas import TEXT, list_of, map_of, nullable, one_of_texts, record

VERSIONS: Final = list_of(record({"id": TEXT, "parents": list_of(TEXT)}))
"""A version DAG: versions in any order, each with its parents."""

VERSION_MAP: Final = map_of({"type": "integer"})
"""A version map. The protocol, not the schema, decides whether its numbers are allowed."""

CLASSIFICATION: Final = one_of_texts("overwrite", "conflict", "stale", "same")

ID_OR_NULL: Final = nullable(TEXT)
MAP_OR_NULL: Final = nullable(VERSION_MAP)


def text_of(value: JsonObject, name: str) -> str:
    """Return a field that is a string."""
    return cast("str", value[name])


def texts_of(value: JsonObject, name: str) -> list[str]:
    """Return a field that is a list of strings."""
    return cast("list[str]", value[name])


def text_or_none(value: JsonObject, name: str) -> str | None:
    """Return a field that is a string, or None if it is null or missing."""
    return cast("str | None", value.get(name))


def bytes_of(value: JsonObject, name: str) -> bytes:
    """Return a field that is bytes as hex."""
    return bytes.fromhex(text_of(value, name))


def bytes_or_none(value: JsonObject, name: str) -> bytes | None:
    """Return a field that is bytes as hex, or None if it is null or missing."""
    text = text_or_none(value, name)
    return None if text is None else bytes.fromhex(text)


def dag_of(value: JsonObject, name: str) -> dict[str, tuple[str, ...]]:
    """Return a field that is a version DAG. Raises ConflictDetectionError if it is not a DAG."""
    versions = cast("list[JsonObject]", value[name])
    return cd.version_dag((text_of(each, "id"), texts_of(each, "parents")) for each in versions)


def map_of_versions(value: Json) -> cd.VersionMap:
    """Return a version map from its JSON. Raises ConflictDetectionError if it is invalid."""
    version_map = cast("cd.VersionMap", value)
    cd.check_version_map(version_map)
    return version_map


def sorted_list(texts: Iterable[str]) -> list[Json]:
    """Return a set of strings as JSON: a sorted list."""
    return [*sorted(texts)]
