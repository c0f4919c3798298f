"""A whole corpus of any version as data, without the systems that this version of the suite has."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from attrs import frozen

from rejoin_conformance.corpus.load import CorpusError
from rejoin_conformance.corpus.packed import INDEX, RETIRED, corpus_files
from rejoin_conformance.corpus.schemas import INDEX_FILE, TOPIC_FILE
from rejoin_conformance.kit import schemas
from rejoin_conformance.kit.json_types import (
    JsonObject,
    NotStrictJsonError,
    digest_of,
    strict_json,
)
from rejoin_conformance.kit.schemas import record
from rejoin_conformance.kit.untrusted import shown_line
from rejoin_conformance.kit.validation import SchemaValidator, schema_fault, validator

_MOST_VALUES: Final = 10_000_000
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
    """Return the corpus in a folder, a zip or a tarball. Raises CorpusError if a part is wrong.

    Each vector must be in the index with its digest, and the index must list no other.
    """
    files = corpus_files(path)
    index = _checked(path, INDEX, files.pop(INDEX), validator(INDEX_FILE))
    retired = _retired(path, files.pop(RETIRED, None))
    digests = {entry["id"]: entry["digest"] for entry in index["vectors"]}
    if len(digests) < len(index["vectors"]):
        raise CorpusError(f"{path}: {INDEX} lists an ID twice")
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
                raise CorpusError(f"{path}: {INDEX} does not list {identity}")
            if digest_of(vector) != digests[identity]:
                raise CorpusError(f"{path}: {identity} does not have its digest in {INDEX}")
            vectors[identity] = vector
    missing = sorted(digests.keys() - vectors.keys())
    if missing:
        raise CorpusError(
            f"{path}: the corpus is incomplete: {INDEX} lists {shown_line(missing[0])}, "
            "but no file has it"
        )
    return ReleasedCorpus(index.get("version", ""), vectors, retired)


def _retired(path: Path, data: bytes | None) -> dict[str, str]:
    if data is None:
        return {}
    listed = _checked(path, RETIRED, data, validator(_RETIRED_FILE))["vectors"]
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
