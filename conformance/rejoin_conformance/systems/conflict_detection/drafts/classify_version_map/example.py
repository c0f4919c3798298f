"""The document's example with three clients."""

from __future__ import annotations

from rejoin_conformance.contract.vector import Draft
from rejoin_conformance.systems.conflict_detection.drafts.classify_version_map.shared import (
    classified,
)


def drafts() -> tuple[Draft, ...]:
    """The document's example with three clients."""
    agreed = {"A": 10, "B": 20, "C": 30}
    of_a = {"A": 11, "B": 20, "C": 30}
    of_b = {"A": 10, "B": 21, "C": 30}
    resolution = {"A": 11, "B": 21, "C": 31}
    example = ("CD-THREE-CLIENTS", "CD-MAP-FOLLOWS")
    return (
        classified(
            "example-a-alone",
            "C sees A's update first",
            agreed,
            of_a,
            "overwrite",
            "conflict",
            *example,
            step="1",
        ),
        classified(
            "example-b-alone",
            "C sees B's update first",
            agreed,
            of_b,
            "overwrite",
            "conflict",
            *example,
            step="2",
        ),
        classified(
            "example-b-after-a",
            "C has A's update and sees B's",
            of_a,
            of_b,
            "conflict",
            "conflict",
            *example,
            step="3",
        ),
        classified(
            "example-a-after-b",
            "C has B's update and sees A's",
            of_b,
            of_a,
            "conflict",
            "conflict",
            *example,
            step="4",
        ),
        classified(
            "example-resolution-for-a",
            "A sees C's resolution",
            of_a,
            resolution,
            "overwrite",
            "conflict",
            *example,
            step="5",
        ),
        classified(
            "example-resolution-for-b",
            "B sees C's resolution",
            of_b,
            resolution,
            "overwrite",
            "conflict",
            *example,
            step="6",
        ),
    )
