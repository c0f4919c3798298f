"""Read the committed corpus; every fault is one CorpusError that names the file."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, Final, TypeVar

from rejoin_conformance.contract.registry import system_named, system_names
from rejoin_conformance.contract.vector import KeptHistory, Topic, Vector
from rejoin_conformance.corpus.schemas import INDEX_FILE, TOPIC_FILE
from rejoin_conformance.kit.codec import MalformedError
from rejoin_conformance.kit.json_types import Json, JsonObject, NotStrictJsonError, strict_json
from rejoin_conformance.kit.locations import vectors_directory
from rejoin_conformance.kit.validation import schema_fault, validator


class CorpusError(Exception):
    """A corrupt corpus or an invalid draft: the file or vector, and what is wrong with it."""


T = TypeVar("T")

FORMAT: Final = 1
_RETIRED_PATH: Final = "retired.json"


def load_system(name: str, directory: Path | None = None) -> tuple[Vector, ...]:
    """Every vector of a system, file by file in the order of their names."""
    return tuple(
        vector for path in topic_files(name, directory) for vector in load_topic_file(path)
    )


def topic_files(name: str, directory: Path | None = None) -> list[Path]:
    """The files of a system in a corpus, sorted; a CorpusError where there is no such corpus."""
    root = directory or vectors_directory()
    if not root.is_dir():
        raise CorpusError(f"{root}: there is no such folder")
    return sorted((root / name).glob("*.json"))


def load_topic_file(path: Path) -> tuple[Vector, ...]:
    """The vectors of one file of the corpus."""
    value = _read(path, TOPIC_FILE)
    try:
        readings = system_named(value["system"]).readings
    except KeyError:
        raise CorpusError(f"{path}: there is no system {value['system']!r}") from None
    vectors = _taken(path, value, "vectors", lambda each: Vector.from_json(each, readings))
    for vector in vectors:
        if not vector.id.startswith(f"{value['system']}/{value['topic']}/"):
            raise CorpusError(f"{path}: {vector.id} does not belong into this file")
        if not set(vector.expected) <= set(readings):
            raise CorpusError(f"{path}: {vector.id} names an unknown reading")
    return vectors


def load_histories(path: Path) -> tuple[str, tuple[KeptHistory, ...]]:
    """The system of one file of a corpus, and the histories that it keeps."""
    value = _read(path, TOPIC_FILE)
    return value["system"], _histories(value, path)


def load_topic_of_histories(path: Path) -> Topic:
    """The topic of a file that keeps histories, with them, and without vectors."""
    value = _read(path, TOPIC_FILE)
    return Topic(value["topic"], value["notes"], (), _histories(value, path))


def _histories(value: Any, path: Path) -> tuple[KeptHistory, ...]:
    if value["system"] not in system_names():
        raise CorpusError(f"{path}: there is no system {value['system']!r}")
    kept = _taken(path, value, "histories", KeptHistory.from_json)
    names = [history.name for history in kept]
    if len(names) != len(set(names)):
        raise CorpusError(f"{path}: two histories have one name")
    return kept


def load_index(directory: Path | None = None) -> dict[str, str]:
    """Vector ID -> digest, as committed; empty where there is no index yet."""
    path = (directory or vectors_directory()) / "index.json"
    if not path.exists():
        return {}
    return {entry["id"]: entry["digest"] for entry in _read(path, INDEX_FILE)["vectors"]}


@cache
def retired_ids() -> frozenset[str]:
    """The IDs of vectors that left the corpus and are never used again."""
    path = vectors_directory() / _RETIRED_PATH
    if not path.exists():
        return frozenset()
    return frozenset(entry["id"] for entry in _read(path, {"type": "object"})["vectors"])


def _taken(path: Path, value: Any, name: str, take: Callable[[JsonObject], T]) -> tuple[T, ...]:
    """The values of a list in a file; empty if the file does not have the list."""
    taken: list[T] = []
    try:
        for each in value.get(name, ()):
            taken.append(take(each))  # noqa: PERF401 - the place of an error is needed
    except MalformedError as error:
        raise CorpusError(f"{path}: {error.inside(f'.{name}[{len(taken)}]')}") from None
    return tuple(taken)


def _read(path: Path, schema: JsonObject) -> Any:
    """The content of a file that matches the schema; `Any` because the schema is the type."""
    try:
        value: Json = strict_json(path.read_bytes())
    except OSError as error:
        raise CorpusError(f"{path}: {error.strerror}") from None
    except NotStrictJsonError as error:
        raise CorpusError(f"{path}: {error}") from None
    fault = schema_fault(validator(schema), value)
    if fault is not None:
        raise CorpusError(f"{path}: {fault}")
    return value
