"""Entries that are missing, and entries of zero."""

from __future__ import annotations

from rejoin_conformance.contract.vector import Draft
from rejoin_conformance.systems.conflict_detection.drafts.classify_version_map.shared import (
    classified,
)


def drafts() -> tuple[Draft, ...]:
    """Entries that are missing, and entries of zero."""
    missing = "CD-MAP-MISSING-ENTRY"
    return (
        classified(
            "entry-missing-in-ours",
            "A client that we never heard of wrote",
            {"A": 1},
            {"A": 1, "B": 1},
            "overwrite",
            "conflict",
            missing,
        ),
        classified(
            "zero-missing-in-theirs",
            "Our entry of zero, and they have none",
            {"A": 1, "B": 0},
            {"A": 2},
            "overwrite",
            "conflict",
            missing,
        ),
        classified(
            "zeros-are-no-difference",
            "Equal but for entries of zero",
            {"A": 1, "B": 0},
            {"A": 1, "C": 0},
            "same",
            "same",
            missing,
            "CD-MAP-SAME",
        ),
        classified(
            "own-entry-of-zero",
            "A client that never wrote, with its entry of zero",
            {"B": 0},
            {"A": 1},
            "overwrite",
            "conflict",
            missing,
        ),
        classified(
            "empty-against-empty", "Two maps without entries", {}, {}, "same", "same", "CD-MAP-SAME"
        ),
        classified(
            "empty-local",
            "An empty local map is followed by every other one",
            {},
            {"A": 1},
            "overwrite",
            "overwrite",
            missing,
        ),
        classified(
            "empty-remote",
            "An empty map follows nothing",
            {"A": 1},
            {},
            "stale",
            "conflict",
            missing,
        ),
        classified(
            "larger-than-a-missing-zero",
            "Entry of zero against a larger one",
            {"A": 1, "B": 0},
            {"A": 2, "B": 1},
            "overwrite",
            "overwrite",
            missing,
        ),
    )
