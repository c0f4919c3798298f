"""Stale messages."""

from __future__ import annotations

from attrs import evolve

from rejoin_conformance.contract.vector import Draft
from rejoin_conformance.systems.config_merge.drafts.by_hand.fork import BASE, LEFT
from rejoin_conformance.systems.config_merge.drafts.by_hand.messages import merge_of
from rejoin_conformance.systems.config_merge.drafts.ignored.setting_aside import (
    BARE,
    resolve,
)


def drafts() -> tuple[Draft, ...]:
    """On both sides of max - N."""
    return (
        resolve(
            "stale",
            "With max 15 and N 5 seqno 10 is stale",
            "CM-IGNORE-STALE",
            (BARE[10], BARE[15]),
            BARE[15],
            (0, "stale"),
        ),
        resolve(
            "stale-far-behind",
            "So is seqno 0",
            "CM-IGNORE-STALE",
            (BARE[15], BARE[0]),
            BARE[15],
            (1, "stale"),
        ),
        resolve(
            "not-stale",
            "Seqno 11 is not",
            "CM-IGNORE-STALE CM-IGNORE-SURVIVORS",
            (BARE[11], BARE[15]),
            merge_of(BARE[11], BARE[15], data={"k": 15}),
            merged=True,
        ),
        resolve(
            "stale-by-the-largest-valid",
            "max is the largest seqno of the valid messages",
            "CM-IGNORE-STALE CM-IGNORE-INVALID",
            (BARE[10], evolve(BARE[20], diff={"k": 1})),
            BARE[10],
            (1, "invalid"),
        ),
        resolve(
            "stale-by-an-included-message",
            "A message that is stale stays so, whatever survives",
            "CM-IGNORE-STALE",
            (BARE[5], BASE, LEFT),
            LEFT,
            (0, "stale"),
            (1, "included"),
        ),
    )
