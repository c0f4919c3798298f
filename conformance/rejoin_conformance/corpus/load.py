"""Read the committed corpus. Every fault is a CorpusError that names the file."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache, lru_cache
from pathlib import Path
from typing import Any, Final, TypeVar

from rejoin_conformance.contract.registry import system_named, system_names
from rejoin_conformance.contract.vector import KeptHistory, Topic, Vector
from rejoin_conformance.corpus.clauses import clauses_of
from rejoin_conformance.corpus.schemas import INDEX_FILE, TOPIC_FILE
from rejoin_conformance.kit import schemas
from rejoin_conformance.kit.errors import ExpectedError
from rejoin_conformance.kit.files import read_input
from rejoin_conformance.kit.json_forms import MalformedError
from rejoin_conformance.kit.json_types import (
    Json,
    JsonObject,
    NotStrictJsonError,
    digest_of,
    strict_json,
)
from rejoin_conformance.kit.locations import vectors_directory
from rejoin_conformance.kit.schemas import list_of, record
from rejoin_conformance.kit.validation import schema_fault, validator


class CorpusError(ExpectedError):
    """A corrupt corpus or an invalid draft. The message names the file or vector and the fault."""


class DisagreementError(CorpusError):
    """A draft states another answer than the reference gives."""

    code = 1


T = TypeVar("T")

FORMAT: Final = 1
_RETIRED_FILE: Final = record(
    {"vectors": list_of(record({"id": schemas.TEXT}, {"why": schemas.TEXT}))}
)


def load_system(name: str, directory: Path | None = None) -> tuple[Vector, ...]:
    """Return every vector of a system, by file in the order of their names."""
    return tuple(
        vector for path in topic_files(name, directory) for vector in load_topic_file(path)
    )


def load_checked(
    names: Iterable[str], directory: Path | None = None, *, indexed: bool = True
) -> dict[str, tuple[Vector, ...]]:
    """Return system -> its vectors, if the corpus is what its index says.

    indexed: whether a folder must have an index. A single file has none.
    Raises CorpusError for a vector that occurs twice or cannot be run, and for one that the index
    does not have, or has otherwise.
    """
    root = directory or vectors_directory()
    vectors = {name: load_system(name, directory) for name in names}
    index = load_index(directory) if indexed and not root.is_file() else None
    if index == {} and any(vectors.values()):
        raise CorpusError(f"{root}: there is no index.json; to run it as it is, give --no-index")
    for name, each in vectors.items():
        for fault in (*faults_of_list(name, each), *index_faults(name, each, index)):
            raise CorpusError(f"{root}: {fault}")
    return vectors


def faults_of_list(name: str, vectors: Iterable[Vector]) -> Iterator[str]:
    """Yield why the vectors of a system cannot be run: each fault of one, or of two together."""
    system, seen = system_named(name), set[str]()
    clauses = {clause.id for clause in clauses_of(name)}
    for vector in vectors:
        if vector.id in seen:
            yield f"{vector.id}: occurs twice in the corpus"
        seen.add(vector.id)
        if system.operation(vector.operation) is None:
            yield f"{vector.id}: there is no operation {vector.operation}"
        if clauses and not clauses.issuperset(vector.clauses):
            unknown = next(clause for clause in vector.clauses if clause not in clauses)
            yield f"{vector.id}: the spec has no clause {unknown}"
        if not vector.readings:
            yield f"{vector.id}: it has no expected result in any reading"


def index_faults(
    name: str, vectors: Iterable[Vector], index: Mapping[str, str] | None
) -> Iterator[str]:
    """Yield each disagreement of the vectors of a system with an index; nothing without one."""
    if index is not None:
        digests = {vector.id: digest_of(vector.to_json()) for vector in vectors}
        own = {listed: index[listed] for listed in index if listed.startswith(f"{name}/")}
        yield from digest_faults(digests, own)


def digest_faults(digests: Mapping[str, str], index: Mapping[str, str]) -> Iterator[str]:
    """Yield each disagreement of an index with the digests of vectors, by their IDs."""
    for vector, digest in digests.items():
        if vector not in index:
            yield f"{vector}: missing in index.json"
        elif index[vector] != digest:
            yield f"{vector}: the digest in index.json differs"
    for listed in index:
        if listed not in digests:
            yield f"{listed}: listed in index.json, but not in the corpus"


def topic_files(name: str, directory: Path | None = None) -> list[Path]:
    """Return the files of a system in a corpus, sorted. Raises CorpusError without a corpus.

    directory: the folder of the corpus, or one of its files; None for the project's own.
    """
    root = directory or vectors_directory()
    if root.is_file():
        try:
            return [root] if read_part(root, TOPIC_FILE)["system"] == name else []
        except CorpusError as error:
            raise CorpusError(f"{error}{_meant_by_file(root)}") from None
    if not root.is_dir():
        raise CorpusError(f"{root}: there is no such file or folder")
    return sorted((root / name).glob("*.json"))


def meant_by(corpus: Path | None) -> str:
    """Return what to give instead of a folder without vectors; empty if nothing is near."""
    if corpus is None:
        return ""
    for near in (corpus / "vectors", corpus.parent):
        if (near / "index.json").is_file():
            return f"; did you mean {near}?"
    single = any(path.name != "index.json" for path in corpus.glob("*.json"))
    return "; to run one file of vectors, name the file" if single else ""


def _meant_by_file(path: Path) -> str:
    """Return what to give instead of a file that is not a file of vectors."""
    if path.name == "index.json":
        return f"; this is an index: give its folder, {path.parent}"
    if b'"type":"header"' in _bytes_of(path).partition(b"\n")[0]:
        return f"; these are results: run rejoin report {path}"
    made = path.with_suffix(".json")
    if made != path and made.is_file():
        return f"; did you mean {made}?"
    return "" if made == path else "; this is not a file of vectors, which is JSON"


def load_topic_file(path: Path) -> tuple[Vector, ...]:
    """Return the vectors of one file of the corpus. The same bytes are parsed once."""
    return _vectors_of(path, _bytes_of(path))


@lru_cache(maxsize=256)
def _vectors_of(path: Path, data: bytes) -> tuple[Vector, ...]:
    value = _parsed(path, data, TOPIC_FILE)
    try:
        system = system_named(value["system"])
    except KeyError:
        raise CorpusError(f"{path}: there is no system {value['system']!r}") from None
    vectors = _taken(path, value, "vectors", lambda each: Vector.from_json(each, system.readings))
    for vector in vectors:
        if not vector.id.startswith(f"{value['system']}/{value['topic']}/"):
            raise CorpusError(f"{path}: {vector.id} does not belong in this file")
        if not set(vector.readings) <= set(system.every_reading):
            raise CorpusError(f"{path}: {vector.id} names an unknown reading")
    return vectors


def load_histories(path: Path) -> tuple[str, tuple[KeptHistory, ...]]:
    """Return the system of one file of a corpus, and the histories in it."""
    value = read_part(path, TOPIC_FILE)
    return value["system"], _histories(value, path)


def load_topic_of_histories(path: Path) -> Topic:
    """Return the topic of a file of histories, with its histories and without vectors."""
    value = read_part(path, TOPIC_FILE)
    return Topic(value["topic"], value["notes"], (), _histories(value, path))


def _histories(value: Any, path: Path) -> tuple[KeptHistory, ...]:
    if value["system"] not in system_names():
        raise CorpusError(f"{path}: there is no system {value['system']!r}")
    kept = _taken(path, value, "histories", KeptHistory.from_json)
    names = [history.name for history in kept]
    if len(names) != len(set(names)):
        raise CorpusError(f"{path}: two histories have the same name")
    return kept


def load_index(directory: Path | None = None) -> dict[str, str]:
    """Return the committed index: vector ID -> digest; empty if there is no index."""
    path = (directory or vectors_directory()) / "index.json"
    if not path.exists():
        return {}
    entries = read_part(path, INDEX_FILE)["vectors"]
    index = {entry["id"]: entry["digest"] for entry in entries}
    if len(index) < len(entries):
        raise CorpusError(f"{path}: an ID occurs twice")
    return index


@cache
def retired_ids() -> frozenset[str]:
    """Return the retired IDs, which must not be used again."""
    return frozenset(entry["id"] for entry in retired_entries())


def retired_entries(directory: Path | None = None) -> tuple[Mapping[str, Any], ...]:
    """Return the entries of the list of retired vectors: each has an `id`, and says `why`."""
    path = (directory or vectors_directory()) / "retired.json"
    return tuple(read_part(path, _RETIRED_FILE)["vectors"]) if path.exists() else ()


def _taken(path: Path, value: Any, name: str, take: Callable[[JsonObject], T]) -> tuple[T, ...]:
    """Return the values of a list in a file; empty if the file does not have the list."""
    taken: list[T] = []
    try:
        for each in value.get(name, ()):
            taken.append(take(each))  # noqa: PERF401 - the place of an error is needed
    except MalformedError as error:
        raise CorpusError(f"{path}: {error.inside(f'.{name}[{len(taken)}]')}") from None
    return tuple(taken)


def read_part(path: Path, schema: JsonObject) -> Any:
    """Return the content of a file that matches the schema. The schema is its type."""
    return _parsed(path, _bytes_of(path), schema)


def _bytes_of(path: Path) -> bytes:
    try:
        return read_input(path)
    except OSError as error:
        raise CorpusError(f"{path}: {error.strerror}") from None


def _parsed(path: Path, data: bytes, schema: JsonObject) -> Any:
    try:
        value: Json = strict_json(data)
    except NotStrictJsonError as error:
        raise CorpusError(f"{path}: {error}") from None
    fault = schema_fault(validator(schema), value)
    if fault is not None:
        raise CorpusError(f"{path}: {fault}")
    return value
