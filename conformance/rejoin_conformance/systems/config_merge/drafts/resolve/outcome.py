"""What comes out: the seqno, the rows, the bytes, or a refusal."""

from __future__ import annotations

from typing import Final

from attrs import evolve

from rejoin_conformance.contract.vector import Draft
from rejoin_conformance.systems.config_merge.drafts.by_hand.drafts import (
    refused,
    resolving,
)
from rejoin_conformance.systems.config_merge.drafts.by_hand.fork import (
    BASE,
    LEFT,
    MERGE,
    RIGHT,
)
from rejoin_conformance.systems.config_merge.drafts.by_hand.keys import SEED
from rejoin_conformance.systems.config_merge.drafts.by_hand.messages import Message, merge_of
from rejoin_conformance.systems.config_merge.drafts.resolve.resolving import merged, stands

THIRD: Final = BASE.followed_by({"c": 1, "k": 1}, {"c": ""})
LAST: Final = Message(seqno=2**62 - 1, data={"k": 1})

BAD: Final = (
    b"",
    b"d",
    LEFT.encoded[:-1],
    evolve(LEFT, seqno=2**62).encoded,
    evolve(LEFT, diff={"s": [[{}], []]}).encoded,
    evolve(LEFT, diff={"a": 7}).encoded,
    LEFT.encoded.replace(b"i11e", b"i21000000000000000000e"),
    b"d1:#i11e1:&" + b"d0:" * 200 + b"e" * 200 + b"1:<le1:=dee",
)


def drafts() -> tuple[Draft, ...]:
    """One survivor, several, none."""
    return (*_single(), *_merges(), *_again(), *_bad_among_good(), *_refused())


def _single() -> tuple[Draft, ...]:
    expired = evolve(BASE, rows=((1, b"\x11" * 32, {}), (9, b"\x99" * 32, {})))
    single = "CM-RESOLVE-SINGLE"
    return (
        stands("single", "A single message is the result", single, [BASE], BASE),
        stands(
            "single-with-expired-rows",
            "It is returned byte for byte, with rows that count for nothing",
            f"{single} CM-DIFFS-EXPIRED",
            [expired],
            expired,
        ),
        stands(
            "single-with-unknown-keys-and-signature",
            "So are unknown keys and a signature",
            single,
            [evolve(BASE, others={"x": [2, 1]}, seed=SEED)],
            evolve(BASE, others={"x": [2, 1]}, seed=SEED),
        ),
        stands(
            "single-empty",
            "So is the smallest message",
            single,
            [Message(seqno=0)],
            Message(seqno=0),
        ),
    )


def _merges() -> tuple[Draft, ...]:
    both = "CM-RESOLVE-SEQNO CM-RESOLVE-LAGGED CM-RESOLVE-DIFF-EMPTY CM-MESSAGE-BYTES"
    data = {"a": 1, "b": 1, "c": 1, "k": 1}
    all_three = merge_of(LEFT, RIGHT, THIRD, data=data)
    later = RIGHT.followed_by({"b": 2, "k": 1}, {"b": ""})
    return (
        merged(
            "two-messages-either-order",
            "Two updates of one message: both changes are in the merge",
            both,
            [LEFT, RIGHT],
            MERGE,
        ),
        merged(
            "two-messages-other-order",
            "The same bytes when the messages come in the other order",
            both,
            [RIGHT, LEFT],
            MERGE,
        ),
        *(
            merged(
                f"three-messages-{''.join(name for name, _ in order)}",
                "Three updates of one message, in each order",
                f"{both} CM-RESOLVE-ORDER",
                [message for _, message in order],
                all_three,
            )
            for order in _orders(("a", LEFT), ("b", RIGHT), ("c", THIRD))
        ),
        merged(
            "survivors-of-different-seqno",
            "A conflict is between all survivors, also of different seqno: max + 1 follows",
            "CM-RESOLVE-SEQNO CM-RESOLVE-ORDER CM-IGNORE-SURVIVORS",
            [LEFT, later, RIGHT],
            merge_of(LEFT, later, data={"a": 1, "b": 2, "k": 1}),
            (2, "included"),
        ),
        merged(
            "expired-rows-of-survivors-not-kept",
            "Rows that were expired in a survivor are neither replayed nor kept",
            "CM-DIFFS-EXPIRED CM-RESOLVE-LAGGED",
            [
                evolve(LEFT, rows=((6, b"\x66" * 32, {"k": "-"}), BASE.row)),
                RIGHT,
            ],
            merge_of(
                evolve(LEFT, rows=((6, b"\x66" * 32, {"k": "-"}), BASE.row)),
                RIGHT,
                data={"a": 1, "b": 1, "k": 1},
            ),
        ),
        merged(
            "no-rows-at-all",
            "Messages without rows merge by their own diffs",
            "CM-RESOLVE-REPLAY-OWN CM-RESOLVE-LAGGED",
            [Message(seqno=1, data={"a": 1}, diff={"a": ""}), Message(seqno=2, data={"b": 1})],
            Message(
                seqno=3,
                data={"a": 1, "b": 1},
                rows=(
                    Message(seqno=1, data={"a": 1}, diff={"a": ""}).row,
                    Message(seqno=2, data={"b": 1}).row,
                ),
            ),
        ),
        merged(
            "messages-without-changes",
            "Two messages that change nothing are merged all the same",
            "CM-RESOLVE-SEQNO CM-RESOLVE-LAGGED",
            [evolve(BASE, diff={}), evolve(BASE, diff={}, data={"k": 2})],
            merge_of(
                evolve(BASE, diff={}),
                evolve(BASE, diff={}, data={"k": 2}),
                data=max(
                    (evolve(BASE, diff={}), evolve(BASE, diff={}, data={"k": 2})),
                    key=lambda message: message.hash,
                ).data,
            ),
        ),
    )


def _orders(
    *named: tuple[str, Message],
) -> tuple[tuple[tuple[str, Message], ...], ...]:
    first, second, third = named
    return (
        (first, second, third),
        (first, third, second),
        (second, first, third),
        (second, third, first),
        (third, first, second),
        (third, second, first),
    )


def _again() -> tuple[Draft, ...]:
    idempotent = "CM-RESOLVE-IDEMPOTENT CM-RESOLVE-SINGLE"
    after = MERGE.followed_by({"a": 1, "b": 1, "k": 2}, {"k": ""})
    return (
        stands(
            "merge-with-what-it-merged",
            "A merge that is resolved with the messages that it merged is the result",
            idempotent,
            [LEFT, RIGHT, MERGE],
            MERGE,
            (0, "included"),
            (1, "included"),
        ),
        stands(
            "merge-first",
            "The same with the merge in front",
            idempotent,
            [MERGE, RIGHT, LEFT],
            MERGE,
            (1, "included"),
            (2, "included"),
        ),
        stands(
            "merge-with-the-whole-history",
            "The same with the message before them, and repetitions",
            idempotent,
            [BASE, LEFT, MERGE, BASE, RIGHT, MERGE],
            MERGE,
            (0, "included"),
            (1, "included"),
            (3, "duplicate"),
            (4, "included"),
            (5, "duplicate"),
        ),
        merged(
            "merge-and-another-sibling",
            "A merge and an update that it did not see are merged in turn",
            "CM-RESOLVE-REPLAY-LAGGED CM-RESOLVE-SEQNO",
            [MERGE, THIRD],
            merge_of(MERGE, THIRD, data={"a": 1, "b": 1, "c": 1, "k": 1}),
        ),
        merged(
            "update-of-a-merge-and-another-sibling",
            "So is an update of the merge",
            "CM-RESOLVE-REPLAY-LAGGED CM-RESOLVE-SEQNO",
            [THIRD, after],
            merge_of(after, THIRD, data={"a": 1, "b": 1, "c": 1, "k": 2}),
        ),
    )


def _bad_among_good() -> tuple[Draft, ...]:
    return (
        merged(
            "bad-messages-among-good",
            "Bad messages between, before and behind the good ones change nothing",
            "CM-SECURITY-ONE-BAD CM-IGNORE-INVALID CM-SECURITY-REFUSE-AT-ONCE",
            [*BAD[:3], RIGHT, *BAD[3:6], LEFT, *BAD[6:]],
            MERGE,
            *((index, "invalid") for index in (0, 1, 2, 4, 5, 6, 8, 9)),
        ),
        stands(
            "bad-messages-around-one",
            "A single good message stands among bad ones",
            "CM-SECURITY-ONE-BAD CM-RESOLVE-SINGLE",
            [BAD[0], LEFT, BAD[4]],
            LEFT,
            (0, "invalid"),
            (2, "invalid"),
        ),
    )


def _refused() -> tuple[Draft, ...]:
    return (
        refused(
            "no-messages",
            "resolve",
            "No message at all",
            "CM-IGNORE-NONE-VALID",
            resolving([]),
            resolving([BASE]),
        ),
        refused(
            "none-valid",
            "resolve",
            "Messages, of which none is valid",
            "CM-IGNORE-NONE-VALID",
            resolving([b"de", b""]),
            resolving([b"de", BASE]),
        ),
        refused(
            "seqno-exhausted",
            "resolve",
            "No seqno is left for a merge above 2^62 - 1",
            "CM-MESSAGE-SEQNO-EXHAUSTED",
            resolving([LAST, evolve(LAST, data={"k": 2})]),
            resolving([LAST, LAST]),
        ),
        stands(
            "largest-seqno-alone",
            "A single message of seqno 2^62 - 1 needs no further seqno",
            "CM-MESSAGE-SEQNO-EXHAUSTED CM-RESOLVE-SINGLE",
            [LAST],
            LAST,
        ),
        merged(
            "merge-to-the-largest-seqno",
            "A merge may have seqno 2^62 - 1 itself",
            "CM-MESSAGE-SEQNO-EXHAUSTED CM-RESOLVE-SEQNO",
            [evolve(LAST, seqno=2**62 - 2), evolve(LAST, seqno=2**62 - 3)],
            merge_of(evolve(LAST, seqno=2**62 - 2), evolve(LAST, seqno=2**62 - 3), data={"k": 1}),
        ),
        *(
            refused(
                name,
                "resolve",
                f"A window of {window}",
                "CM-MESSAGE-WINDOW",
                resolving([BASE], window=window),
                resolving([BASE], window=nearest),
            )
            for name, window, nearest in (
                ("window-zero", 0, 1),
                ("window-too-large", 2**31, 2**31 - 1),
            )
        ),
    )
