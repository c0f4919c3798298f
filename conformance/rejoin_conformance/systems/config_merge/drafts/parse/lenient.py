"""Faults that the reading `libsession` accepts, each with the message that it reads."""

from __future__ import annotations

from typing import Final

from attrs import evolve

from rejoin_conformance.systems.config_merge.drafts.by_hand.bt import Raw
from rejoin_conformance.systems.config_merge.drafts.by_hand.messages import Data, Message, Row
from rejoin_conformance.systems.config_merge.drafts.data import nested
from rejoin_conformance.systems.config_merge.drafts.parse.faults import LONE
from rejoin_conformance.systems.config_merge.drafts.parse.plain import (
    ENCODED,
    HASH_5,
    HASH_6,
    PLAIN,
    ROW_5,
    ROW_6,
    SIGNATURE,
    SIGNED,
    outer,
)

EXPIRED: Final[Row] = (2, HASH_5, {})
LEVEL_64: Final[Data] = {"": nested(61, [[[1]], []])}

UNREAD: Final[tuple[tuple[str, str, Row, str], ...]] = (
    (
        "hash-of-nine-bytes",
        "CM-DIFFS-ROW-HASH",
        [2, b"nine byte", {}],
        "with a hash of nine bytes",
    ),
    (
        "length-with-leading-zero",
        "CM-BT-STRING-CANONICAL",
        [2, HASH_5, {"s": [[Raw(b"03:abc")], []]}],
        "with a leading zero in the length of a string",
    ),
    (
        "of-seqno-zero-with-short-hash",
        "CM-DIFFS-ROW-HASH",
        [0, b"short", {}],
        "of seqno 0 with a short hash",
    ),
    (
        "keys-unsorted",
        "CM-BT-DICT-ORDER",
        [2, HASH_5, Raw(b"d1:b0:1:a0:e")],
        "with unsorted keys",
    ),
    (
        "keys-equal",
        "CM-BT-DICT-ORDER",
        [2, HASH_5, Raw(b"d1:a0:1:a0:e")],
        "with equal keys",
    ),
    (
        "integer-too-large",
        "CM-BT-INT-RANGE",
        [2, HASH_5, {"s": [[Raw(b"i9223372036854775808e")], []]}],
        "with the integer 2^63",
    ),
    (
        "integer-of-40-digits",
        "CM-BT-INT-RANGE",
        [2, HASH_5, {"s": [[Raw(b"i-" + b"9" * 40 + b"e")], []]}],
        "with an integer of 40 digits",
    ),
    (
        "101-deep",
        "CM-BT-DEPTH CM-DIFF-DEPTH",
        [2, HASH_5, Raw(b"d0:" * 98 + b"0:" + b"e" * 98)],
        "with 98 dicts in one another, 101 levels with the message",
    ),
    (
        "5000-deep",
        "CM-BT-DEPTH CM-DIFF-DEPTH",
        [2, HASH_5, Raw(b"d0:" * 5000 + b"0:" + b"e" * 5000)],
        "with 5,000 dicts in one another",
    ),
    (
        "lists-5000-deep",
        "CM-BT-DEPTH CM-DIFF-DEPTH",
        [2, HASH_5, {"s": Raw(b"l" * 5000 + b"e" * 5000)}],
        "with 5,000 lists in one another",
    ),
    (
        "of-the-least-seqno",
        "CM-DIFFS-ROW-SEQNO",
        [-(2**63), HASH_5, {}],
        "with the seqno -2^63",
    ),
    (
        "seqno-with-leading-zero",
        "CM-BT-INT-CANONICAL",
        [Raw(b"i02e"), HASH_5, {}],
        "with a leading zero in its seqno",
    ),
)
"""Expired rows with a fault that one reading does not see."""

LENIENT: Final[tuple[tuple[str, str, bytes, bytes, Message, str], ...]] = (
    (
        "lagged-missing",
        "CM-OUTER-LAGGED",
        outer(without="<"),
        ENCODED,
        evolve(PLAIN, rows=()),
        "A message without <: refused, or read as a message without rows.",
    ),
    (
        "diff-missing-before-signature",
        "CM-OUTER-DIFF",
        outer(without="=")[:-1] + SIGNATURE,
        SIGNED,
        evolve(PLAIN, diff={}),
        "A signed message without =: refused, or read with an empty diff.",
    ),
    (
        "diff-missing-before-unknown-key",
        "CM-OUTER-DIFF",
        outer(without="=", others={"x": 1}),
        ENCODED,
        evolve(PLAIN, diff={}),
        "A message without = before an unknown key: refused, or read with an empty diff.",
    ),
    (
        "trailing-bytes-are-hashed",
        "CM-BT-NO-TRAILING CM-MESSAGE-HASH",
        ENCODED + b"x",
        ENCODED,
        PLAIN,
        "A message with trailing bytes: refused, or hashed with them.",
    ),
    (
        "seqno-with-leading-zeros",
        "CM-BT-INT-CANONICAL",
        outer(seqno=Raw(b"i007e")),
        ENCODED,
        PLAIN,
        "A seqno with leading zeros: refused, or read without them.",
    ),
    (
        "key-length-with-leading-zero",
        "CM-BT-STRING-CANONICAL",
        ENCODED.replace(b"1:&", b"01:&", 1),
        ENCODED,
        PLAIN,
        "A known key whose length has a leading zero: refused, or read without it.",
    ),
    (
        "data-not-canonical",
        "CM-BT-INT-CANONICAL",
        outer(data={"k": Raw(b"i01e"), "s": [1]}),
        ENCODED,
        PLAIN,
        "A leading zero in the data: refused, or reported without it.",
    ),
    (
        "expired-row-behind-a-string-with-a-padded-length",
        "CM-DIFFS-EXPIRED CM-BT-STRING-CANONICAL",
        outer(data={"k": Raw(b"01:v"), "s": [1]}, lagged=[[2, b"short", {}], ROW_5, ROW_6]),
        outer(data={"k": "v", "s": [1]}, lagged=[EXPIRED, ROW_5, ROW_6]),
        evolve(PLAIN, data={"k": "v", "s": [1]}),
        "An expired row with a short hash, after data with a leading zero: refused, or unread.",
    ),
    (
        "unknown-integer-with-leading-zero",
        "CM-BT-INT-CANONICAL",
        outer(others={"x": Raw(b"i01e")}),
        outer(others={"x": 1}),
        PLAIN,
        "A leading zero under an unknown key: refused, or ignored.",
    ),
    (
        "row-seqno-with-leading-zero",
        "CM-BT-INT-CANONICAL",
        outer(lagged=[ROW_5, [Raw(b"i06e"), HASH_6, {}]]),
        ENCODED,
        PLAIN,
        "A leading zero in the seqno of a row: refused, or read without it.",
    ),
    (
        "lone-list-on-level-64",
        "CM-DIFF-DEPTH CM-DIFF-SET-ELEMENTS",
        outer(diff=nested(62, [[[1]], []])),
        outer(diff=nested(62, [[1], []])),
        evolve(PLAIN, diff=LEVEL_64),
        "A list on level 64 that is the only element of a set diff: refused, or carried.",
    ),
    *(
        (
            f"lone-{name}-up-to-level-64",
            "CM-DIFF-DEPTH CM-DIFF-SET-ELEMENTS",
            outer(diff=nested(63 - levels, [[element], []])),
            outer(diff=nested(63 - levels, [[1], []])),
            evolve(PLAIN, diff={"": nested(62 - levels, [[element], []])}),
            f"A set diff whose only element is {what}, up to level 64: refused, or carried.",
        )
        for name, element, levels, what in LONE
    ),
    *(
        (
            f"expired-row-{name}",
            f"CM-DIFFS-EXPIRED {clauses}",
            outer(lagged=[row, ROW_5, ROW_6]),
            outer(lagged=[EXPIRED, ROW_5, ROW_6]),
            PLAIN,
            f"An expired row {what}: refused, or left out unread.",
        )
        for name, clauses, row, what in UNREAD
    ),
)
