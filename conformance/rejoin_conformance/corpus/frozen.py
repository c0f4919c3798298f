"""Frozen topics: vectors that nobody wrote, from shrunk random histories and model behaviours.

Each file of a frozen topic keeps the histories, and the inputs of the vectors that come from them.
The generator takes them from the committed file. The expected results come from the reference.
"""

from __future__ import annotations

from collections.abc import Iterator

from attrs import evolve

from rejoin_conformance.contract.system import System
from rejoin_conformance.contract.vector import Draft, Topic, Vector
from rejoin_conformance.corpus.load import load_topic_file, load_topic_of_histories, topic_files


def frozen_topics(system: System) -> Iterator[Topic]:
    """Yield the topic of each committed file of a system that has histories."""
    for path in topic_files(system.name):
        topic = load_topic_of_histories(path)
        if topic.histories:
            yield evolve(topic, drafts=tuple(map(_draft, load_topic_file(path))))


def _draft(vector: Vector) -> Draft:
    """Return the draft of a frozen vector. It states no result."""
    return Draft(
        name=vector.id.rpartition("/")[2],
        operation=vector.operation,
        summary=vector.summary,
        clauses=vector.clauses,
        input=vector.input,
        level=vector.level,
        lineage=vector.lineage,
    )
