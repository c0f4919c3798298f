"""Encoding typed trees."""

from __future__ import annotations

from typing import Final

from rejoin_conformance.contract.drafting import accepted, refused
from rejoin_conformance.contract.vector import Topic
from rejoin_conformance.kit.json_types import JsonObject

ENCODED: Final[tuple[tuple[str, JsonObject, bytes, str], ...]] = (
    ("zero", {"int": "0"}, b"i0e", "Zero is encoded."),
    ("negative", {"int": "-42"}, b"i-42e", "A negative integer is encoded."),
    (
        "largest",
        {"int": str(2**63 - 1)},
        b"i9223372036854775807e",
        "The largest 64-bit integer is encoded.",
    ),
    (
        "smallest",
        {"int": str(-(2**63))},
        b"i-9223372036854775808e",
        "The smallest 64-bit integer is encoded.",
    ),
    ("empty-string", {"str": ""}, b"0:", "The empty string is encoded."),
    ("string", {"str": "7370616d"}, b"4:spam", "A string is encoded."),
    (
        "bytes",
        {"str": "00ff80"},
        b"3:\x00\xff\x80",
        "A string of bytes that are not text is encoded.",
    ),
    ("empty-list", {"list": []}, b"le", "The empty list is encoded."),
    ("empty-dict", {"dict": []}, b"de", "The empty dict is encoded."),
    (
        "list-order-kept",
        {"list": [{"int": "2"}, {"str": "61"}, {"int": "1"}]},
        b"li2e1:ai1ee",
        "A list keeps its order.",
    ),
    (
        "dict-sorted",
        {"dict": [["62", {"int": "1"}], ["6161", {"int": "2"}], ["61", {"int": "3"}]]},
        b"d1:ai3e2:aai2e1:bi1ee",
        "The keys of a dict are encoded in ascending order, whatever order they are given in.",
    ),
    (
        "dict-sorted-by-unsigned-bytes",
        {"dict": [["ff", {"str": ""}], ["7f", {"str": ""}], ["", {"str": ""}]]},
        b"d0:0:1:\x7f0:1:\xff0:e",
        "Bytes of keys compare as unsigned numbers; the empty key comes first.",
    ),
    (
        "nested",
        {"dict": [["6c", {"list": [{"dict": [["78", {"list": []}]]}, {"list": []}]}]]},
        b"d1:lld1:xleeleee",
        "Nested lists and dicts are encoded.",
    ),
)

READ_BACK: Final = {
    "bytes": "a string of bytes",
    "nested": "nested lists and dicts",
    "list-order-kept": "a list",
}


def topic() -> Topic:
    """Return drafts: each value has one canonical form."""
    return Topic(
        "encode",
        "Encoding typed trees: one canonical form for every value. `decode` reads it back.",
        (
            *(
                accepted(
                    "config-merge/encode",
                    name,
                    summary,
                    "CM-BT-ENCODE",
                    given={"value": tree},
                    output={"encoded": encoded.hex()},
                )
                for name, tree, encoded, summary in ENCODED
            ),
            *(
                accepted(
                    "config-merge/decode",
                    f"read-back-{name}",
                    f"The encoding of {what} is decoded to the same value.",
                    "CM-BT-ENCODE",
                    given={"encoded": encoded.hex()},
                    output={"value": tree},
                )
                for name, tree, encoded, _ in ENCODED
                for what in (READ_BACK.get(name),)
                if what is not None
            ),
            *(
                refused(
                    "config-merge/encode",
                    name,
                    summary,
                    "CM-BT-ENCODE CM-BT-ENCODE-REFUSED CM-BT-INT-RANGE",
                    given={"value": {"int": str(value)}},
                    mended={"value": {"int": str(nearest)}},
                )
                for name, value, nearest, summary in (
                    ("too-large", 2**63, 2**63 - 1, "The integer 2^63 is refused."),
                    ("too-small", -(2**63) - 1, -(2**63), "The integer -2^63 - 1 is refused."),
                )
            ),
        ),
    )
