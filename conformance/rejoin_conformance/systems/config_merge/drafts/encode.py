"""Encoding typed trees."""

from __future__ import annotations

from rejoin_conformance.contract.vector import Topic
from rejoin_conformance.kit.json_types import JsonObject
from rejoin_conformance.systems.config_merge.drafts.by_hand.drafts import accepted, refused

ENCODED: tuple[tuple[str, JsonObject, bytes, str], ...] = (
    ("zero", {"int": "0"}, b"i0e", "Zero"),
    ("negative", {"int": "-42"}, b"i-42e", "A negative integer"),
    ("largest", {"int": str(2**63 - 1)}, b"i9223372036854775807e", "The largest integer"),
    ("smallest", {"int": str(-(2**63))}, b"i-9223372036854775808e", "The smallest integer"),
    ("empty-string", {"str": ""}, b"0:", "The empty string"),
    ("string", {"str": "7370616d"}, b"4:spam", "A string"),
    ("bytes", {"str": "00ff80"}, b"3:\x00\xff\x80", "A string of bytes that are no text"),
    ("empty-list", {"list": []}, b"le", "The empty list"),
    ("empty-dict", {"dict": []}, b"de", "The empty dict"),
    (
        "list-order-kept",
        {"list": [{"int": "2"}, {"str": "61"}, {"int": "1"}]},
        b"li2e1:ai1ee",
        "A list keeps its order",
    ),
    (
        "dict-sorted",
        {"dict": [["62", {"int": "1"}], ["6161", {"int": "2"}], ["61", {"int": "3"}]]},
        b"d1:ai3e2:aai2e1:bi1ee",
        "The keys of a dict are written in ascending order, whatever order they come in",
    ),
    (
        "dict-sorted-by-unsigned-bytes",
        {"dict": [["ff", {"str": ""}], ["7f", {"str": ""}], ["", {"str": ""}]]},
        b"d0:0:1:\x7f0:1:\xff0:e",
        "Bytes of keys compare as unsigned numbers; the empty key comes first",
    ),
    (
        "nested",
        {"dict": [["6c", {"list": [{"dict": [["78", {"list": []}]]}, {"list": []}]}]]},
        b"d1:lld1:xleeleee",
        "Lists and dicts in one another",
    ),
)


def topic() -> Topic:
    """One canonical form for every value."""
    return Topic(
        "encode",
        "Encoding typed trees: one canonical form for every value. `decode` reads it back.",
        (
            *(
                accepted(
                    name,
                    "encode",
                    summary,
                    "CM-BT-ENCODE",
                    {"value": tree},
                    {"encoded": encoded.hex()},
                )
                for name, tree, encoded, summary in ENCODED
            ),
            *(
                accepted(
                    f"read-back-{name}",
                    "decode",
                    f"{summary}: what was encoded is read back",
                    "CM-BT-ENCODE",
                    {"encoded": encoded.hex()},
                    {"value": tree},
                )
                for name, tree, encoded, summary in ENCODED
                if name in {"bytes", "nested", "list-order-kept"}
            ),
            *(
                refused(
                    name,
                    "encode",
                    summary,
                    "CM-BT-ENCODE CM-BT-INT-RANGE",
                    {"value": {"int": str(value)}},
                    {"value": {"int": str(nearest)}},
                )
                for name, value, nearest, summary in (
                    ("too-large", 2**63, 2**63 - 1, "2^63 cannot be written"),
                    ("too-small", -(2**63) - 1, -(2**63), "-2^63 - 1 cannot be written"),
                )
            ),
        ),
    )
