"""Data that are not canonical bt-encoding, and data of many levels."""

from __future__ import annotations

from typing import Final

from rejoin_conformance.contract.drafting import accepted, refused
from rejoin_conformance.contract.vector import Draft, Topic
from rejoin_conformance.kit.json_types import JsonObject
from rejoin_conformance.systems.config_merge.drafts.by_hand.bt import Raw, Tree, bt
from rejoin_conformance.systems.config_merge.drafts.by_hand.drafts import DOCUMENT, LIBSESSION

DIFF: Final = "config-merge/diff"
ORDER: Final = "CM-BT-DICT-ORDER CM-DATA-DICT"

NOT_CANONICAL: Final[tuple[tuple[str, str, Tree, Tree, str], ...]] = (
    (
        "keys-unsorted",
        ORDER,
        Raw(b"d1:bi1e1:ai2ee"),
        {"a": 2, "b": 1},
        "Keys of data out of order are refused.",
    ),
    (
        "keys-equal",
        ORDER,
        Raw(b"d1:ai1e1:ai2ee"),
        {"a": 1, "b": 2},
        "A key of data that occurs twice is refused.",
    ),
    (
        "inner-keys-unsorted",
        ORDER,
        {"k": Raw(b"d1:bi1e1:ai2ee")},
        {"k": {"a": 2, "b": 1}},
        "Keys of an inner dict out of order are refused.",
    ),
    (
        "truncated",
        "CM-BT-TRUNCATED",
        Raw(bt({"k": 1})[:-1]),
        {"k": 1},
        "Data without their final e are refused.",
    ),
    (
        "set-equal-but-for-zeros",
        "CM-DATA-SET-UNIQUE",
        {"k": [1, Raw(b"i01e")]},
        {"k": [1, 2]},
        "Elements that are equal without their leading zeros are refused.",
    ),
)

LENIENT: Final[tuple[tuple[str, Tree, Tree, Tree, str], ...]] = (
    (
        "integer-not-canonical",
        {"k": Raw(b"i007e")},
        {"k": 7},
        {"k": ""},
        "Leading zeros in a value of data: refused, or ignored.",
    ),
    (
        "set-integer-not-canonical",
        {"k": [Raw(b"i01e")]},
        {"k": [1]},
        {"k": [[1], []]},
        "Leading zeros in an element of a set: refused, or ignored.",
    ),
)


def nested(levels: int, innermost: Tree) -> Tree:
    """Dicts in one another, each the value of the empty key; levels: how many, the root first."""
    tree = innermost
    for _ in range(levels):
        tree = {"": tree}
    return tree


def topic() -> Topic:
    """Faults of the encoding, then levels."""
    return Topic(
        "data",
        "",
        (
            *(
                refused(DIFF, name, summary, clauses, given=to(bad), mended=to(good))
                for name, clauses, bad, good, summary in NOT_CANONICAL
            ),
            *(
                refused(
                    DIFF,
                    name,
                    summary,
                    "CM-BT-INT-CANONICAL",
                    given=to(bad),
                    mended=to(good),
                    by=DOCUMENT,
                    otherwise={LIBSESSION: {"diff": bt(diff).hex()}},
                )
                for name, bad, good, diff, summary in LENIENT
            ),
            *_levels(),
        ),
    )


def _levels() -> tuple[Draft, ...]:
    depth = "CM-DATA-DEPTH"
    return (
        accepted(
            DIFF,
            "dicts-64-levels",
            "Data may have 64 levels of dicts, including the root.",
            depth,
            given=to(nested(64, 1)),
            output={"diff": bt(nested(64, "")).hex()},
        ),
        refused(
            DIFF,
            "dicts-65-levels",
            "Data of 65 levels of dicts are refused.",
            depth,
            given=to(nested(65, 1)),
            mended=to(nested(64, 1)),
        ),
        accepted(
            DIFF,
            "set-on-level-64",
            "A set in the innermost of 63 dicts is on level 64.",
            depth,
            given=to(nested(63, [7])),
            output={"diff": bt(nested(63, [[7], []])).hex()},
        ),
        refused(
            DIFF,
            "set-on-level-65",
            "A set in the innermost of 64 dicts is on level 65 and is refused.",
            depth,
            given=to(nested(64, [7])),
            mended=to(nested(63, [7])),
        ),
    )


def to(data: Tree) -> JsonObject:
    """Return the input of `diff` from empty data to these."""
    return {"old": bt({}).hex(), "new": bt(data).hex()}
