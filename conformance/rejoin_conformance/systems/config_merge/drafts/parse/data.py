"""Data inside a message: one case for each rule of application data."""

from __future__ import annotations

from attrs import evolve

from rejoin_conformance.contract.vector import Draft
from rejoin_conformance.systems.config_merge.drafts.by_hand.bt import Tree
from rejoin_conformance.systems.config_merge.drafts.data.limits import (
    KEY_128,
    KEY_129,
    STRING_4096,
    STRING_4097,
    nested,
)
from rejoin_conformance.systems.config_merge.drafts.parse.plain import (
    PLAIN,
    invalid,
    outer,
    valid,
)

BAD: tuple[tuple[str, str, Tree, Tree, str], ...] = (
    ("data-with-empty-set", "CM-DATA-SET-NONEMPTY", {"k": []}, {"k": [1]}, "An empty set"),
    ("data-with-empty-dict", "CM-DATA-DICT-NONEMPTY", {"k": {}}, {"k": {"x": 1}}, "An empty dict"),
    ("data-with-unsorted-set", "CM-DATA-SET-ORDER", {"k": [2, 1]}, {"k": [1, 2]}, "Unsorted set"),
    ("data-with-repeated-element", "CM-DATA-SET-UNIQUE", {"k": [1, 1]}, {"k": [1, 2]}, "A double"),
    ("data-with-list-in-set", "CM-DATA-SET-ELEMENTS", {"k": [[1]]}, {"k": [1]}, "A list in a set"),
    ("data-with-dict-in-set", "CM-DATA-SET-ELEMENTS", {"k": [{}]}, {"k": [1]}, "A dict in a set"),
    ("data-beyond-64-bits", "CM-DATA-INT", {"k": 2**63}, {"k": 2**63 - 1}, "An integer too large"),
)


def drafts() -> tuple[Draft, ...]:
    """Data rules as they make a message valid or invalid."""
    deep: Tree = nested(64, 1)
    assert isinstance(deep, dict)
    return (
        *(
            invalid(
                name,
                f"{summary} in the data of a message",
                f"{clause} CM-OUTER-DATA",
                outer(data=bad),
                good=outer(data=good),
            )
            for name, clause, bad, good, summary in BAD
        ),
        valid(
            "empty-key-in-data",
            "Keys and strings may be empty in data",
            "CM-DATA-KEY-LENGTH CM-DATA-STRING-LENGTH",
            evolve(PLAIN, data={"": "", "k": {"": 1}}),
        ),
        valid(
            "data-that-are-not-text",
            "Bytes of data are kept as they are",
            "CM-DATA-BYTES",
            evolve(PLAIN, data={b"\xff\x00": b"\x80\x00", b"\xffk": [b"\x00", b"\xff"]}),
        ),
        valid(
            "maximal-data",
            "A key of 128 bytes, a string of 4096, and the ends of the 64-bit range",
            "CM-DATA-KEY-LENGTH CM-DATA-STRING-LENGTH CM-DATA-INT",
            evolve(PLAIN, data={KEY_128: STRING_4096, "k": [-(2**63), 2**63 - 1]}),
        ),
        invalid(
            "key-of-129-bytes",
            "A key of 129 bytes in the data of a message",
            "CM-DATA-KEY-LENGTH",
            outer(data={KEY_129: 1}),
            good=outer(data={KEY_128: 1}),
            libsession=evolve(PLAIN, data={KEY_129: 1}),
        ),
        invalid(
            "string-of-4097-bytes",
            "A string of 4097 bytes in the data of a message",
            "CM-DATA-STRING-LENGTH",
            outer(data={"k": STRING_4097}),
            good=outer(data={"k": STRING_4096}),
            libsession=evolve(PLAIN, data={"k": STRING_4097}),
        ),
        valid(
            "data-64-levels",
            "64 levels of dicts in the data of a message",
            "CM-DATA-DEPTH",
            evolve(PLAIN, data=deep),
        ),
        invalid(
            "data-65-levels",
            "65 levels of dicts in the data of a message",
            "CM-DATA-DEPTH",
            outer(data=nested(65, 1)),
            good=outer(data=nested(64, 1)),
        ),
    )
