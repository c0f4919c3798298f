"""Lists of many messages, and messages with many rows or unknown keys."""

from __future__ import annotations

from typing import Final

from rejoin_conformance.contract.drafting import accepted
from rejoin_conformance.contract.recipe_drafting import in_hex, joined, number, repeated
from rejoin_conformance.contract.vector import Draft
from rejoin_conformance.kit.json_types import Json
from rejoin_conformance.systems.config_merge.drafts.by_hand.bt import bt
from rejoin_conformance.systems.config_merge.drafts.by_hand.messages import Message
from rejoin_conformance.systems.config_merge.drafts.texts import (
    bytes_of,
    digest_of,
    message_of,
)

PARSE: Final = "config-merge/parse"
RESOLVE: Final = "config-merge/resolve"
UPDATE: Final = "config-merge/update"


def drafts() -> tuple[Draft, ...]:
    """Return merges, ignored messages, rows, replays and unknown keys."""
    return (
        *(_survivors(count) for count in (9, 17, 33, 65, 129, 257, 1025, 4097)),
        *(_ignored(count) for count in (65, 990)),
        *(_rows(count) for count in (17, 257, 4097)),
        *(_replayed(count) for count in (17, 65, 257, 1025, 4097)),
        *(_unknown_keys(count) for count in (17, 257, 4097)),
    )


def _survivors(count: int) -> Draft:
    """Return the merge of messages that add a key each. With a window of 1 it has no rows."""
    one = message_of("10", ["5:<i:5>i<i>e"], diff=["5:<i:5>0:"])
    return accepted(
        RESOLVE,
        f"{count}-survivors",
        f"Each of {count:,} survivors adds a key of its own.",
        "CM-RESOLVE-REPLAY-OWN CM-IGNORE-SURVIVORS",
        given={"messages": [repeated(count, in_hex(*one))], "window": 1},
        output={
            "message": in_hex(*message_of("11", [repeated(count, "5:<i:5>i<i>e")])),
            "merged": True,
            "ignored": [],
        },
        recipe=True,
    )


def _ignored(count: int) -> Draft:
    """Return a list with many duplicates, invalid messages and stale messages."""
    good = Message(seqno=1000, data={"k": 1}, diff={"k": ""})
    stale = message_of("<i>", [], diff=["1:k1:-"])
    kinds = (
        ("duplicate", good.hex),
        ("invalid", in_hex("d1:#i<i>e1:&de1:<le1:=d")),
        ("stale", in_hex(*stale)),
    )
    return accepted(
        RESOLVE,
        f"{3 * count}-ignored",
        f"A list has {count} duplicates, {count} invalid messages and {count} stale ones.",
        "CM-IGNORE-DUPLICATE CM-IGNORE-INVALID CM-IGNORE-STALE",
        given={"messages": [good.hex, *(repeated(count, message) for _, message in kinds)]},
        output={
            "message": good.hex,
            "merged": False,
            "ignored": [
                repeated(count, {"index": number(), "why": why}, start=1 + place * count)
                for place, (why, _) in enumerate(kinds)
            ],
        },
        recipe=True,
    )


def _rows(count: int) -> Draft:
    """Return a message with rows of two seqnos. Those of the lower seqno are expired."""
    expired = repeated(count, "li5e32:expired-------------------<i:6>dee")
    kept = repeated(count, "li6e32:kept----------------------<i:6>d5:<i:5>0:ee")
    message = message_of("7", [], ["", expired, kept])
    return accepted(
        PARSE,
        f"{count}-rows",
        f"A message has {count:,} rows that are expired and {count:,} that are not.",
        "CM-DIFFS-ROW-ORDER CM-DIFFS-EXPIRED CM-DIFFS-GAPS",
        given={"message": in_hex(*message), "window": 2},
        output={
            "seqno": "7",
            "hash": digest_of(message),
            "data": in_hex("de"),
            "diff": in_hex("de"),
            "lagged": [
                repeated(
                    count,
                    {
                        "seqno": "6",
                        "hash": in_hex("kept----------------------<i:6>"),
                        "diff": in_hex("d5:<i:5>0:e"),
                    },
                )
            ],
        },
        recipe=True,
    )


def _replayed(count: int) -> Draft:
    """Return a merge that replays rows of one of two survivors. They are too old to be carried."""
    row = "li10e32:row-----------------------<i:6>d5:<i:5>0:ee"
    carrying = message_of("11", [repeated(count, "5:<i:5>i<i>e")], [repeated(count, row)])
    lower = digest_of(carrying)
    other = next(
        text
        for text in (message_of("11", [f"1:yi{value}e"], diff=["1:y0:"]) for value in range(100))
        if digest_of(text) > lower
    )
    rows = [
        joined(in_hex("li11e32:"), lower, in_hex("dee")),
        joined(in_hex("li11e32:"), digest_of(other), in_hex("d1:y0:ee")),
    ]
    value = bytes_of(other).decode().partition("1:yi")[2].partition("e")[0]
    merged: list[Json] = [repeated(count, "5:<i:5>i<i>e"), f"1:yi{value}e"]
    return accepted(
        RESOLVE,
        f"{count}-rows-replayed",
        f"A merge replays {count:,} rows of the lower survivor and carries none of them.",
        "CM-RESOLVE-REPLAY-LAGGED CM-RESOLVE-REPLAY-CUTOFF CM-RESOLVE-LAGGED",
        given={"messages": [in_hex(*other), in_hex(*carrying)], "window": 2},
        output={
            "message": joined(in_hex("d1:#i12e1:&d", *merged, "e1:<l"), *rows, in_hex("e1:=dee")),
            "merged": True,
            "ignored": [],
        },
        recipe=True,
    )


def _unknown_keys(count: int) -> Draft:
    """Return an update of a message with unknown keys before, between and after the known ones."""
    unknown: list[Json] = [
        "d1:#i{seqno}e",
        repeated(count, "6:$<i:5>i<i>e"),
        "1:&d1:ki{value}ee",
        repeated(count, "6:;<i:5>i<i>e"),
        "1:<le1:=d1:k0:e",
        repeated(count, "6:x<i:5>i<i>e"),
        "e",
    ]

    def filled(seqno: int, value: int) -> list[Json]:
        return [
            part.format(seqno=seqno, value=value) if isinstance(part, str) else part
            for part in unknown
        ]

    return accepted(
        UPDATE,
        f"{3 * count}-unknown-keys",
        f"An update carries {3 * count:,} unknown keys, each in its place.",
        "CM-OUTER-UNKNOWN-UPDATE CM-OUTER-SERIALISE",
        given={"messages": [in_hex(*filled(3, 1))], "data": in_hex("d1:ki2ee"), "window": 1},
        output={"message": in_hex(*filled(4, 2))},
        recipe=True,
    )


def three_hundred_rows() -> Draft:
    """Return a message with 300 rows of 4 seqnos."""
    rows = [(seqno, bytes([place]) * 32) for seqno in range(4) for place in range(75)]
    message = Message(
        seqno=4, data={"k": 1, "s": [1]}, rows=[(*row, {}) for row in rows], diff={"k": ""}
    )
    return accepted(
        PARSE,
        "three-hundred-rows",
        "The number of rows has no limit.",
        "CM-MESSAGE-NO-SIZE-LIMIT CM-DIFFS-GAPS",
        given={"message": message.hex},
        output={
            "seqno": "4",
            "hash": message.hash.hex(),
            "data": bt(message.data).hex(),
            "diff": bt(message.diff).hex(),
            "lagged": [
                {"seqno": str(seqno), "hash": digest.hex(), "diff": bt({}).hex()}
                for seqno, digest in rows
            ],
        },
    )
