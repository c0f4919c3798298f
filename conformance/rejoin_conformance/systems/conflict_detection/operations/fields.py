"""The parts that the operations' inputs are made of: schemas, and how to read them.

The input schemas are checked before anything here runs, so a reader only tells the type checker
what is known already.
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
"""A version map; whether its numbers are allowed is for the protocol to say."""

CLASSIFICATION: Final = one_of_texts("overwrite", "conflict", "stale", "same")

ID_OR_NULL: Final = nullable(TEXT)
MAP_OR_NULL: Final = nullable(VERSION_MAP)


def text_of(value: JsonObject, name: str) -> str:
    """A field that holds a string."""
    return cast("str", value[name])


def texts_of(value: JsonObject, name: str) -> list[str]:
    """A field that holds a list of strings."""
    return cast("list[str]", value[name])


def text_or_none(value: JsonObject, name: str) -> str | None:
    """A field that holds a string or null, or is left out."""
    return cast("str | None", value.get(name))


def bytes_of(value: JsonObject, name: str) -> bytes:
    """A field that holds bytes as hex."""
    return bytes.fromhex(text_of(value, name))


def bytes_or_none(value: JsonObject, name: str) -> bytes | None:
    """A field that holds bytes as hex or null, or is left out."""
    text = text_or_none(value, name)
    return None if text is None else bytes.fromhex(text)


def dag_of(value: JsonObject, name: str) -> dict[str, tuple[str, ...]]:
    """A field that holds a version DAG; refuses what is none."""
    versions = cast("list[JsonObject]", value[name])
    return cd.version_dag((text_of(each, "id"), texts_of(each, "parents")) for each in versions)


def map_of_versions(value: Json) -> cd.VersionMap:
    """A version map; refuses what is none."""
    version_map = cast("cd.VersionMap", value)
    cd.check_version_map(version_map)
    return version_map


def sorted_list(texts: Iterable[str]) -> list[Json]:
    """A set of strings as JSON has it."""
    return [*sorted(texts)]
