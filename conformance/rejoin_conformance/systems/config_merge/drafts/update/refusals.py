"""Updates that are refused."""

from __future__ import annotations

from typing import Final

from attrs import evolve

from rejoin_conformance.contract.vector import Draft
from rejoin_conformance.kit.json_types import Json
from rejoin_conformance.systems.config_merge.drafts.by_hand.bt import Raw, Tree, bt
from rejoin_conformance.systems.config_merge.drafts.by_hand.drafts import made, refused, updating
from rejoin_conformance.systems.config_merge.drafts.by_hand.fork import BASE
from rejoin_conformance.systems.config_merge.drafts.by_hand.messages import (
    Data,
    Message,
    blake2b,
)
from rejoin_conformance.systems.config_merge.drafts.data.limits import KEY_128, KEY_129

LAST: Final = Message(seqno=2**62 - 1, data={"k": 1})


def drafts() -> tuple[Draft, ...]:
    """Invalid data, no valid message, no seqno left, no window."""
    good: Data = {"k": 2}
    bad_data: tuple[tuple[str, str, Tree, str], ...] = (
        ("data-with-empty-set", "CM-DATA-SET-NONEMPTY", {"k": []}, "An empty set"),
        ("data-with-empty-dict", "CM-DATA-DICT-NONEMPTY", {"k": {}}, "An empty dict"),
        ("data-with-unsorted-set", "CM-DATA-SET-ORDER", {"k": [2, 1]}, "An unsorted set"),
        ("data-with-repeated-element", "CM-DATA-SET-UNIQUE", {"k": [1, 1]}, "A double element"),
        ("data-with-list-in-set", "CM-DATA-SET-ELEMENTS", {"k": [[1]]}, "A list in a set"),
        ("data-with-unsorted-keys", "CM-BT-DICT-ORDER", Raw(b"d1:b0:1:a0:e"), "Unsorted keys"),
        ("data-a-list", "CM-DATA-DICT", [], "A list as data"),
        ("data-too-deep", "CM-DATA-DEPTH", Raw(b"d0:" * 64 + b"de" + b"e" * 64), "65 levels"),
    )
    return (
        *_not_canonical(),
        *(
            refused(
                name,
                "update",
                f"{summary}: refused, not repaired",
                f"CM-UPDATE-INVALID-DATA {clause}",
                updating([BASE], data),
                updating([BASE], good),
            )
            for name, clause, data, summary in bad_data
        ),
        refused(
            "data-with-key-of-129-bytes",
            "update",
            "A key of 129 bytes: refused, or written",
            "CM-UPDATE-INVALID-DATA CM-DATA-KEY-LENGTH",
            updating([BASE], {KEY_129: 1, "k": 1}),
            updating([BASE], {KEY_128: 1, "k": 1}),
            libsession=made(BASE.followed_by({KEY_129: 1, "k": 1}, {KEY_129: ""})),
        ),
        refused(
            "first-message-of-invalid-data",
            "update",
            "The first message has valid data too",
            "CM-UPDATE-INVALID-DATA",
            updating([], {"k": []}),
            updating([], {"k": [1]}),
        ),
        refused(
            "none-valid",
            "update",
            "Messages are there and none is valid: a client does not begin anew over them",
            "CM-IGNORE-NONE-VALID",
            updating([b"de", b"d1:!0:e"], good),
            updating([b"de", BASE], good),
        ),
        refused(
            "seqno-exhausted",
            "update",
            "No seqno is left above 2^62 - 1",
            "CM-MESSAGE-SEQNO-EXHAUSTED",
            updating([LAST], good),
            updating([evolve(LAST, seqno=2**62 - 2)], good),
        ),
        refused(
            "seqno-exhausted-in-a-merge",
            "update",
            "Nor for a merge with a change",
            "CM-MESSAGE-SEQNO-EXHAUSTED",
            updating([LAST, evolve(LAST, data={"k": 2})], good),
            updating([evolve(LAST, seqno=2**62 - 2), evolve(LAST, seqno=2**62 - 3)], good),
        ),
        refused(
            "first-message-window-zero",
            "update",
            "A window of 0 where no message exists yet",
            "CM-MESSAGE-WINDOW CM-MESSAGE-FIRST",
            updating([], good, window=0),
            updating([], good, window=1),
        ),
        _window("window-zero", 0, 1, "A window of 0"),
        _window("window-too-large", 2**31, 2**31 - 1, "A window of 2^31"),
    )


def _window(name: str, window: Json, nearest: Json, summary: str) -> Draft:
    return refused(
        name,
        "update",
        summary,
        "CM-MESSAGE-WINDOW",
        updating([BASE], {"k": 2}, window=window),
        updating([BASE], {"k": 2}, window=nearest),
    )


def _not_canonical() -> tuple[Draft, ...]:
    """Messages with leading zeros: invalid, or followed by an update that is canonical again."""
    row: tuple[Tree, ...] = (9, b"\x99" * 32, {"k": ""})
    cases: tuple[tuple[str, str, dict[str, Tree], Data, str], ...] = (
        (
            "rows-made-canonical",
            "CM-BT-INT-CANONICAL",
            {"<": [[Raw(b"i09e"), *row[1:]]]},
            {},
            "A leading zero in a row that is carried on",
        ),
        (
            "diff-made-canonical",
            "CM-BT-STRING-CANONICAL",
            {"=": {"k": Raw(b"00:")}},
            {},
            "A leading zero in the diff that becomes a row",
        ),
        (
            "unknown-keys-made-canonical",
            "CM-BT-INT-CANONICAL",
            {"x": [Raw(b"i-0e"), Raw(b"i01e")]},
            {"x": [0, 1]},
            "Leading zeros under an unknown key",
        ),
        (
            "seqno-made-canonical",
            "CM-BT-INT-CANONICAL",
            {"#": Raw(b"i010e")},
            {},
            "A leading zero in the seqno",
        ),
    )
    drafts = []
    for name, clause, parts, others, summary in cases:
        canonical = Message(seqno=10, data={"k": 1}, rows=(row,), diff={"k": ""}, others=others)
        given: dict[str, Tree] = {
            "#": 10,
            "&": canonical.data,
            "<": canonical.rows,
            "=": canonical.diff,
            **parts,
        }
        raw = bt(given)
        update = Message(
            seqno=11,
            data={"k": 2},
            rows=(row, (10, blake2b(raw), {"k": ""})),
            diff={"k": ""},
            others=others,
        )
        drafts.append(
            refused(
                name,
                "update",
                f"{summary}: refused, or hashed as received and written without",
                f"{clause} CM-MESSAGE-HASH",
                updating([raw], {"k": 2}),
                updating([canonical], {"k": 2}),
                libsession=made(update),
            )
        )
    return tuple(drafts)
