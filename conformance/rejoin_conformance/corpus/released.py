"""A whole corpus of any version as data, without the systems that this version of the suite has."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from attrs import frozen

from rejoin_conformance.corpus.load import (
    CorpusError,
    digest_faults,
    load_index,
    read_part,
    retired_entries,
)
from rejoin_conformance.corpus.schemas import INDEX_FILE, TOPIC_FILE
from rejoin_conformance.kit.json_types import JsonObject, digest_of


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

    The corpus is the folder with `index.json`: the folder itself, or the folder `vectors` in it.
    Each vector must be in the index with its digest, and the index must list no other.
    """
    root = next(
        (each for each in (path, path / "vectors") if (each / "index.json").is_file()), None
    )
    if root is None and not path.exists():
        raise CorpusError(f"{path}: there is no such folder")
    if root is None:
        raise CorpusError(f"{path}: not a corpus: there is no index.json; unpack an archive first")
    vectors: dict[str, JsonObject] = {}
    for file in sorted(each for each in root.glob("*/*.json") if each.parent.name != "schema"):
        for vector in read_part(file, TOPIC_FILE)["vectors"]:
            identity = vector["id"]
            if root / f"{identity.rpartition('/')[0]}.json" != file:
                raise CorpusError(f"{file}: {identity} does not belong in this file")
            if identity in vectors:
                raise CorpusError(f"{file}: two vectors have the ID {identity}")
            vectors[identity] = vector
    digests = {identity: digest_of(vector) for identity, vector in vectors.items()}
    for fault in digest_faults(digests, load_index(root)):
        raise CorpusError(f"{path}: {fault}")
    return ReleasedCorpus(
        version=read_part(root / "index.json", INDEX_FILE).get("version", ""),
        vectors=vectors,
        retired={entry["id"]: entry.get("why", "") for entry in retired_entries(root)},
    )
