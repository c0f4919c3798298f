"""Included messages."""

from __future__ import annotations

from attrs import evolve

from rejoin_conformance.contract.vector import Draft
from rejoin_conformance.systems.config_merge.drafts.by_hand.fork import BASE, LEFT, MERGE, RIGHT
from rejoin_conformance.systems.config_merge.drafts.by_hand.messages import Message, merge_of
from rejoin_conformance.systems.config_merge.drafts.ignored.setting_aside import (
    NEXT,
    resolve,
)


def drafts() -> tuple[Draft, ...]:
    """Rows that name a message, and rows that almost do."""
    other_hash = Message(
        seqno=11, data={"k": 2}, diff={"k": ""}, rows=((10, b"\x00" * 32, {"k": ""}),)
    )
    other_seqno = Message(
        seqno=11, data={"k": 2}, diff={"k": ""}, rows=((9, BASE.hash, {"k": ""}),)
    )
    grandchild = evolve(NEXT, rows=(LEFT.row,))
    forged = Message(seqno=12, data={"k": 1}, rows=((11, LEFT.hash, {}),))
    return (
        resolve(
            "included",
            "An update includes the message that it follows",
            "CM-IGNORE-INCLUDED",
            (BASE, LEFT),
            LEFT,
            (0, "included"),
        ),
        resolve(
            "included-some-steps-back",
            "It includes those before as well, as far as its rows reach",
            "CM-IGNORE-INCLUDED",
            (NEXT, BASE, LEFT),
            NEXT,
            (1, "included"),
            (2, "included"),
        ),
        resolve(
            "included-in-a-merge",
            "A merge includes what it merged",
            "CM-IGNORE-INCLUDED CM-RESOLVE-IDEMPOTENT",
            (LEFT, MERGE, RIGHT, BASE),
            MERGE,
            (0, "included"),
            (2, "included"),
            (3, "included"),
        ),
        resolve(
            "sibling-not-included",
            "An update does not include another update of the same message",
            "CM-IGNORE-INCLUDED CM-IGNORE-SURVIVORS",
            (RIGHT, NEXT, LEFT),
            merge_of(RIGHT, NEXT, data={"a": 2, "b": 1, "k": 1}),
            (2, "included"),
            merged=True,
        ),
        resolve(
            "row-of-another-hash",
            "A row of the same seqno and another hash includes nothing",
            "CM-IGNORE-INCLUDED",
            (BASE, other_hash),
            merge_of(BASE, other_hash, data={"k": 2}),
            merged=True,
        ),
        resolve(
            "row-of-another-seqno",
            "A row of the same hash and another seqno includes nothing",
            "CM-IGNORE-INCLUDED CM-MESSAGE-IDENTITY",
            (BASE, other_seqno),
            merge_of(BASE, other_seqno, data={"k": 2}),
            merged=True,
        ),
        resolve(
            "row-of-an-included-message",
            "The rows of a message count although it is itself included",
            "CM-IGNORE-INCLUDED-PAIRWISE",
            (grandchild, LEFT, BASE),
            grandchild,
            (1, "included"),
            (2, "included"),
        ),
        resolve(
            "row-of-a-message-that-is-not-there",
            "Without the message in between the oldest one survives",
            "CM-IGNORE-INCLUDED-PAIRWISE CM-IGNORE-SURVIVORS",
            (grandchild, BASE),
            merge_of(grandchild, BASE, data={"a": 2, "k": 1}),
            merged=True,
        ),
        resolve(
            "forged-row-suppresses",
            "A forged row has the message that it names ignored, and its change lost",
            "CM-IGNORE-INCLUDED CM-DIFFS-HASH-UNCHECKED",
            (LEFT, forged),
            forged,
            (0, "included"),
        ),
    )
