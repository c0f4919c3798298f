"""Topic `deletion`: files that go, come back, and are forgotten."""

from __future__ import annotations

from rejoin_conformance.contract.vector import Topic
from rejoin_conformance.systems.conflict_detection.drafts.deletion import (
    conflicts,
    links,
    plain,
    refusals,
)


def topic() -> Topic:
    """The vectors of deletion."""
    return Topic(
        "deletion",
        "Deletions are versions without content. In the reports `links` a deletion is null.",
        (*plain.drafts(), *conflicts.drafts(), *links.drafts(), *refusals.drafts()),
    )
