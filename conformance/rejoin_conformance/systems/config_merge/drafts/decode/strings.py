"""Strings in bt-encoding."""

from __future__ import annotations

from typing import Final

from rejoin_conformance.contract.drafting import accepted, refused
from rejoin_conformance.contract.vector import Draft
from rejoin_conformance.systems.config_merge.drafts.by_hand.bt import bt
from rejoin_conformance.systems.config_merge.drafts.by_hand.drafts import DOCUMENT, LIBSESSION

DECODE: Final = "config-merge/decode"

ACCEPTED: Final = (
    ("string-empty", b"", "The empty string is 0:."),
    ("string-of-one-byte", b"a", "A string may have 1 byte."),
    ("string-of-nine-bytes", b"123456789", "A length may be the largest of 1 digit."),
    ("string-of-ninety-bytes", b"123456789 " * 9, "A length of 2 digits may begin with 9."),
    ("string-two-digit-length", b"0123456789ab", "A length may have 2 digits."),
    ("string-zero-byte", b"\x00", "A string may hold a zero byte."),
    ("string-not-utf-8", b"\xff\xfe\xc3\x28", "Bytes that are not UTF-8 are kept."),
    ("string-two-byte-letter", b"\xc3\xa9", "A length counts bytes, not letters."),
    ("string-like-bt", b"i1e2:ab", "Encoded values inside a string are not decoded."),
    ("string-line-ends", b"\r\n\n", "Line ends are not converted."),
)

MALFORMED: Final = (
    ("length-missing", b":a", "A string without a length is refused."),
    ("length-without-colon", b"1a", "A length without a colon is refused."),
    ("length-with-letter", b"1x:a", "A letter in a length is refused."),
    ("length-with-space-in-front", b" 1:a", "A space before a length is refused."),
    ("length-with-space-behind", b"1 :a", "A space after a length is refused."),
)

SIGNED: Final = (
    ("length-with-minus", b"-1:a", "A length with a minus is refused."),
    ("length-with-plus", b"+1:a", "A length with a plus is refused."),
)

TRUNCATED: Final = (
    ("string-one-byte-short", b"4:spa", b"3:spa", "A string that lacks 1 byte is refused."),
    ("length-only", b"4", b"0:", "Input that ends inside a length is refused."),
    ("nothing-behind-colon", b"4:", b"0:", "Input that ends after the colon is refused."),
    ("length-wraps-32-bits", b"4294967297:a", b"1:a", "A length that is 1 modulo 2^32 is refused."),
    ("length-of-4-gib", b"4294967295:a", b"1:a", "A length of 4 GiB is refused, not allocated."),
    (
        "length-of-int64-max",
        b"9223372036854775807:a",
        b"1:a",
        "A length that overflows when the position is added is refused.",
    ),
    (
        "length-of-uint64-max",
        b"18446744073709551615:a",
        b"1:a",
        "A length that is -1 modulo 2^64 is refused.",
    ),
    (
        "length-wraps-64-bits",
        b"18446744073709551617:a",
        b"1:a",
        "A length that is 1 modulo 2^64 is refused.",
    ),
    ("length-of-5000-digits", b"1" * 5000 + b":a", b"1:a", "A length of 5,000 digits is refused."),
)

NOT_CANONICAL: Final = (
    (
        "length-with-leading-zero",
        b"03:abc",
        b"abc",
        "A length with a leading zero: refused, or read without it.",
    ),
    ("length-of-two-zeros", b"00:", b"", "A length of two zeros: refused, or read as zero."),
)


def drafts() -> tuple[Draft, ...]:
    """Strings: a length, a colon, and that many bytes of any value."""
    at_once = "CM-BT-STRING CM-BT-TRUNCATED CM-SECURITY-REFUSE-AT-ONCE"
    return (
        *(
            accepted(
                DECODE,
                name,
                summary,
                "CM-BT-STRING",
                given={"encoded": bt(string).hex()},
                output={"value": {"str": string.hex()}},
            )
            for name, string, summary in ACCEPTED
        ),
        *(_refused(name, summary, "CM-BT-STRING", bad, b"1:a") for name, bad, summary in MALFORMED),
        *(
            _refused(name, summary, "CM-BT-STRING-CANONICAL", bad, b"1:a")
            for name, bad, summary in SIGNED
        ),
        *(_refused(name, summary, at_once, bad, good) for name, bad, good, summary in TRUNCATED),
        *(
            refused(
                DECODE,
                name,
                summary,
                "CM-BT-STRING-CANONICAL",
                given={"encoded": lax.hex()},
                mended={"encoded": bt(string).hex()},
                by=DOCUMENT,
                otherwise={LIBSESSION: {"value": {"str": string.hex()}}},
            )
            for name, lax, string, summary in NOT_CANONICAL
        ),
    )


def _refused(name: str, summary: str, clauses: str, bad: bytes, good: bytes) -> Draft:
    return refused(
        DECODE,
        name,
        summary,
        clauses,
        given={"encoded": bad.hex()},
        mended={"encoded": good.hex()},
    )
