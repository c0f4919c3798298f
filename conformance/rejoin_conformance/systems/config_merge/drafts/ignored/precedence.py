"""Duplicates, and messages with several reasons to be ignored."""

from __future__ import annotations

from attrs import evolve

from rejoin_conformance.contract.vector import Draft
from rejoin_conformance.systems.config_merge.drafts.by_hand.fork import BASE, LEFT, MERGE, RIGHT
from rejoin_conformance.systems.config_merge.drafts.by_hand.messages import Message
from rejoin_conformance.systems.config_merge.drafts.ignored.setting_aside import (
    BARE,
    NEXT,
    resolve,
)


def drafts() -> tuple[Draft, ...]:
    """Duplicates first, then one reason for each message."""
    return (*_duplicates(), *_precedence())


def _duplicates() -> tuple[Draft, ...]:
    return (
        resolve(
            "duplicate",
            "The same message twice counts once",
            "CM-IGNORE-DUPLICATE CM-MESSAGE-IDENTITY",
            (BASE, BASE),
            BASE,
            (1, "duplicate"),
        ),
        resolve(
            "duplicates-among-others",
            "Repetitions do not change a merge; the first of each counts",
            "CM-IGNORE-DUPLICATE CM-MESSAGE-IDENTITY",
            (RIGHT, LEFT, RIGHT, LEFT, RIGHT),
            MERGE,
            (2, "duplicate"),
            (3, "duplicate"),
            (4, "duplicate"),
            merged=True,
        ),
        resolve(
            "same-content-other-bytes",
            "Two messages that differ in an unknown key are two messages",
            "CM-MESSAGE-IDENTITY CM-IGNORE-DUPLICATE",
            (BASE, evolve(LEFT, others={"x": 1})),
            evolve(LEFT, others={"x": 1}),
            (0, "included"),
        ),
    )


def _precedence() -> tuple[Draft, ...]:
    builder = Message(seqno=15, data={"k": 2}, diff={"k": ""}, rows=(BARE[11].row,))
    later = evolve(BARE[16], rows=(builder.row,))
    return (
        resolve(
            "stale-and-included",
            "A message that is both stale and included is reported as stale",
            "CM-IGNORE-PRECEDENCE CM-IGNORE-STALE",
            (BARE[11], builder, later),
            later,
            (0, "stale"),
            (1, "included"),
        ),
        resolve(
            "duplicate-of-stale",
            "The second copy of a stale message is a duplicate",
            "CM-IGNORE-PRECEDENCE CM-IGNORE-DUPLICATE",
            (BARE[10], BARE[15], BARE[10]),
            BARE[15],
            (0, "stale"),
            (2, "duplicate"),
        ),
        resolve(
            "duplicate-of-included",
            "The second copy of an included message is a duplicate",
            "CM-IGNORE-PRECEDENCE CM-IGNORE-DUPLICATE",
            (BASE, BASE, LEFT),
            LEFT,
            (0, "included"),
            (1, "duplicate"),
        ),
        resolve(
            "every-reason",
            "Every reason once, by ascending index",
            "CM-IGNORE-PRECEDENCE CM-IGNORE-SURVIVORS",
            (b"x", NEXT, BASE, NEXT, BARE[3], LEFT),
            NEXT,
            (0, "invalid"),
            (2, "included"),
            (3, "duplicate"),
            (4, "stale"),
            (5, "included"),
        ),
        resolve(
            "highest-always-survives",
            "Of messages in a chain the last one survives, in whatever order they come",
            "CM-IGNORE-SURVIVORS",
            (NEXT, LEFT, BASE, LEFT),
            NEXT,
            (1, "included"),
            (2, "included"),
            (3, "duplicate"),
        ),
    )
