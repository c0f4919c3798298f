"""The corpus, read once."""

from __future__ import annotations

from functools import cache

from attrs import frozen

from rejoin_conformance.contract.vector import Vector
from rejoin_conformance.corpus.load import load_topic_file, load_topic_of_histories, topic_files


@frozen
class CorpusTopic:
    """A topic: its name, its notes for readers, and its vectors."""

    name: str
    notes: str
    vectors: tuple[Vector, ...]


@cache
def topics(system: str) -> tuple[CorpusTopic, ...]:
    """Return the topics of a system, by name. Raises CorpusError."""
    return tuple(
        CorpusTopic(path.stem, load_topic_of_histories(path).notes, load_topic_file(path))
        for path in topic_files(system)
    )


@cache
def vectors(system: str) -> dict[str, Vector]:
    """Return the vectors of a system: ID -> vector. Raises CorpusError."""
    return {vector.id: vector for topic in topics(system) for vector in topic.vectors}
