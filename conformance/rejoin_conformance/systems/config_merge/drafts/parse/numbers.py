"""The seqno of a message and the window."""

from __future__ import annotations

from attrs import evolve

from rejoin_conformance.contract.vector import Draft
from rejoin_conformance.systems.config_merge.drafts.by_hand.drafts import (
    accepted,
    parsed,
    refused,
)
from rejoin_conformance.systems.config_merge.drafts.parse.plain import (
    PLAIN,
    ROW_6,
    invalid,
    outer,
    parsing,
    valid,
)

LARGEST = 2**62 - 1

TOO_LARGE = (
    ("seqno-too-large", 2**62, "2^62 is one too many"),
    ("seqno-int64-max", 2**63 - 1, "The largest 64-bit integer is no seqno"),
    ("seqno-beyond-64-bits", 2**63, "A seqno of more than 64 bits"),
    ("seqno-wraps-to-seven", 2**64 + 7, "2^64 + 7 is 7 modulo 2^64"),
)


def drafts() -> tuple[Draft, ...]:
    """The range of the seqno, and that of the window."""
    bare = evolve(PLAIN, rows=())
    return (
        valid("seqno-zero", "Seqno 0", "CM-MESSAGE-SEQNO-RANGE", evolve(bare, seqno=0)),
        valid(
            "seqno-largest",
            "Seqno 2^62 - 1",
            "CM-MESSAGE-SEQNO-RANGE",
            evolve(bare, seqno=LARGEST),
        ),
        valid(
            "seqno-beyond-doubles",
            "A seqno that a 64-bit float cannot hold",
            "CM-MESSAGE-SEQNO-RANGE",
            evolve(bare, seqno=2**53 + 1),
        ),
        *(
            invalid(
                name,
                summary,
                "CM-MESSAGE-SEQNO-RANGE CM-SECURITY-REFUSE-AT-ONCE",
                outer(seqno=seqno, lagged=[]),
                good=outer(seqno=LARGEST, lagged=[]),
            )
            for name, seqno, summary in TOO_LARGE
        ),
        *(
            invalid(
                name,
                summary,
                "CM-MESSAGE-SEQNO-RANGE CM-SECURITY-REFUSE-AT-ONCE",
                outer(seqno=seqno, lagged=[]),
                good=outer(seqno=0, lagged=[]),
            )
            for name, seqno, summary in (
                ("seqno-negative", -1, "A seqno below zero"),
                ("seqno-int64-min", -(2**63), "The smallest 64-bit integer is no seqno"),
            )
        ),
        accepted(
            "window-of-one",
            "parse",
            "With a window of 1 every row is expired",
            "CM-MESSAGE-WINDOW CM-DIFFS-EXPIRED",
            parsing(PLAIN, window=1),
            parsed(PLAIN, []),
        ),
        accepted(
            "window-of-two",
            "parse",
            "With a window of 2 the row just below the message counts",
            "CM-MESSAGE-WINDOW CM-DIFFS-EXPIRED",
            parsing(PLAIN, window=2),
            parsed(PLAIN, [ROW_6]),
        ),
        valid(
            "window-largest",
            "A window of 2^31 - 1",
            "CM-MESSAGE-WINDOW",
            PLAIN,
            window=2**31 - 1,
        ),
        *(
            refused(
                name,
                "parse",
                summary,
                "CM-MESSAGE-WINDOW",
                parsing(PLAIN, window=window),
                parsing(PLAIN, window=nearest),
            )
            for name, window, nearest, summary in (
                ("window-zero", 0, 1, "A window of 0"),
                ("window-too-large", 2**31, 2**31 - 1, "A window of 2^31"),
            )
        ),
    )
