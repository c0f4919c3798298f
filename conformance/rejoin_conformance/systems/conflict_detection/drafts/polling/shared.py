"""What the parts of the topic share."""

from __future__ import annotations

from rejoin_conformance.systems.conflict_detection.drafts.by_hand.stories import (
    Story,
    edit,
    poll,
)


def two_in_sync(design: str) -> Story:
    """A and B have the first version."""
    return (
        Story(design, "AB")
        .step(edit("A", "X"), None, {"A": "foo=X"})
        .step(poll("B", "A"), "overwrite", {"B": "foo=X"})
    )
