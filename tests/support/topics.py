"""The topics of the committed corpus that somebody wrote, read once for all tests."""

from __future__ import annotations

from functools import cache

from rejoin_conformance.contract.registry import system_named
from rejoin_conformance.contract.vector import Topic
from rejoin_conformance.corpus.text_vectors import written_topics


@cache
def topics_of(system: str) -> tuple[Topic, ...]:
    """Return the topics of a system, by name."""
    return written_topics(system_named(system))
