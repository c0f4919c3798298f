"""Topic `resolution`: how conflicts end."""

from __future__ import annotations

from rejoin_conformance.contract.vector import Topic
from rejoin_conformance.systems.conflict_detection.drafts.resolution import (
    by_renaming,
    elsewhere,
    forgetting,
    here,
    refusals,
)


def topic() -> Topic:
    """The vectors of resolution."""
    return Topic(
        "resolution",
        "Conflict files are deleted or renamed, which uploads a version that follows ours and "
        "theirs; what that means to everybody else.",
        (
            *here.drafts(),
            *by_renaming.drafts(),
            *elsewhere.drafts(),
            *forgetting.drafts(),
            *refusals.drafts(),
        ),
    )
