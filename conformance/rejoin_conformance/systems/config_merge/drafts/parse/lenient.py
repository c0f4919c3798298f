"""Faults that the reading `libsession` accepts, each with the message that it reads."""

from __future__ import annotations

from typing import Final

from attrs import evolve

from rejoin_conformance.systems.config_merge.drafts.by_hand.bt import Raw
from rejoin_conformance.systems.config_merge.drafts.by_hand.messages import Message
from rejoin_conformance.systems.config_merge.drafts.parse.plain import (
    ENCODED,
    HASH_6,
    PLAIN,
    ROW_5,
    SIGNATURE,
    SIGNED,
    outer,
)

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
)
