"""A whole corpus of any version as data, without the systems that this version of the suite has."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from attrs import frozen

from rejoin_conformance.corpus.load import CorpusError
from rejoin_conformance.corpus.schemas import INDEX_FILE, TOPIC_FILE
from rejoin_conformance.kit import schemas
from rejoin_conformance.kit.files import read_input
from rejoin_conformance.kit.json_types import (
    JsonObject,
    NotStrictJsonError,
    digest_of,
    strict_json,
)
from rejoin_conformance.kit.schemas import record
from rejoin_conformance.kit.text import shown_line
from rejoin_conformance.kit.validation import SchemaValidator, schema_fault, validator

_MOST_VALUES: Final = 10_000_000
_INDEX: Final = "index.json"
_RETIRED: Final = "retired.json"
_SCHEMAS: Final = "schema"
_RETIRED_FILE: Final[JsonObject] = {
    "type": "object",
    "properties": {
        "vectors": schemas.list_of(record({"id": schemas.TEXT}, {"why": schemas.TEXT})),
    },
    "required": ["vectors"],
}


@frozen
class ReleasedCorpus:
    """A corpus that has been read.

    version: empty if the index names none. vectors: ID -> vector as its file has it. retired: ID ->
    the reason.
    """

    version: str
    vectors: Mapping[str, JsonObject]
    retired: Mapping[str, str]


def read_corpus(path: Path) -> ReleasedCorpus:
    """Return the corpus in a folder. Raises CorpusError if a part is wrong.

    Each vector must be in the index with its digest, and the index must list no other.
    """
    files = _files_of(path)
    index = _checked(path, _INDEX, files.pop(_INDEX), validator(INDEX_FILE))
    retired = _retired(path, files.pop(_RETIRED, None))
    digests = {entry["id"]: entry["digest"] for entry in index["vectors"]}
    if len(digests) < len(index["vectors"]):
        raise CorpusError(f"{path}: {_INDEX} lists an ID twice")
    topic = validator(TOPIC_FILE)
    vectors: dict[str, JsonObject] = {}
    for name in sorted(files):
        for vector in _checked(path, name, files[name], topic)["vectors"]:
            identity = vector["id"]
            if f"{identity.rpartition('/')[0]}.json" != name:
                raise CorpusError(f"{path}: {name}: {identity} does not belong in this file")
            if identity in vectors:
                raise CorpusError(f"{path}: {name}: two vectors have the ID {identity}")
            if identity not in digests:
                raise CorpusError(f"{path}: {_INDEX} does not list {identity}")
            if digest_of(vector) != digests[identity]:
                raise CorpusError(f"{path}: {identity} does not have its digest in {_INDEX}")
            vectors[identity] = vector
    missing = sorted(digests.keys() - vectors.keys())
    if missing:
        raise CorpusError(
            f"{path}: the corpus is incomplete: {_INDEX} lists {shown_line(missing[0])}, "
            "but no file has it"
        )
    return ReleasedCorpus(index.get("version", ""), vectors, retired)


def _files_of(path: Path) -> dict[str, bytes]:
    """Return the JSON files of a corpus without its schemas: path below the corpus -> content.

    The corpus is the folder with `index.json`: the folder itself, or the folder `vectors` in it.
    """
    try:
        for root in (path, path / "vectors"):
            if (root / _INDEX).is_file():
                topics = (each for each in root.glob("*/*.json") if each.parent.name != _SCHEMAS)
                found = [root / _INDEX, root / _RETIRED, *topics]
                return {
                    each.relative_to(root).as_posix(): read_input(each)
                    for each in found
                    if each.is_file()
                }
    except OSError as error:
        raise CorpusError(f"{path}: {error.strerror or error}") from None
    if not path.exists():
        raise CorpusError(f"{path}: there is no such folder")
    raise CorpusError(f"{path}: not a corpus: there is no {_INDEX}; unpack an archive first")


def _retired(path: Path, data: bytes | None) -> dict[str, str]:
    if data is None:
        return {}
    listed = _checked(path, _RETIRED, data, validator(_RETIRED_FILE))["vectors"]
    return {entry["id"]: entry.get("why", "") for entry in listed}


def _checked(path: Path, name: str, data: bytes, schema: SchemaValidator) -> Any:
    """Return the content of a file that matches the schema, which is its type."""
    try:
        value = strict_json(data, _MOST_VALUES)
    except NotStrictJsonError as error:
        raise CorpusError(f"{path}: {shown_line(name)}: {error}") from None
    fault = schema_fault(schema, value)
    if fault is not None:
        raise CorpusError(f"{path}: {shown_line(name)}: {shown_line(fault, 400)}")
    return value
