"""Unknown keys at the top level of a message."""

from __future__ import annotations

from attrs import evolve

from rejoin_conformance.contract.vector import Draft
from rejoin_conformance.systems.config_merge.drafts.by_hand.bt import Raw, Tree
from rejoin_conformance.systems.config_merge.drafts.parse.plain import (
    PLAIN,
    invalid,
    outer,
    valid,
)

PLACES = (
    ("unknown-between-seqno-and-data", "$", "An unknown key between # and &"),
    ("unknown-that-begins-with-hash", "##", "## sorts after # and is an unknown key"),
    ("unknown-between-data-and-rows", "0", "An unknown key between & and <"),
    ("unknown-between-rows-and-diff", "<<", "An unknown key between < and ="),
    ("unknown-between-diff-and-end", "a", "An unknown key behind ="),
    ("unknown-just-before-tilde", "}\U0010ffff", "An unknown key just before ~"),
    ("unknown-key-of-300-bytes", "k" * 300, "The limit of keys is one of data"),
)

VALUES: tuple[tuple[str, Tree, str], ...] = (
    ("unknown-integer", -5, "An integer"),
    ("unknown-string-of-5000-bytes", "s" * 5000, "The limit of strings is one of data"),
    ("unknown-empty-list", [], "An empty list"),
    ("unknown-list-unsorted", [3, "b", 1, "a", 1], "A list in no order"),
    ("unknown-list-in-list", [[[]], {"": {}}], "Lists in lists, and empty dicts"),
    ("unknown-dict", {"": 0, "k" * 200: []}, "A dict with any keys"),
)


def drafts() -> tuple[Draft, ...]:
    """Unknown keys anywhere after #, with any value in canonical bt-encoding."""
    return (
        *(
            valid(name, summary, "CM-OUTER-UNKNOWN-ALLOWED", evolve(PLAIN, others={key: 1}))
            for name, key, summary in PLACES
        ),
        *(
            valid(
                name,
                f"{summary} under an unknown key",
                "CM-OUTER-UNKNOWN-ALLOWED",
                evolve(PLAIN, others={"x": value}),
            )
            for name, value, summary in VALUES
        ),
        valid(
            "unknown-99-levels",
            "99 lists under an unknown key are 100 with the message",
            "CM-BT-DEPTH CM-OUTER-UNKNOWN-ALLOWED",
            evolve(PLAIN, others={"x": Raw(b"l" * 99 + b"e" * 99)}),
        ),
        invalid(
            "unknown-100-levels",
            "100 lists under an unknown key are 101 with the message",
            "CM-BT-DEPTH",
            outer(others={"x": Raw(b"l" * 100 + b"e" * 100)}),
            good=outer(others={"x": Raw(b"l" * 99 + b"e" * 99)}),
        ),
        invalid(
            "unknown-dict-unsorted",
            "An unsorted dict under an unknown key",
            "CM-BT-DICT-ORDER",
            outer(others={"x": Raw(b"d1:bi1e1:ai2ee")}),
        ),
        invalid(
            "unknown-integer-too-large",
            "2^63 under an unknown key",
            "CM-BT-INT-RANGE",
            outer(others={"x": 2**63}),
            good=outer(others={"x": 2**63 - 1}),
        ),
        invalid(
            "unknown-integer-with-leading-zero",
            "A leading zero under an unknown key",
            "CM-BT-INT-CANONICAL",
            outer(others={"x": Raw(b"i01e")}),
            good=outer(others={"x": 1}),
            libsession=PLAIN,
        ),
        invalid(
            "unknown-keys-unsorted",
            "Unknown keys out of order",
            "CM-BT-DICT-ORDER",
            PLAIN.encoded[:-1] + b"1:bi1e1:ai2ee",
            good=PLAIN.encoded[:-1] + b"1:ai1e1:bi2ee",
        ),
        invalid(
            "unknown-key-without-value",
            "An unknown key without a value",
            "CM-BT-DICT",
            PLAIN.encoded[:-1] + b"1:xe",
            good=PLAIN.encoded[:-1] + b"1:x0:e",
        ),
    )
