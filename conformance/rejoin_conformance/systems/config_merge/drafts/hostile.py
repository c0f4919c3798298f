"""Input that is made to do harm: long, deep, or at the ends of number ranges."""

from __future__ import annotations

from typing import Final

from attrs import evolve

from rejoin_conformance.contract.drafting import accepted, refused
from rejoin_conformance.contract.vector import Draft, Topic
from rejoin_conformance.kit.json_types import JsonObject
from rejoin_conformance.systems.config_merge.drafts.by_hand.bt import Raw, Tree, bt
from rejoin_conformance.systems.config_merge.drafts.by_hand.drafts import (
    listed,
    parsed,
    resolved,
)
from rejoin_conformance.systems.config_merge.drafts.by_hand.messages import Message
from rejoin_conformance.systems.config_merge.drafts.merging import LEFT, MERGE, RIGHT

PARSE: Final = "config-merge/parse"
AT_ONCE: Final = "CM-SECURITY-REFUSE-AT-ONCE"
PLAIN: Final = Message(seqno=7, data={"k": 1}, diff={"k": ""})


def _with(**parts: Tree) -> bytes:
    """Return the plain message with faulty parts."""
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
        _with(diff={"s": [[[1], 2], []]}),
        "A list among added elements",
    ),
    (
        "dict-in-the-set-diff-of-a-row",
        "CM-DIFF-SET-ELEMENTS CM-DIFFS-ROW-DIFF",
        _with(rows=_row(6, {"s": [[], [{}, "a"]]})),
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
    ("first-byte-l", "CM-OUTER-DICT", b"l" + PLAIN.encoded[1:], "A message whose first byte is l"),
    (
        "first-byte-i",
        "CM-OUTER-DICT",
        b"i" + PLAIN.encoded[1:],
        "A message whose first byte is i",
    ),
    ("first-byte-e", "CM-OUTER-DICT", b"e" + PLAIN.encoded[1:], "A message whose first byte is e"),
    ("single-d", "CM-BT-TRUNCATED", b"d", "A dict that ends after its first byte"),
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
        _with(data=_dicts(2000, b"0:i1e")),
        "A message with data of 2,000 nested dicts",
    ),
    (
        "diff-nested-2000-deep",
        "CM-BT-DEPTH CM-DIFF-DEPTH",
        _with(diff=_dicts(2000, b"0:")),
        "A diff of 2,000 nested dict diffs",
    ),
    (
        "lists-nested-2000-deep",
        "CM-BT-DEPTH",
        _with(unknown=Raw(b"l" * 2000 + b"e" * 2000)),
        "An unknown key with 2,000 nested lists",
    ),
    (
        "rows-nested-2000-deep",
        "CM-BT-DEPTH CM-DIFFS-ROW",
        _with(rows=Raw(b"l" * 2000 + b"e" * 2000)),
        "A message with 2,000 nested lists as rows",
    ),
)


RETIRED: Final = frozenset({"data-nested-2000-deep"})
"""Messages that are tested alone under other names (topic `levels`)."""


def topic() -> Topic:
    """Return each alone, then among good messages."""
    return Topic(
        "hostile",
        "Input that is made to do harm. It is refused at once and by itself: the messages around "
        "it are merged as if it were not there.",
        (
            *(
                refused(
                    PARSE,
                    name,
                    f"{what} is refused at once.",
                    f"{AT_ONCE} {clauses}",
                    given={"message": bad.hex()},
                    mended={"message": PLAIN.hex},
                )
                for name, clauses, bad, what in HOSTILE
                if name not in RETIRED
            ),
            *(
                accepted(
                    "config-merge/resolve",
                    f"{name}-among-good",
                    f"{what} does not affect the good messages around it.",
                    f"CM-SECURITY-ONE-BAD CM-IGNORE-INVALID {AT_ONCE}",
                    given={"messages": listed([RIGHT, bad, LEFT])},
                    output=resolved(MERGE, (1, "invalid"), merged=True),
                )
                for name, _, bad, what in HOSTILE
            ),
            *_large(),
        ),
    )


def _large() -> tuple[Draft, ...]:
    many = tuple(range(2000))
    long_set = evolve(PLAIN, data={"s": list(many)})
    long_dict = evolve(PLAIN, data={f"{key:04}": key for key in many})
    unsorted = _with(data={"s": [*many[:-2], 1999, 1998]})
    nothing: JsonObject = {"data": b"de".hex(), "source": b"de".hex()}
    return (
        refused(
            PARSE,
            "data-nested-20000-deep",
            "Data of 20,000 nested dicts are refused at once.",
            f"{AT_ONCE} CM-BT-DEPTH CM-DATA-DEPTH",
            given={"message": _with(data=_dicts(20_000, b"0:i1e")).hex()},
            mended={"message": PLAIN.hex},
        ),
        refused(
            PARSE,
            "dicts-opened-20000-times",
            "20,000 dicts that are never closed are refused at once.",
            f"{AT_ONCE} CM-BT-DEPTH CM-BT-TRUNCATED",
            given={"message": (b"d1:#" + b"d0:" * 20_000).hex()},
            mended={"message": PLAIN.hex},
        ),
        accepted(
            PARSE,
            "set-of-2000-elements",
            "A set of 2,000 elements is accepted.",
            "CM-MESSAGE-NO-SIZE-LIMIT",
            given={"message": long_set.hex},
            output=parsed(long_set),
        ),
        refused(
            PARSE,
            "set-unsorted-at-its-end",
            "A long set whose last two elements are exchanged is refused.",
            "CM-DATA-SET-ORDER",
            given={"message": unsorted.hex()},
            mended={"message": long_set.hex},
        ),
        accepted(
            PARSE,
            "dict-of-2000-keys",
            "A dict of 2,000 keys is accepted.",
            "CM-MESSAGE-NO-SIZE-LIMIT",
            given={"message": long_dict.hex},
            output=parsed(long_dict),
        ),
        refused(
            "config-merge/update",
            "deep-data-in-an-update",
            "New data of 2,000 nested dicts are refused at once.",
            f"{AT_ONCE} CM-UPDATE-INVALID-DATA CM-DATA-DEPTH",
            given={"messages": [PLAIN.hex], "data": _dicts(2000, b"0:i1e").hex()},
            mended={"messages": [PLAIN.hex], "data": bt({"k": 2}).hex()},
        ),
        refused(
            "config-merge/apply-diff",
            "deep-diff-applied",
            "A diff of 2,000 nested dict diffs is refused at once.",
            f"{AT_ONCE} CM-DIFF-DEPTH",
            given={"data": nothing["data"], "diff": _dicts(2000, b"0:").hex(), **nothing},
            mended={"data": nothing["data"], "diff": b"d0:0:e".hex(), **nothing},
        ),
    )
