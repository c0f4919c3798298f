"""Invalid messages."""

from __future__ import annotations

from attrs import evolve

from rejoin_conformance.contract.vector import Draft
from rejoin_conformance.systems.config_merge.drafts.by_hand.drafts import (
    accepted,
    resolved,
    resolving,
)
from rejoin_conformance.systems.config_merge.drafts.by_hand.fork import BASE, LEFT, RIGHT
from rejoin_conformance.systems.config_merge.drafts.ignored.setting_aside import (
    BARE,
    resolve,
)

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


def drafts() -> tuple[Draft, ...]:
    """Each kind of fault beside a good message."""
    names_base = evolve(LEFT, data={"k": []})
    return (
        *(
            resolve(
                f"invalid-{name}",
                f"{summary} is ignored",
                f"CM-IGNORE-INVALID CM-SECURITY-ONE-BAD {clause}",
                (bad, LEFT),
                LEFT,
                (0, "invalid"),
            )
            for name, clause, bad, summary in INVALID
        ),
        resolve(
            "invalid-message-includes-nothing",
            "The rows of an invalid message do not count",
            "CM-IGNORE-INVALID",
            (names_base.encoded, BASE),
            BASE,
            (0, "invalid"),
        ),
        resolve(
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
