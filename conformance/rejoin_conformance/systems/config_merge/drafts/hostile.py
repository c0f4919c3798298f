"""Input that is made to do harm: long, deep, or at the ends of number ranges."""

from __future__ import annotations

from typing import Final

from attrs import evolve

from rejoin_conformance.contract.vector import Draft, Topic
from rejoin_conformance.systems.config_merge.drafts.by_hand.bt import Raw, Tree, bt
from rejoin_conformance.systems.config_merge.drafts.by_hand.drafts import (
    accepted,
    parsed,
    refused,
    resolved,
    resolving,
)
from rejoin_conformance.systems.config_merge.drafts.by_hand.fork import LEFT, MERGE, RIGHT
from rejoin_conformance.systems.config_merge.drafts.by_hand.messages import Message

AT_ONCE: Final = "CM-SECURITY-REFUSE-AT-ONCE"
PLAIN: Final = Message(seqno=7, data={"k": 1}, diff={"k": ""})


def _with(**parts: Tree) -> bytes:
    """The plain message with parts replaced by what is no part of a message."""
    seqno, data = parts.get("seqno", PLAIN.seqno), parts.get("data", PLAIN.data)
    rows, diff = parts.get("rows", PLAIN.rows), parts.get("diff", PLAIN.diff)
    others = {"x": parts["unknown"]} if "unknown" in parts else {}
    return bt({"#": seqno, "&": data, "<": rows, "=": diff, **others})


def _dicts(depth: int, innermost: bytes = b"de") -> Raw:
    """Dicts in one another, each under the empty key."""
    return Raw(b"d0:" * depth + innermost + b"e" * depth)


def _row(seqno: Tree, diff: Tree) -> list[Tree]:
    return [[seqno, b"\x66" * 32, diff]]


TWENTY_DIGITS: Final = Raw(b"i21000000000000000000e")

HOSTILE: Final[tuple[tuple[str, str, bytes, str], ...]] = (
    ("integer-in-a-diff", "CM-DIFF-VALUES", _with(diff={"k": 1}), "An integer in a diff"),
    (
        "integer-in-the-diff-of-a-row",
        "CM-DIFF-VALUES CM-DIFFS-ROW-DIFF",
        _with(rows=_row(6, {"k": 1})),
        "An integer in the diff of a row",
    ),
    (
        "list-in-a-set-diff",
        "CM-DIFF-SET-ELEMENTS",
        _with(diff={"s": [[[1]], []]}),
        "A list among added elements",
    ),
    (
        "dict-in-the-set-diff-of-a-row",
        "CM-DIFF-SET-ELEMENTS CM-DIFFS-ROW-DIFF",
        _with(rows=_row(6, {"s": [[], [{}]]})),
        "A dict among removed elements, in a row",
    ),
    (
        "seqno-int64-max",
        "CM-MESSAGE-SEQNO-RANGE",
        _with(seqno=2**63 - 1),
        "A seqno to which 1 cannot be added",
    ),
    (
        "seqno-int64-min",
        "CM-MESSAGE-SEQNO-RANGE",
        _with(seqno=-(2**63)),
        "A seqno from which N cannot be subtracted",
    ),
    (
        "row-seqno-int64-max",
        "CM-DIFFS-ROW-SEQNO",
        _with(rows=_row(2**63 - 1, {})),
        "A row at the end of the 64-bit range",
    ),
    (
        "seqno-of-twenty-digits",
        "CM-BT-INT-RANGE",
        _with(seqno=TWENTY_DIGITS),
        "A seqno of twenty digits",
    ),
    (
        "data-of-twenty-digits",
        "CM-BT-INT-RANGE",
        _with(data={"k": TWENTY_DIGITS}),
        "A value of twenty digits",
    ),
    (
        "unknown-of-twenty-digits",
        "CM-BT-INT-RANGE",
        _with(unknown=TWENTY_DIGITS),
        "An integer of twenty digits under an unknown key",
    ),
    ("first-byte-l", "CM-OUTER-DICT", b"l" + PLAIN.encoded[1:], "A first byte that is not d"),
    (
        "first-byte-i",
        "CM-OUTER-DICT",
        b"i" + PLAIN.encoded[1:],
        "A first byte of an integer",
    ),
    ("first-byte-e", "CM-OUTER-DICT", b"e" + PLAIN.encoded[1:], "A first byte that ends something"),
    ("single-d", "CM-BT-TRUNCATED", b"d", "A dict that ends where it begins"),
    (
        "string-of-4-gib-announced",
        "CM-BT-STRING",
        _with(data={"k": Raw(b"4294967295:v")}),
        "A value that announces 4 GiB",
    ),
    (
        "string-of-twenty-digits-announced",
        "CM-BT-STRING",
        _with(unknown=Raw(b"18446744073709551615:v")),
        "A length that is -1 in 64 bits",
    ),
    (
        "data-nested-2000-deep",
        "CM-BT-DEPTH CM-DATA-DEPTH",
        _with(data=_dicts(2000)),
        "2,000 dicts in one another as data",
    ),
    (
        "diff-nested-2000-deep",
        "CM-BT-DEPTH CM-DIFF-DEPTH",
        _with(diff=_dicts(2000, b"0:")),
        "2,000 dict diffs in one another",
    ),
    (
        "lists-nested-2000-deep",
        "CM-BT-DEPTH",
        _with(unknown=Raw(b"l" * 2000 + b"e" * 2000)),
        "2,000 lists in one another under an unknown key",
    ),
    (
        "rows-nested-2000-deep",
        "CM-BT-DEPTH CM-DIFFS-ROW",
        _with(rows=Raw(b"l" * 2000 + b"e" * 2000)),
        "2,000 lists in one another as rows",
    ),
)


def topic() -> Topic:
    """Each alone, then among good messages."""
    return Topic(
        "hostile",
        "Input that is made to do harm. It is refused at once and by itself: the messages around "
        "it are merged as if it were not there.",
        (
            *(
                refused(
                    name,
                    "parse",
                    summary,
                    f"{AT_ONCE} {clauses}",
                    {"message": bad.hex()},
                    {"message": PLAIN.hex},
                )
                for name, clauses, bad, summary in HOSTILE
            ),
            *(
                accepted(
                    f"{name}-among-good",
                    "resolve",
                    f"{summary}, in a message between two good ones",
                    f"CM-SECURITY-ONE-BAD CM-IGNORE-INVALID {AT_ONCE}",
                    resolving([RIGHT, bad, LEFT]),
                    resolved(MERGE, (1, "invalid"), merged=True),
                )
                for name, _, bad, summary in HOSTILE
            ),
            *_large(),
        ),
    )


def _large() -> tuple[Draft, ...]:
    many = tuple(range(2000))
    long_set = evolve(PLAIN, data={"s": list(many)})
    long_dict = evolve(PLAIN, data={f"{key:04}": key for key in many})
    return (
        refused(
            "data-nested-20000-deep",
            "parse",
            "20,000 dicts in one another as data",
            f"{AT_ONCE} CM-BT-DEPTH CM-DATA-DEPTH",
            {"message": _with(data=_dicts(20_000)).hex()},
            {"message": PLAIN.hex},
        ),
        refused(
            "dicts-opened-20000-times",
            "parse",
            "20,000 dicts that are opened and never closed",
            f"{AT_ONCE} CM-BT-DEPTH CM-BT-TRUNCATED",
            {"message": (b"d1:#" + b"d0:" * 20_000).hex()},
            {"message": PLAIN.hex},
        ),
        accepted(
            "set-of-2000-elements",
            "parse",
            "A long set is no fault",
            "CM-MESSAGE-NO-SIZE-LIMIT",
            {"message": long_set.hex},
            parsed(long_set),
        ),
        refused(
            "set-unsorted-at-its-end",
            "parse",
            "A long set whose last two elements are exchanged",
            "CM-DATA-SET-ORDER",
            {"message": _with(data={"s": [*many[:-2], 1999, 1998]}).hex()},
            {"message": long_set.hex},
        ),
        accepted(
            "dict-of-2000-keys",
            "parse",
            "A dict of many keys is no fault",
            "CM-MESSAGE-NO-SIZE-LIMIT",
            {"message": long_dict.hex},
            parsed(long_dict),
        ),
        refused(
            "deep-data-in-an-update",
            "update",
            "New data that are nested 2,000 deep",
            f"{AT_ONCE} CM-UPDATE-INVALID-DATA CM-DATA-DEPTH",
            {"messages": [PLAIN.hex], "data": _dicts(2000).hex()},
            {"messages": [PLAIN.hex], "data": bt({"k": 2}).hex()},
        ),
        refused(
            "deep-diff-applied",
            "apply-diff",
            "A diff that is nested 2,000 deep",
            f"{AT_ONCE} CM-DIFF-DEPTH",
            {"data": b"de".hex(), "diff": _dicts(2000, b"0:").hex(), "source": b"de".hex()},
            {"data": b"de".hex(), "diff": b"d0:0:e".hex(), "source": b"de".hex()},
        ),
        refused(
            "deep-message-signed",
            "sign",
            "A message that is nested 2,000 deep is not signed",
            AT_ONCE,
            {"message": _with(data=_dicts(2000)).hex(), "signing_key": "07" * 32},
            {"message": PLAIN.hex, "signing_key": "07" * 32},
        ),
        refused(
            "deep-message-verified",
            "verify",
            "Nor verified",
            AT_ONCE,
            {"message": _with(data=_dicts(2000)).hex(), "verify_key": "07" * 32},
            {"message": PLAIN.hex, "verify_key": "07" * 32},
        ),
    )
