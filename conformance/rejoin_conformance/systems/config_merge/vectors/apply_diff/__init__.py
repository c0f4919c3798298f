"""Applying diffs."""

from __future__ import annotations

from rejoin_conformance.systems.config_merge.vectors.apply_diff import (
    containers,
    kinds,
    prune,
    scalars,
)
from rejoin_conformance.vectors import Topic


def topic() -> Topic:
    """What the replay of one entry does to the data."""
    return Topic(
        "apply-diff",
        "The replay of one entry: a diff is applied to data, its values taken from a source.",
        (*scalars.drafts(), *containers.drafts(), *kinds.drafts(), *prune.drafts()),
    )
