"""Encoding and decoding at their limits: levels, keys twice, and long runs of leading zeros."""

from __future__ import annotations

from typing import Final

from rejoin_conformance.contract.drafting import accepted, refused
from rejoin_conformance.contract.vector import Draft, Topic
from rejoin_conformance.kit.json_types import JsonObject
from rejoin_conformance.systems.config_merge.drafts.by_hand.bt import bt
from rejoin_conformance.systems.config_merge.drafts.by_hand.drafts import DOCUMENT, LIBSESSION

DECODE: Final = "config-merge/decode"
ENCODE: Final = "config-merge/encode"

NESTED: Final = (
    ("lists", "lists", 100, 0),
    ("dicts", "dicts", 0, 100),
    ("lists-and-dicts", "lists and dicts", 50, 50),
)

INTEGERS: Final = (
    ("thirty-zeros", f"i{'0' * 30}7e", 7, "An integer after 30 zeros"),
    ("minus-and-thirty-zeros", f"i-{'0' * 30}7e", -7, "A negative integer after 30 zeros"),
    ("zeros-largest", f"i{'0' * 300}{2**63 - 1}e", 2**63 - 1, "2^63 - 1 after 300 zeros"),
    ("zeros-smallest", f"i-{'0' * 300}{2**63}e", -(2**63), "-2^63 after 300 zeros"),
    ("five-thousand-zeros", f"i{'0' * 5000}e", 0, "Zero with 5,000 digits"),
)

LENGTHS: Final = (
    ("length-after-thirty-zeros", 30, b"12:0123456789ab", b"0123456789ab", "A length after 30"),
    ("length-after-five-thousand-zeros", 5000, b"1:a", b"a", "A length after 5,000"),
)

BEYOND: Final = (
    (
        "zeros-then-too-large",
        "CM-BT-INT-RANGE",
        f"i{'0' * 30}{2**63}e",
        f"i{2**63 - 1}e",
        "The integer 2^63 after 30 zeros is refused, even if leading zeros are accepted.",
    ),
    (
        "zeros-then-too-small",
        "CM-BT-INT-RANGE",
        f"i-{'0' * 30}{2**63 + 1}e",
        f"i-{2**63}e",
        "The integer -2^63 - 1 after 30 zeros is refused, even if leading zeros are accepted.",
    ),
    (
        "length-after-zeros-too-large",
        "CM-BT-STRING",
        "0" * 30 + "4:spa",
        "3:spa",
        "A string that lacks 1 byte is refused, even if its length may begin with zeros.",
    ),
)


def topic() -> Topic:
    """Encoding, then decoding."""
    return Topic(
        "encoding",
        "Encoding and decoding at their limits: levels, keys twice, and long runs of zeros.",
        (*_levels(), *_keys(), *_zeros(), _empty_strings()),
    )


def _levels() -> tuple[Draft, ...]:
    clauses = "CM-BT-ENCODE CM-BT-DEPTH"
    return (
        *(
            accepted(
                ENCODE,
                f"{name}-100-deep",
                f"100 {what} in one another are encoded.",
                clauses,
                given={"value": _tree(lists, dicts)},
                output={
                    "encoded": (b"l" * lists + b"d1:k" * dicts + b"i7e" + b"e" * 100).hex(),
                },
            )
            for name, what, lists, dicts in NESTED
        ),
        *(
            refused(
                ENCODE,
                f"{name}-101-deep",
                f"101 {what} in one another are refused.",
                f"{clauses} CM-BT-ENCODE-REFUSED",
                given={"value": _tree(lists + (lists > 0), dicts + (lists == 0))},
                mended={"value": _tree(lists, dicts)},
            )
            for name, what, lists, dicts in NESTED
        ),
        accepted(
            ENCODE,
            "empty-list-100-deep",
            "An empty list in 99 lists is encoded.",
            clauses,
            given={"value": _around({"list": []}, 99)},
            output={"encoded": (b"l" * 100 + b"e" * 100).hex()},
        ),
        refused(
            ENCODE,
            "empty-dict-101-deep",
            "An empty dict in 100 lists is refused.",
            f"{clauses} CM-BT-ENCODE-REFUSED",
            given={"value": _around({"dict": []}, 100)},
            mended={"value": _around({"dict": []}, 99)},
        ),
    )


def _keys() -> tuple[Draft, ...]:
    clauses = "CM-BT-ENCODE CM-BT-DICT-ORDER"
    return (
        refused(
            ENCODE,
            "key-twice",
            "A dict with a key twice is refused, wherever it stands.",
            f"{clauses} CM-BT-ENCODE-REFUSED",
            given={"value": {"list": [_dict("6b", "61", "6b")]}},
            mended={"value": {"list": [_dict("6b", "61", "6c")]}},
        ),
        refused(
            ENCODE,
            "empty-key-twice",
            "A dict with the empty key twice is refused.",
            f"{clauses} CM-BT-ENCODE-REFUSED",
            given={"value": _dict("", "")},
            mended={"value": _dict("", "00")},
        ),
        accepted(
            ENCODE,
            "longer-than-in-data",
            "Keys and strings of a value may be longer than those of data.",
            "CM-BT-ENCODE CM-BT-STRING",
            given={"value": {"dict": [["6b" * 129, {"str": "73" * 4097}]]}},
            output={"encoded": bt({"k" * 129: "s" * 4097}).hex()},
        ),
    )


def _zeros() -> tuple[Draft, ...]:
    return (
        *(
            refused(
                DECODE,
                name,
                f"{what}: refused, or read without the leading zeros.",
                "CM-BT-INT-CANONICAL",
                given={"encoded": lax.encode().hex()},
                mended={"encoded": bt(value).hex()},
                by=DOCUMENT,
                otherwise={LIBSESSION: {"value": {"int": str(value)}}},
            )
            for name, lax, value, what in INTEGERS
        ),
        *(
            refused(
                DECODE,
                name,
                f"{what} zeros: refused, or read without them.",
                "CM-BT-STRING-CANONICAL",
                given={"encoded": (b"0" * zeros + string).hex()},
                mended={"encoded": string.hex()},
                by=DOCUMENT,
                otherwise={LIBSESSION: {"value": {"str": value.hex()}}},
            )
            for name, zeros, string, value, what in LENGTHS
        ),
        *(
            refused(
                DECODE,
                name,
                summary,
                clauses,
                given={"encoded": bad.encode().hex()},
                mended={"encoded": good.encode().hex()},
                readings=(LIBSESSION,),
            )
            for name, clauses, bad, good, summary in BEYOND
        ),
    )


def _empty_strings() -> Draft:
    return accepted(
        DECODE,
        "empty-string-before-ten-bytes",
        "An empty string before a string of 10 bytes does not join their lengths.",
        "CM-BT-STRING CM-BT-LIST",
        given={"encoded": b"l0:10:0123456789e".hex()},
        output={"value": {"list": [{"str": ""}, {"str": b"0123456789".hex()}]}},
    )


def _tree(lists: int, dicts: int) -> JsonObject:
    """Return the integer 7 in dicts in one another, and these in lists in one another."""
    tree: JsonObject = {"int": "7"}
    for _ in range(dicts):
        tree = {"dict": [["6b", tree]]}
    return _around(tree, lists)


def _around(tree: JsonObject, lists: int) -> JsonObject:
    """Return a tree inside lists that contain nothing else."""
    for _ in range(lists):
        tree = {"list": [tree]}
    return tree


def _dict(*keys: str) -> JsonObject:
    """Return a dict with these keys, whose values are 1, 2 and so on."""
    return {"dict": [[key, {"int": str(number)}] for number, key in enumerate(keys, 1)]}
