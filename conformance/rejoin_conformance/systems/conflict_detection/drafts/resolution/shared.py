"""What the parts of the topic share."""

from __future__ import annotations

from rejoin_conformance.systems.conflict_detection.drafts.by_hand.stories import (
    Story,
    changed_at_once,
    poll,
)


def held_of_three(design: str) -> Story:
    """A, B and C changed the file, and A holds the versions of the others."""
    return (
        changed_at_once(design, "ABC")
        .step(poll("A", "B"), "conflict", {"A": "foo=a foo.conflict-B=b"})
        .step(poll("A", "C"), "conflict", {"A": "foo=a foo.conflict-B=b foo.conflict-C=c"})
    )


def held_by_both(design: str) -> Story:
    """A and B changed the file, and each holds the other's version."""
    return (
        changed_at_once(design)
        .step(poll("A", "B"), "conflict", {"A": "foo=a foo.conflict-B=b"})
        .step(poll("B", "A"), "conflict", {"B": "foo=b foo.conflict-A=a"})
    )
