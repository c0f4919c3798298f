"""Topic `polling`: what clients see of each other's directories."""

from __future__ import annotations

from rejoin_conformance.contract.vector import Topic
from rejoin_conformance.systems.conflict_detection.drafts.polling import (
    absences,
    other_finds,
    overwrites,
    several_files,
    subscriptions,
)


def topic() -> Topic:
    """The vectors of polling."""
    return Topic(
        "polling",
        "Clients upload, poll and take over versions. Where ours follows theirs, `literal` makes "
        "a conflict of it.",
        (
            *overwrites.drafts(),
            *other_finds.drafts(),
            *several_files.drafts(),
            *absences.drafts(),
            *subscriptions.drafts(),
        ),
    )
