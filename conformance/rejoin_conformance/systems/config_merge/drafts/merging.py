"""Encodings that are not canonical, and long bad messages, where diffs and messages are applied."""

from __future__ import annotations

from typing import Final

from attrs import evolve

from rejoin_conformance.contract.drafting import accepted, refused
from rejoin_conformance.contract.vector import Draft, Topic
from rejoin_conformance.kit.json_types import JsonObject
from rejoin_conformance.systems.config_merge.drafts.by_hand.bt import Raw, Tree, bt
from rejoin_conformance.systems.config_merge.drafts.by_hand.drafts import (
    DOCUMENT,
    LIBSESSION,
    listed,
    resolved,
)
from rejoin_conformance.systems.config_merge.drafts.by_hand.messages import (
    Data,
    Message,
    Row,
    blake2b,
    merge_of,
)

APPLY: Final = "config-merge/apply-diff"
RESOLVE: Final = "config-merge/resolve"
UPDATE: Final = "config-merge/update"

BASE: Final = Message(seqno=10, data={"k": 1}, diff={"k": ""})
LEFT: Final = BASE.followed_by({"a": 1, "k": 1}, {"a": ""})
RIGHT: Final = BASE.followed_by({"b": 1, "k": 1}, {"b": ""})
MERGE: Final = merge_of(LEFT, RIGHT, data={"a": 1, "b": 1, "k": 1})

BAD: Final = (
    b"",
    b"d",
    LEFT.encoded[:-1],
    evolve(LEFT, seqno=2**62).encoded,
    evolve(LEFT, diff={"s": [[{}, 1], []]}).encoded,
    evolve(LEFT, diff={"a": 7}).encoded,
    LEFT.encoded.replace(b"i11e", b"i21000000000000000000e"),
    b"d1:#i11e1:&" + b"d0:" * 200 + b"e" * 200 + b"1:<le1:=dee",
)

ROW: Final[Row] = (9, b"\x99" * 32, {"k": ""})

MADE_CANONICAL: Final[tuple[tuple[str, str, dict[str, Tree], Data, str], ...]] = (
    (
        "rows-made-canonical",
        "CM-BT-INT-CANONICAL",
        {"<": [[Raw(b"i09e"), *ROW[1:]]]},
        {},
        "A leading zero in a row: refused, or hashed as received and written without it.",
    ),
    (
        "diff-made-canonical",
        "CM-BT-STRING-CANONICAL",
        {"=": {"k": Raw(b"00:")}},
        {},
        "A leading zero in the diff: refused, or hashed as received and written without it.",
    ),
    (
        "unknown-keys-made-canonical",
        "CM-BT-INT-CANONICAL",
        {"x": [Raw(b"i-0e"), Raw(b"i01e")]},
        {"x": [0, 1]},
        "Leading zeros of an unknown key: refused, or hashed as received and written without them.",
    ),
    (
        "seqno-made-canonical",
        "CM-BT-INT-CANONICAL",
        {"#": Raw(b"i010e")},
        {},
        "A leading zero in the seqno: refused, or hashed as received and written without it.",
    ),
)


def topics() -> tuple[Topic, ...]:
    """Return the drafts of topics that have few in Python."""
    return (
        Topic("apply-diff", "", (_diff_not_canonical(),)),
        Topic("ignored", "", (_message_that_is_a_list(),)),
        Topic("resolve", "", (_bad_among_good(),)),
        Topic("update", "", (*map(_made_canonical, MADE_CANONICAL), *_data_refused())),
    )


def _diff_not_canonical() -> Draft:
    given: JsonObject = {"data": bt({}).hex(), "diff": b"d1:k00:e".hex()}
    source: JsonObject = {"source": bt({"k": 1}).hex()}
    return refused(
        APPLY,
        "diff-not-canonical",
        "A leading zero in the diff: refused, or ignored.",
        "CM-BT-STRING-CANONICAL",
        given={**given, **source},
        mended={**given, "diff": bt({"k": ""}).hex(), **source},
        by=DOCUMENT,
        otherwise={LIBSESSION: {"data": bt({"k": 1}).hex()}},
    )


def _message_that_is_a_list() -> Draft:
    return accepted(
        RESOLVE,
        "invalid-not-a-dict",
        "A message that is a list is ignored.",
        "CM-IGNORE-INVALID CM-SECURITY-ONE-BAD CM-OUTER-DICT",
        given={"messages": listed([b"l" + RIGHT.encoded[1:], LEFT])},
        output=resolved(LEFT, (0, "invalid")),
    )


def _bad_among_good() -> Draft:
    return accepted(
        RESOLVE,
        "bad-messages-among-good",
        "Bad messages before, between and after the good ones change nothing.",
        "CM-SECURITY-ONE-BAD CM-IGNORE-INVALID CM-SECURITY-REFUSE-AT-ONCE",
        given={"messages": listed([*BAD[:3], RIGHT, *BAD[3:6], LEFT, *BAD[6:]])},
        output=resolved(
            MERGE, *((index, "invalid") for index in (0, 1, 2, 4, 5, 6, 8, 9)), merged=True
        ),
    )


def _made_canonical(case: tuple[str, str, dict[str, Tree], Data, str]) -> Draft:
    """Return a message with leading zeros, which is invalid, or a canonical update after it."""
    name, clause, parts, others, summary = case
    canonical = Message(seqno=10, data={"k": 1}, rows=(ROW,), diff={"k": ""}, others=others)
    fields: dict[str, Tree] = {
        "#": canonical.seqno,
        "&": canonical.data,
        "<": canonical.rows,
        "=": canonical.diff,
        **parts,
    }
    raw = bt(fields)
    rows = (ROW, (10, blake2b(raw), {"k": ""}))
    update = Message(seqno=11, data={"k": 2}, rows=rows, diff={"k": ""}, others=others)
    return refused(
        UPDATE,
        name,
        summary,
        f"{clause} CM-MESSAGE-HASH",
        given=_updating(raw, {"k": 2}),
        mended=_updating(canonical.encoded, {"k": 2}),
        by=DOCUMENT,
        otherwise={LIBSESSION: {"message": update.hex}},
    )


def _data_refused() -> tuple[Draft, ...]:
    return tuple(
        refused(
            UPDATE,
            name,
            summary,
            f"CM-UPDATE-INVALID-DATA {clause}",
            given=_updating(BASE.encoded, data),
            mended=_updating(BASE.encoded, {"k": 2}),
        )
        for name, clause, data, summary in (
            (
                "data-with-unsorted-keys",
                "CM-BT-DICT-ORDER",
                Raw(b"d1:b0:1:a0:e"),
                "New data with unsorted keys are refused, not repaired.",
            ),
            (
                "data-too-deep",
                "CM-DATA-DEPTH",
                Raw(b"d0:" * 64 + b"de" + b"e" * 64),
                "New data of 65 levels are refused, not repaired.",
            ),
        )
    )


def _updating(message: bytes, data: Tree) -> JsonObject:
    return {"messages": listed([message]), "data": bt(data).hex()}
