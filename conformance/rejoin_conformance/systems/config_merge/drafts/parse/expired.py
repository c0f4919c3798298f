"""Rows that are older than the window of their message."""

from __future__ import annotations

from rejoin_conformance.contract.vector import Draft
from rejoin_conformance.kit.json_types import Json
from rejoin_conformance.systems.config_merge.drafts.by_hand.bt import Tree
from rejoin_conformance.systems.config_merge.drafts.by_hand.drafts import (
    accepted,
    parsed,
    refused,
)
from rejoin_conformance.systems.config_merge.drafts.by_hand.messages import Message, Row
from rejoin_conformance.systems.config_merge.drafts.parse.plain import (
    HASH_5,
    ROW_5,
    ROW_6,
    answer,
    outer,
    parsing,
    with_rows,
)

ROW_2: Row = (2, b"\x22" * 32, {"k": ""})
ROW_3: Row = (3, b"\x33" * 32, {})

FAULTS: tuple[tuple[str, str, Tree, str], ...] = (
    ("expired-row-with-short-hash", "CM-DIFFS-ROW-HASH", [2, "short", {}], "a hash too short"),
    ("expired-row-without-diff", "CM-DIFFS-ROW", [2, HASH_5], "no diff"),
    ("expired-row-of-a-seqno-only", "CM-DIFFS-ROW", [2], "a seqno and nothing else"),
    ("expired-row-with-bad-diff", "CM-DIFFS-ROW-DIFF", [2, HASH_5, {"k": 1}], "an invalid diff"),
    ("expired-row-below-zero", "CM-DIFFS-ROW-SEQNO", [-1, HASH_5, {}], "a negative seqno"),
)


def drafts() -> tuple[Draft, ...]:
    """Checked like other rows, then left out; the reading libsession reads their seqno only."""
    return (
        _left_out("expired-row-left-out", "A row N below its message is left out", (ROW_2,)),
        _left_out(
            "expired-rows-left-out",
            "Rows further back are left out too",
            ((0, HASH_5, {}), (1, HASH_5, {}), ROW_2),
        ),
        _left_out("row-at-the-edge-of-the-window", "A row N - 1 below its message counts", ()),
        _left_out(
            "expired-row-of-a-small-window",
            "With a window of 2 the row two below its message is left out",
            (ROW_3, ROW_5),
            (ROW_6,),
            window=2,
        ),
        *(
            refused(
                name,
                "parse",
                f"An expired row with {summary}",
                f"CM-DIFFS-EXPIRED {clause}",
                parsing(bad := outer(lagged=[row, ROW_5, ROW_6])),
                parsing(with_rows(ROW_2, ROW_5, ROW_6)),
                libsession=answer(bad),
            )
            for name, clause, row, summary in FAULTS
        ),
        refused(
            "expired-row-out-of-order",
            "parse",
            "An expired row behind one that counts",
            "CM-DIFFS-EXPIRED CM-DIFFS-ROW-ORDER",
            parsing(bad := outer(lagged=[ROW_5, ROW_2, ROW_6])),
            parsing(with_rows(ROW_2, ROW_5, ROW_6)),
            libsession=answer(bad),
        ),
        refused(
            "expired-rows-equal",
            "parse",
            "The same expired row twice",
            "CM-DIFFS-EXPIRED CM-DIFFS-ROW-ORDER",
            parsing(bad := outer(lagged=[ROW_2, ROW_2, ROW_5, ROW_6])),
            parsing(with_rows(ROW_2, ROW_5, ROW_6)),
            libsession=answer(bad),
        ),
    )


def _left_out(
    name: str,
    summary: str,
    expired: tuple[Row, ...],
    kept: tuple[Row, ...] = (ROW_3, ROW_5, ROW_6),
    **options: Json,
) -> Draft:
    message: Message = with_rows(*expired, *kept)
    return accepted(
        name,
        "parse",
        summary,
        "CM-DIFFS-EXPIRED",
        parsing(message, **options),
        parsed(message, kept),
    )
