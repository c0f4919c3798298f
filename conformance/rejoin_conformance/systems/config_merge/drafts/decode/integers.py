"""Integers in bt-encoding."""

from __future__ import annotations

from typing import Final

from rejoin_conformance.contract.drafting import accepted, refused
from rejoin_conformance.contract.vector import Draft
from rejoin_conformance.kit.json_types import JsonObject
from rejoin_conformance.systems.config_merge.drafts.by_hand.drafts import DOCUMENT, LIBSESSION

DECODE: Final = "config-merge/decode"

ACCEPTED: Final = (
    ("integer-zero", 0, "Zero is i0e."),
    ("integer-one", 1, "An integer may be positive."),
    ("integer-minus-one", -1, "An integer may be negative."),
    ("integer-inner-zeros", 1001000, "Zeros after the first digit are allowed."),
    ("integer-beyond-32-bits", 2**32, "An integer may have more than 32 bits."),
    ("integer-beyond-doubles", 2**53 + 1, "An integer may be one that a 64-bit float cannot hold."),
    (
        "integer-below-doubles",
        -(2**53) - 1,
        "A negative integer may be one that a 64-bit float cannot hold.",
    ),
    ("integer-largest", 2**63 - 1, "The largest signed 64-bit integer is accepted."),
    ("integer-smallest", -(2**63), "The smallest signed 64-bit integer is accepted."),
)

MALFORMED: Final = (
    ("integer-without-digits", "ie", "i0e", "An integer without digits is refused."),
    ("integer-minus-only", "i-e", "i-1e", "A minus without a digit is refused."),
    ("integer-two-minuses", "i--1e", "i-1e", "Two minuses are refused."),
    ("integer-minus-behind", "i1-e", "i1e", "A minus after the digits is refused."),
    ("integer-plus", "i+1e", "i1e", "A plus is refused."),
    ("integer-space-in-front", "i 1e", "i1e", "A space before the digits is refused."),
    ("integer-space-behind", "i1 e", "i1e", "A space after the digits is refused."),
    ("integer-underscore", "i1_000e", "i1000e", "Grouped digits are refused."),
    ("integer-fraction", "i1.0e", "i1e", "A fraction is refused."),
    ("integer-hexadecimal", "i0x1fe", "i31e", "Hexadecimal digits are refused."),
    (
        "integer-other-digits",
        "i\u0661e",
        "i1e",
        "Digits other than the bytes 0x30 to 0x39 are refused.",
    ),
)

NOT_CANONICAL: Final = (
    ("leading-zero", "i007e", 7, "An integer with leading zeros: refused, or read without them."),
    ("double-zero", "i00e", 0, "Zero with two digits: refused, or read as zero."),
    ("minus-zero", "i-0e", 0, "Zero with a minus: refused, or read as zero."),
    (
        "leading-zero-negative",
        "i-01e",
        -1,
        "A negative integer with a leading zero: refused, or read without it.",
    ),
)

BEYOND: Final = (
    ("integer-too-large", 2**63, "The integer 2^63 is refused."),
    ("integer-too-small", -(2**63) - 1, "The integer -2^63 - 1 is refused."),
    ("integer-largest-unsigned", 2**64 - 1, "The integer 2^64 - 1, -1 in 64 bits, is refused."),
    ("integer-wraps-to-one", 2**64 + 1, "The integer 2^64 + 1, 1 modulo 2^64, is refused."),
    (
        "integer-wraps-to-minus-one",
        -(2**64) - 1,
        "The integer -2^64 - 1, -1 modulo 2^64, is refused.",
    ),
    ("integer-of-twenty-digits", 21 * 10**18, "An integer of 20 digits is refused."),
)


def drafts() -> tuple[Draft, ...]:
    """Integers: their form, the one way to write each, and their range."""
    at_once = "CM-BT-INT-RANGE CM-SECURITY-REFUSE-AT-ONCE"
    return (
        *(
            accepted(
                DECODE,
                name,
                summary,
                "CM-BT-INT CM-BT-INT-RANGE" if abs(value) > 2**52 else "CM-BT-INT",
                given=given(f"i{value}e"),
                output=decoded(value),
            )
            for name, value, summary in ACCEPTED
        ),
        *(
            _refused(name, summary, "CM-BT-INT", bad, good)
            for name, bad, good, summary in MALFORMED
        ),
        *(
            refused(
                DECODE,
                name,
                summary,
                "CM-BT-INT-CANONICAL",
                given=given(lax),
                mended=given(f"i{value}e"),
                by=DOCUMENT,
                otherwise={LIBSESSION: decoded(value)},
            )
            for name, lax, value, summary in NOT_CANONICAL
        ),
        *(
            _refused(name, summary, at_once, f"i{value}e", "i1e" if value > 0 else "i-1e")
            for name, value, summary in BEYOND
        ),
        _refused(
            "integer-of-five-thousand-digits",
            "An integer of 5,000 digits is refused without being converted.",
            at_once,
            "i" + "9" * 5000 + "e",
            "i9e",
        ),
        _refused(
            "integer-not-closed",
            "Input that ends inside an integer is refused.",
            "CM-BT-TRUNCATED",
            "i12",
            "i12e",
        ),
        _refused(
            "integer-ends-behind-i",
            "Input that ends after the i is refused.",
            "CM-BT-TRUNCATED",
            "i",
            "i0e",
        ),
    )


def _refused(name: str, summary: str, clauses: str, bad: str, good: str) -> Draft:
    return refused(DECODE, name, summary, clauses, given=given(bad), mended=given(good))


def given(encoded: str) -> JsonObject:
    """Return the input of `decode`."""
    return {"encoded": encoded.encode().hex()}


def decoded(value: int) -> JsonObject:
    """Return the output of `decode` for an integer."""
    return {"value": {"int": str(value)}}
