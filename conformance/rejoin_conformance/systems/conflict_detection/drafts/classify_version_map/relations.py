"""Larger, smaller and equal entries."""

from __future__ import annotations

from rejoin_conformance.contract.vector import Draft
from rejoin_conformance.systems.conflict_detection.drafts.classify_version_map.shared import (
    LARGEST,
    classified,
)


def drafts() -> tuple[Draft, ...]:
    """Larger, smaller and equal entries."""
    return (
        classified(
            "no-version-of-ours",
            "The first version that we see",
            None,
            {"A": 1},
            "overwrite",
            "overwrite",
            "CD-CLASSIFY-FIRST",
        ),
        classified(
            "every-entry-larger",
            "The only overwrite on which the readings agree",
            {"A": 1, "B": 1},
            {"A": 2, "B": 2},
            "overwrite",
            "overwrite",
            "CD-MAP-FOLLOWS",
        ),
        classified(
            "one-client-writes-alone",
            "A client that only ever reads",
            {"A": 4},
            {"A": 9},
            "overwrite",
            "overwrite",
            "CD-MAP-FOLLOWS",
        ),
        classified(
            "one-entry-larger",
            "One of two has gone on",
            {"A": 1, "B": 1},
            {"A": 2, "B": 1},
            "overwrite",
            "conflict",
            "CD-MAP-FOLLOWS",
        ),
        classified(
            "one-larger-one-smaller",
            "Both have gone on",
            {"A": 2, "B": 1},
            {"A": 1, "B": 2},
            "conflict",
            "conflict",
            "CD-MAP-FOLLOWS",
        ),
        classified(
            "two-larger-one-smaller",
            "A majority of larger entries is not enough",
            {"A": 1, "B": 1, "C": 2},
            {"A": 9, "B": 9, "C": 1},
            "conflict",
            "conflict",
            "CD-MAP-FOLLOWS",
        ),
        classified(
            "same",
            "The map that we have",
            {"A": 3, "B": 1},
            {"A": 3, "B": 1},
            "same",
            "same",
            "CD-MAP-SAME",
            "CD-CLASSIFY-SAME",
        ),
        classified(
            "one-entry-smaller",
            "A client that lags",
            {"A": 2, "B": 1},
            {"A": 1, "B": 1},
            "stale",
            "conflict",
            "CD-CLASSIFY-STALE",
        ),
        classified(
            "every-entry-smaller",
            "A client that lags behind everyone",
            {"A": 2, "B": 2},
            {"A": 1, "B": 1},
            "stale",
            "conflict",
            "CD-CLASSIFY-STALE",
        ),
        classified(
            "three-parties",
            "B wrote after A's second upload, which C never saw",
            {"A": 1},
            {"A": 2, "B": 1},
            "overwrite",
            "overwrite",
            "CD-MAP-FOLLOWS",
            "CD-CLASSIFY-OVERWRITE",
        ),
        classified(
            "largest-numbers",
            "The largest version numbers there are",
            {"A": LARGEST - 1, "B": LARGEST},
            {"A": LARGEST, "B": LARGEST},
            "overwrite",
            "conflict",
            "CD-MAP-NUMBERS",
        ),
        classified(
            "disjoint",
            "Two clients that wrote without knowing of each other",
            {"A": 1},
            {"B": 1},
            "conflict",
            "conflict",
            "CD-MAP-MISSING-ENTRY",
        ),
    )
