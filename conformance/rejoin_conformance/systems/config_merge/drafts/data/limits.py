"""The limits of data: keys, strings and levels, on both sides of each."""

from __future__ import annotations

from rejoin_conformance.contract.vector import Draft
from rejoin_conformance.systems.config_merge.drafts.by_hand.bt import Tree
from rejoin_conformance.systems.config_merge.drafts.data.reading import read, unread

KEY_128 = "k" * 128
KEY_129 = "k" * 129
STRING_4096 = "s" * 4096
STRING_4097 = "s" * 4097


def nested(levels: int, innermost: Tree) -> Tree:
    """Dicts in one another, each the value of the empty key; levels: how many, the root first."""
    tree = innermost
    for _ in range(levels):
        tree = {"": tree}
    return tree


def drafts() -> tuple[Draft, ...]:
    """128 bytes a key, 4096 bytes a string, 64 levels."""
    return (
        read("empty-key", "A key may be empty", "CM-DATA-KEY-LENGTH", {"": 1}, {"": ""}),
        read(
            "key-of-128-bytes",
            "A key of 128 bytes",
            "CM-DATA-KEY-LENGTH",
            {KEY_128: 1},
            {KEY_128: ""},
        ),
        read(
            "inner-key-of-128-bytes",
            "A key of 128 bytes in a dict of data",
            "CM-DATA-KEY-LENGTH",
            {"k": {KEY_128: 1}},
            {"k": {KEY_128: ""}},
        ),
        unread(
            "key-of-129-bytes",
            "A key of 129 bytes",
            "CM-DATA-KEY-LENGTH",
            {KEY_129: 1},
            {KEY_128: 1},
            libsession_diff={KEY_129: ""},
        ),
        unread(
            "inner-key-of-129-bytes",
            "A key of 129 bytes in a dict of data",
            "CM-DATA-KEY-LENGTH",
            {"k": {KEY_129: 1}},
            {"k": {KEY_128: 1}},
            libsession_diff={"k": {KEY_129: ""}},
        ),
        unread(
            "key-of-65-letters-in-130-bytes",
            "The length of a key counts bytes, not letters",
            "CM-DATA-KEY-LENGTH",
            {"\u00e9" * 65: 1},
            {"\u00e9" * 64: 1},
            libsession_diff={"\u00e9" * 65: ""},
        ),
        read(
            "string-of-4096-bytes",
            "A string of 4096 bytes",
            "CM-DATA-STRING-LENGTH",
            {"k": STRING_4096},
            {"k": ""},
        ),
        unread(
            "string-of-4097-bytes",
            "A string of 4097 bytes",
            "CM-DATA-STRING-LENGTH",
            {"k": STRING_4097},
            {"k": STRING_4096},
            libsession_diff={"k": ""},
        ),
        read(
            "element-of-4096-bytes",
            "An element of 4096 bytes in a set",
            "CM-DATA-STRING-LENGTH",
            {"k": [STRING_4096]},
            {"k": [[STRING_4096], []]},
        ),
        unread(
            "element-of-4097-bytes",
            "An element of 4097 bytes in a set",
            "CM-DATA-STRING-LENGTH",
            {"k": [STRING_4097]},
            {"k": [STRING_4096]},
            libsession_diff={"k": [[STRING_4097], []]},
        ),
        read(
            "ends-of-the-range",
            "The ends of the 64-bit range",
            "CM-DATA-INT",
            {"k": [-(2**63), 2**63 - 1], "max": 2**63 - 1, "min": -(2**63)},
            {"k": [[-(2**63), 2**63 - 1], []], "max": "", "min": ""},
        ),
        read(
            "dicts-64-levels",
            "64 dicts in one another, the root included",
            "CM-DATA-DEPTH",
            nested(64, 1),
            nested(64, ""),
        ),
        unread(
            "dicts-65-levels",
            "65 dicts in one another",
            "CM-DATA-DEPTH",
            nested(65, 1),
            nested(64, 1),
        ),
        read(
            "set-on-level-64",
            "A set in the innermost of 63 dicts is on level 64",
            "CM-DATA-DEPTH",
            nested(63, [7]),
            nested(63, [[7], []]),
        ),
        unread(
            "set-on-level-65",
            "A set in the innermost of 64 dicts is on level 65",
            "CM-DATA-DEPTH",
            nested(64, [7]),
            nested(63, [7]),
        ),
    )
