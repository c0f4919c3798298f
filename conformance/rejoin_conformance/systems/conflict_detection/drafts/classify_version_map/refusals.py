"""Maps that are none."""

from __future__ import annotations

from rejoin_conformance.contract.vector import Draft
from rejoin_conformance.systems.conflict_detection.drafts.classify_version_map.shared import (
    LARGEST,
    input_of,
    refused,
)


def drafts() -> tuple[Draft, ...]:
    """Maps that are none."""
    good = input_of({"A": 1}, {"A": 2})
    return (
        refused(
            "negative-in-local",
            "A version number below zero on our side",
            "CD-MAP-NUMBERS",
            input_of({"A": -1}, {"A": 2}),
            good,
        ),
        refused(
            "negative-in-remote",
            "A version number below zero on their side",
            "CD-MAP-NUMBERS",
            input_of({"A": 1}, {"A": 2, "B": -1}),
            good,
        ),
        refused(
            "number-too-large",
            "2^53, the first number that is too large",
            "CD-MAP-NUMBERS",
            input_of({"A": 1}, {"A": LARGEST + 1}),
            input_of({"A": 1}, {"A": LARGEST}),
        ),
        refused(
            "nickname-empty",
            "An entry for nobody",
            "CD-NICKNAME",
            input_of({"A": 1}, {"A": 2, "": 1}),
            good,
        ),
        refused(
            "nickname-with-comma",
            "A nickname that would be two",
            "CD-NICKNAME",
            input_of({"A": 1}, {"A": 2, "B,C": 1}),
            good,
        ),
    )
