"""Integers in bt-encoding."""

from __future__ import annotations

from rejoin_conformance.contract.vector import Draft
from rejoin_conformance.kit.json_types import JsonObject
from rejoin_conformance.systems.config_merge.drafts.by_hand.drafts import accepted, refused

ACCEPTED = (
    ("integer-zero", 0, "Zero is i0e"),
    ("integer-one", 1, "A positive integer"),
    ("integer-minus-one", -1, "A negative integer"),
    ("integer-inner-zeros", 1001000, "Zeros after the first digit are digits like others"),
    ("integer-beyond-32-bits", 2**32, "An integer of more than 32 bits"),
    ("integer-beyond-doubles", 2**53 + 1, "An integer that a 64-bit float cannot hold"),
    ("integer-below-doubles", -(2**53) - 1, "A negative integer that a float cannot hold"),
    ("integer-largest", 2**63 - 1, "The largest signed 64-bit integer"),
    ("integer-smallest", -(2**63), "The smallest signed 64-bit integer"),
)

MALFORMED = (
    ("integer-without-digits", "ie", "i0e", "An integer has at least one digit"),
    ("integer-minus-only", "i-e", "i-1e", "A minus needs a digit behind it"),
    ("integer-two-minuses", "i--1e", "i-1e", "There is one minus at most"),
    ("integer-minus-behind", "i1-e", "i1e", "The minus stands in front"),
    ("integer-plus", "i+1e", "i1e", "There is no plus sign"),
    ("integer-space-in-front", "i 1e", "i1e", "A space in front of the digits"),
    ("integer-space-behind", "i1 e", "i1e", "A space behind the digits"),
    ("integer-underscore", "i1_000e", "i1000e", "Digits are not grouped"),
    ("integer-fraction", "i1.0e", "i1e", "There are no fractions"),
    ("integer-hexadecimal", "i0x1fe", "i31e", "Digits are decimal"),
    ("integer-other-digits", "i\u0661e", "i1e", "Only the bytes 0x30 to 0x39 are digits"),
)

NOT_CANONICAL = (
    ("leading-zero", "i007e", 7, "An integer has no leading zeros"),
    ("double-zero", "i00e", 0, "Zero is one digit"),
    ("minus-zero", "i-0e", 0, "Zero has no sign"),
    ("leading-zero-negative", "i-01e", -1, "A negative integer has no leading zeros"),
)

BEYOND = (
    ("integer-too-large", 2**63, "One above the largest signed 64-bit integer"),
    ("integer-too-small", -(2**63) - 1, "One below the smallest signed 64-bit integer"),
    ("integer-largest-unsigned", 2**64 - 1, "2^64 - 1 is -1 in 64 bits to the careless"),
    ("integer-wraps-to-one", 2**64 + 1, "2^64 + 1 is 1 modulo 2^64"),
    ("integer-wraps-to-minus-one", -(2**64) - 1, "-2^64 - 1 is -1 modulo 2^64"),
    ("integer-of-twenty-digits", 21 * 10**18, "An integer that fits in no kind of 64 bits"),
)


def drafts() -> tuple[Draft, ...]:
    """Integers: their form, the one way to write each, and their range."""
    return (
        *(
            accepted(
                name,
                "decode",
                summary,
                "CM-BT-INT CM-BT-INT-RANGE" if abs(value) > 2**52 else "CM-BT-INT",
                given(f"i{value}e"),
                decoded(value),
            )
            for name, value, summary in ACCEPTED
        ),
        *(
            refused(name, "decode", summary, "CM-BT-INT", given(bad), given(good))
            for name, bad, good, summary in MALFORMED
        ),
        *(
            refused(
                name,
                "decode",
                summary,
                "CM-BT-INT-CANONICAL",
                given(lax),
                given(f"i{value}e"),
                libsession=decoded(value),
            )
            for name, lax, value, summary in NOT_CANONICAL
        ),
        *(
            refused(
                name,
                "decode",
                summary,
                "CM-BT-INT-RANGE CM-SECURITY-REFUSE-AT-ONCE",
                given(f"i{value}e"),
                given("i1e" if value > 0 else "i-1e"),
            )
            for name, value, summary in BEYOND
        ),
        refused(
            "integer-of-five-thousand-digits",
            "decode",
            "An integer of 5,000 digits is refused without being converted",
            "CM-BT-INT-RANGE CM-SECURITY-REFUSE-AT-ONCE",
            given("i" + "9" * 5000 + "e"),
            given("i9e"),
        ),
        refused(
            "integer-not-closed",
            "decode",
            "The input ends inside an integer",
            "CM-BT-TRUNCATED",
            given("i12"),
            given("i12e"),
        ),
        refused(
            "integer-ends-behind-i",
            "decode",
            "The input ends behind the i",
            "CM-BT-TRUNCATED",
            given("i"),
            given("i0e"),
        ),
    )


def given(encoded: str) -> JsonObject:
    """The input of `decode`."""
    return {"encoded": encoded.encode().hex()}


def decoded(value: int) -> JsonObject:
    """The output of `decode` for an integer."""
    return {"value": {"int": str(value)}}
