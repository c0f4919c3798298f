"""Applying diffs."""

from __future__ import annotations

from rejoin_conformance.contract.vector import Topic
from rejoin_conformance.systems.config_merge.drafts.apply_diff import (
    containers,
    kinds,
    prune,
    scalars,
)


def topic() -> Topic:
    """What the replay of one entry does to the data."""
    return Topic(
        "apply-diff",
        "The replay of one entry: a diff is applied to data, its values taken from a source.",
        (*scalars.drafts(), *containers.drafts(), *kinds.drafts(), *prune.drafts()),
    )
