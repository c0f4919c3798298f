"""Messages whose bytes or outer shape are at fault, and messages of many levels or rows."""

from __future__ import annotations

from typing import Final

from attrs import evolve

from rejoin_conformance.contract.drafting import accepted, refused
from rejoin_conformance.contract.vector import Draft, Topic
from rejoin_conformance.systems.config_merge.drafts.by_hand.bt import Raw
from rejoin_conformance.systems.config_merge.drafts.by_hand.drafts import (
    DOCUMENT,
    LIBSESSION,
    parsed,
)
from rejoin_conformance.systems.config_merge.drafts.by_hand.messages import Message, Row, blake2b
from rejoin_conformance.systems.config_merge.drafts.data import nested
from rejoin_conformance.systems.config_merge.drafts.parse.faults import FAULTS, MENDED
from rejoin_conformance.systems.config_merge.drafts.parse.lenient import LENIENT
from rejoin_conformance.systems.config_merge.drafts.parse.plain import ENCODED, PLAIN

PARSE: Final = "config-merge/parse"


def topic() -> Topic:
    """Return drafts: faults, then sizes that are not faults."""
    return Topic(
        "parse",
        "",
        (
            *(_refused(name, clauses, bad, ENCODED, text) for name, clauses, bad, text in FAULTS),
            *(_refused(*fault) for fault in MENDED),
            *(_refused_in_document(*fault) for fault in LENIENT),
            *_sizes(),
        ),
    )


def _refused(name: str, clauses: str, bad: bytes, good: bytes, summary: str) -> Draft:
    return refused(
        PARSE,
        name,
        summary,
        clauses,
        given={"message": bad.hex()},
        mended={"message": good.hex()},
    )


def _refused_in_document(
    name: str, clauses: str, bad: bytes, good: bytes, parts: Message, summary: str
) -> Draft:
    return refused(
        PARSE,
        name,
        summary,
        clauses,
        given={"message": bad.hex()},
        mended={"message": good.hex()},
        by=DOCUMENT,
        otherwise={LIBSESSION: {**parsed(parts), "hash": blake2b(bad).hex()}},
    )


def _sizes() -> tuple[Draft, ...]:
    deep_data, deep_diff = nested(64, 1), nested(64, "")
    assert isinstance(deep_data, dict)
    assert isinstance(deep_diff, dict)
    many: tuple[Row, ...] = tuple(
        (seqno, bytes([place]) * 32, {}) for seqno in range(4) for place in range(75)
    )
    return tuple(
        accepted(
            PARSE, name, summary, clauses, given={"message": message.hex}, output=parsed(message)
        )
        for name, summary, clauses, message in (
            (
                "unknown-99-levels",
                "99 lists under an unknown key, 100 levels with the message, are accepted.",
                "CM-BT-DEPTH CM-OUTER-UNKNOWN-ALLOWED",
                evolve(PLAIN, others={"x": Raw(b"l" * 99 + b"e" * 99)}),
            ),
            (
                "data-64-levels",
                "The data of a message may have 64 levels of dicts.",
                "CM-DATA-DEPTH",
                evolve(PLAIN, data=deep_data),
            ),
            (
                "three-hundred-rows",
                "The number of rows has no limit.",
                "CM-MESSAGE-NO-SIZE-LIMIT CM-DIFFS-GAPS",
                evolve(PLAIN, seqno=4, rows=many),
            ),
            (
                "diff-64-levels",
                "A diff may have 64 levels of dict diffs.",
                "CM-DIFF-DEPTH",
                evolve(PLAIN, diff=deep_diff),
            ),
        )
    )
