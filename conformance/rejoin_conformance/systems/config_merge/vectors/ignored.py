"""Messages that are set aside, and the reason that is reported."""

from __future__ import annotations

from attrs import evolve

from rejoin_conformance.systems.config_merge.vectors.by_hand.drafts import (
    accepted,
    resolved,
    resolving,
)
from rejoin_conformance.systems.config_merge.vectors.by_hand.messages import Message, merge_of
from rejoin_conformance.systems.config_merge.vectors.by_hand.stories import (
    BASE,
    LEFT,
    MERGE,
    RIGHT,
)
from rejoin_conformance.vectors import Draft, Topic

NEXT = LEFT.followed_by({"a": 2, "k": 1}, {"a": ""})
BARE = tuple(Message(seqno=seqno, data={"k": seqno}, diff={"k": ""}) for seqno in range(21))

INVALID: tuple[tuple[str, str, bytes, str], ...] = (
    ("empty", "CM-BT-TRUNCATED", b"", "An empty message"),
    ("not-bt", "CM-OUTER-DICT", b"hello", "Bytes that are no bt-encoding"),
    ("cut-off", "CM-BT-TRUNCATED", RIGHT.encoded[:-7], "A message that is cut off"),
    ("not-a-dict", "CM-OUTER-DICT", b"l" + RIGHT.encoded[1:], "A message that is a list"),
    (
        "of-a-newer-version",
        "CM-OUTER-MAJOR-VERSION",
        evolve(RIGHT, others={"!": 2}).encoded,
        "A message with a key before #",
    ),
    (
        "without-data",
        "CM-OUTER-DATA",
        b"d1:#i11e1:<le1:=dee",
        "A message without a required field",
    ),
    (
        "with-unsorted-set",
        "CM-DATA-SET-ORDER",
        evolve(RIGHT, data={"s": [2, 1]}).encoded,
        "A message with unsorted data in a set",
    ),
    (
        "with-repeated-element",
        "CM-DATA-SET-UNIQUE",
        evolve(RIGHT, data={"s": [1, 1]}).encoded,
        "A message with a repeated element in a set",
    ),
    (
        "with-unsorted-rows",
        "CM-DIFFS-ROW-ORDER",
        evolve(RIGHT, rows=(BASE.row, BARE[9].row)).encoded,
        "A message with unsorted rows",
    ),
    (
        "with-integer-in-diff",
        "CM-DIFF-VALUES",
        evolve(RIGHT, diff={"b": 1}).encoded,
        "A message with an integer in its diff",
    ),
    (
        "with-short-signature",
        "CM-SIGN-LENGTH",
        RIGHT.encoded[:-1] + b"1:~3:abce",
        "A message with a signature of three bytes",
    ),
    (
        "of-seqno-2-62",
        "CM-MESSAGE-SEQNO-RANGE",
        evolve(RIGHT, seqno=2**62).encoded,
        "A message whose seqno is too large: it does not make the others stale",
    ),
)


def topic() -> Topic:
    """Invalid, duplicate, stale, included."""
    return Topic(
        "ignored",
        "Which messages are set aside before a merge: invalid, duplicate, stale and included ones.",
        (*_invalid(), *_duplicates(), *_stale(), *_included(), *_precedence()),
    )


def _resolve(
    name: str,
    summary: str,
    clauses: str,
    messages: tuple[Message | bytes, ...],
    result: Message | bytes,
    *ignoring: tuple[int, str],
    merged: bool = False,
) -> Draft:
    return accepted(
        name,
        "resolve",
        summary,
        clauses,
        resolving(messages),
        resolved(result, *ignoring, merged=merged),
    )


def _invalid() -> tuple[Draft, ...]:
    names_base = evolve(LEFT, data={"k": []})
    return (
        *(
            _resolve(
                f"invalid-{name}",
                f"{summary} is ignored",
                f"CM-IGNORE-INVALID CM-SECURITY-ONE-BAD {clause}",
                (bad, LEFT),
                LEFT,
                (0, "invalid"),
            )
            for name, clause, bad, summary in INVALID
        ),
        _resolve(
            "invalid-message-includes-nothing",
            "The rows of an invalid message do not count",
            "CM-IGNORE-INVALID",
            (names_base.encoded, BASE),
            BASE,
            (0, "invalid"),
        ),
        _resolve(
            "invalid-twice",
            "The same invalid bytes twice are invalid twice",
            "CM-IGNORE-INVALID CM-IGNORE-PRECEDENCE",
            (b"x", BASE, b"x"),
            BASE,
            (0, "invalid"),
            (2, "invalid"),
        ),
        accepted(
            "invalid-in-one-reading",
            "resolve",
            "A message with trailing bytes is invalid, or valid and of a hash of its own",
            "CM-IGNORE-INVALID CM-BT-NO-TRAILING CM-MESSAGE-HASH",
            resolving((RIGHT.encoded + b"\n", BASE)),
            resolved(BASE, (0, "invalid")),
            libsession=resolved(RIGHT.encoded + b"\n", (1, "included")),
        ),
    )


def _duplicates() -> tuple[Draft, ...]:
    return (
        _resolve(
            "duplicate",
            "The same message twice counts once",
            "CM-IGNORE-DUPLICATE CM-MESSAGE-IDENTITY",
            (BASE, BASE),
            BASE,
            (1, "duplicate"),
        ),
        _resolve(
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
        _resolve(
            "same-content-other-bytes",
            "Two messages that differ in an unknown key are two messages",
            "CM-MESSAGE-IDENTITY CM-IGNORE-DUPLICATE",
            (BASE, evolve(LEFT, others={"x": 1})),
            evolve(LEFT, others={"x": 1}),
            (0, "included"),
        ),
    )


def _stale() -> tuple[Draft, ...]:
    return (
        _resolve(
            "stale",
            "With max 15 and N 5 seqno 10 is stale",
            "CM-IGNORE-STALE",
            (BARE[10], BARE[15]),
            BARE[15],
            (0, "stale"),
        ),
        _resolve(
            "stale-far-behind",
            "So is seqno 0",
            "CM-IGNORE-STALE",
            (BARE[15], BARE[0]),
            BARE[15],
            (1, "stale"),
        ),
        _resolve(
            "not-stale",
            "Seqno 11 is not",
            "CM-IGNORE-STALE CM-IGNORE-SURVIVORS",
            (BARE[11], BARE[15]),
            merge_of(BARE[11], BARE[15], data={"k": 15}),
            merged=True,
        ),
        _resolve(
            "stale-by-the-largest-valid",
            "max is the largest seqno of the valid messages",
            "CM-IGNORE-STALE CM-IGNORE-INVALID",
            (BARE[10], evolve(BARE[20], diff={"k": 1})),
            BARE[10],
            (1, "invalid"),
        ),
        _resolve(
            "stale-by-an-included-message",
            "A message that is stale stays so, whatever survives",
            "CM-IGNORE-STALE",
            (BARE[5], BASE, LEFT),
            LEFT,
            (0, "stale"),
            (1, "included"),
        ),
    )


def _included() -> tuple[Draft, ...]:
    other_hash = Message(
        seqno=11, data={"k": 2}, diff={"k": ""}, rows=((10, b"\x00" * 32, {"k": ""}),)
    )
    other_seqno = Message(
        seqno=11, data={"k": 2}, diff={"k": ""}, rows=((9, BASE.hash, {"k": ""}),)
    )
    grandchild = evolve(NEXT, rows=(LEFT.row,))
    forged = Message(seqno=12, data={"k": 1}, rows=((11, LEFT.hash, {}),))
    return (
        _resolve(
            "included",
            "An update includes the message that it follows",
            "CM-IGNORE-INCLUDED",
            (BASE, LEFT),
            LEFT,
            (0, "included"),
        ),
        _resolve(
            "included-some-steps-back",
            "It includes those before as well, as far as its rows reach",
            "CM-IGNORE-INCLUDED",
            (NEXT, BASE, LEFT),
            NEXT,
            (1, "included"),
            (2, "included"),
        ),
        _resolve(
            "included-in-a-merge",
            "A merge includes what it merged",
            "CM-IGNORE-INCLUDED CM-RESOLVE-IDEMPOTENT",
            (LEFT, MERGE, RIGHT, BASE),
            MERGE,
            (0, "included"),
            (2, "included"),
            (3, "included"),
        ),
        _resolve(
            "sibling-not-included",
            "An update does not include another update of the same message",
            "CM-IGNORE-INCLUDED CM-IGNORE-SURVIVORS",
            (RIGHT, NEXT, LEFT),
            merge_of(RIGHT, NEXT, data={"a": 2, "b": 1, "k": 1}),
            (2, "included"),
            merged=True,
        ),
        _resolve(
            "row-of-another-hash",
            "A row of the same seqno and another hash includes nothing",
            "CM-IGNORE-INCLUDED",
            (BASE, other_hash),
            merge_of(BASE, other_hash, data={"k": 2}),
            merged=True,
        ),
        _resolve(
            "row-of-another-seqno",
            "A row of the same hash and another seqno includes nothing",
            "CM-IGNORE-INCLUDED CM-MESSAGE-IDENTITY",
            (BASE, other_seqno),
            merge_of(BASE, other_seqno, data={"k": 2}),
            merged=True,
        ),
        _resolve(
            "row-of-an-included-message",
            "The rows of a message count although it is itself included",
            "CM-IGNORE-INCLUDED-PAIRWISE",
            (grandchild, LEFT, BASE),
            grandchild,
            (1, "included"),
            (2, "included"),
        ),
        _resolve(
            "row-of-a-message-that-is-not-there",
            "Without the message in between the oldest one survives",
            "CM-IGNORE-INCLUDED-PAIRWISE CM-IGNORE-SURVIVORS",
            (grandchild, BASE),
            merge_of(grandchild, BASE, data={"a": 2, "k": 1}),
            merged=True,
        ),
        _resolve(
            "forged-row-suppresses",
            "A forged row has the message that it names ignored, and its change lost",
            "CM-IGNORE-INCLUDED CM-DIFFS-HASH-UNCHECKED",
            (LEFT, forged),
            forged,
            (0, "included"),
        ),
    )


def _precedence() -> tuple[Draft, ...]:
    builder = Message(seqno=15, data={"k": 2}, diff={"k": ""}, rows=(BARE[11].row,))
    later = evolve(BARE[16], rows=(builder.row,))
    return (
        _resolve(
            "stale-and-included",
            "A message that is both stale and included is reported as stale",
            "CM-IGNORE-PRECEDENCE CM-IGNORE-STALE",
            (BARE[11], builder, later),
            later,
            (0, "stale"),
            (1, "included"),
        ),
        _resolve(
            "duplicate-of-stale",
            "The second copy of a stale message is a duplicate",
            "CM-IGNORE-PRECEDENCE CM-IGNORE-DUPLICATE",
            (BARE[10], BARE[15], BARE[10]),
            BARE[15],
            (0, "stale"),
            (2, "duplicate"),
        ),
        _resolve(
            "duplicate-of-included",
            "The second copy of an included message is a duplicate",
            "CM-IGNORE-PRECEDENCE CM-IGNORE-DUPLICATE",
            (BASE, BASE, LEFT),
            LEFT,
            (0, "included"),
            (1, "duplicate"),
        ),
        _resolve(
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
        _resolve(
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
