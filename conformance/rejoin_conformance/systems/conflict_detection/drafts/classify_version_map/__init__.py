"""Topic `classify-version-map`: Zooko's design without a grid, and its example."""

from __future__ import annotations

from rejoin_conformance.contract.vector import Topic
from rejoin_conformance.systems.conflict_detection.drafts.classify_version_map import (
    example,
    missing_entries,
    refusals,
    relations,
)


def topic() -> Topic:
    """The vectors of `classify-version-map`."""
    return Topic(
        "classify-version-map",
        "What a version is to a client, from the two version maps alone. The vectors of the "
        "scenario `three-clients` are the document's example, carried to its end.",
        (*example.drafts(), *relations.drafts(), *missing_entries.drafts(), *refusals.drafts()),
    )
