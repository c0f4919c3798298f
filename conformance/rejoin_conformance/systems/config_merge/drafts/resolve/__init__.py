"""Resolving: one survivor is returned, several are merged."""

from __future__ import annotations

from rejoin_conformance.contract.vector import Topic
from rejoin_conformance.systems.config_merge.drafts.resolve import (
    concurrent,
    cutoff,
    model_checked,
    outcome,
    readings,
    replay,
)


def topic() -> Topic:
    """What several messages amount to."""
    return Topic(
        "resolve",
        "Conflict resolution: the result of a merge byte for byte, and why it is that.",
        (
            *outcome.drafts(),
            *replay.drafts(),
            *cutoff.drafts(),
            *concurrent.drafts(),
            *readings.drafts(),
            *model_checked.drafts(),
        ),
    )
