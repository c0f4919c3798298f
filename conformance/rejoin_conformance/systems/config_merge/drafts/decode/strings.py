"""Strings in bt-encoding."""

from __future__ import annotations

from rejoin_conformance.contract.vector import Draft
from rejoin_conformance.systems.config_merge.drafts.by_hand.bt import bt
from rejoin_conformance.systems.config_merge.drafts.by_hand.drafts import accepted, refused

ACCEPTED = (
    ("string-empty", b"", "The empty string is 0:"),
    ("string-of-one-byte", b"a", "A string of one byte"),
    ("string-of-nine-bytes", b"123456789", "A length of one digit, the largest"),
    ("string-of-ninety-bytes", b"123456789 " * 9, "A length of two digits, the first of them 9"),
    ("string-two-digit-length", b"0123456789ab", "A length of two digits"),
    ("string-zero-byte", b"\x00", "A zero byte is a byte like others"),
    ("string-not-utf-8", b"\xff\xfe\xc3\x28", "Bytes that are not UTF-8 are kept"),
    ("string-two-byte-letter", b"\xc3\xa9", "A length counts bytes, not letters"),
    ("string-like-bt", b"i1e2:ab", "What is inside a string is not looked at"),
    ("string-line-ends", b"\r\n\n", "Line ends are not converted"),
)

MALFORMED = (
    ("length-missing", b":a", "A length has at least one digit"),
    ("length-without-colon", b"1a", "A colon follows the length"),
    ("length-with-letter", b"1x:a", "A letter in the length"),
    ("length-with-space-in-front", b" 1:a", "A space in front of the length"),
    ("length-with-space-behind", b"1 :a", "A space behind the length"),
)

SIGNED = (
    ("length-with-minus", b"-1:a", "A length has no minus"),
    ("length-with-plus", b"+1:a", "A length has no plus"),
)

TRUNCATED = (
    ("string-one-byte-short", b"4:spa", b"3:spa", "A string of which one byte is missing"),
    ("length-only", b"4", b"0:", "The input ends inside a length"),
    ("nothing-behind-colon", b"4:", b"0:", "The input ends behind the colon"),
    ("length-wraps-32-bits", b"4294967297:a", b"1:a", "A length that is 1 modulo 2^32"),
    ("length-of-4-gib", b"4294967295:a", b"1:a", "Memory is not set aside for what is announced"),
    ("length-of-int64-max", b"9223372036854775807:a", b"1:a", "Position plus length overflows"),
    ("length-of-uint64-max", b"18446744073709551615:a", b"1:a", "A length that is -1 modulo 2^64"),
    ("length-wraps-64-bits", b"18446744073709551617:a", b"1:a", "A length that is 1 modulo 2^64"),
    ("length-of-5000-digits", b"1" * 5000 + b":a", b"1:a", "A length of 5,000 digits"),
)

NOT_CANONICAL = (
    ("length-with-leading-zero", b"03:abc", b"abc", "A length has no leading zeros"),
    ("length-of-two-zeros", b"00:", b"", "The length 0 is one digit"),
)


def drafts() -> tuple[Draft, ...]:
    """Strings: a length, a colon, and that many bytes of any value."""
    return (
        *(
            accepted(
                name,
                "decode",
                summary,
                "CM-BT-STRING",
                {"encoded": bt(string).hex()},
                {"value": {"str": string.hex()}},
            )
            for name, string, summary in ACCEPTED
        ),
        *(
            refused(
                name,
                "decode",
                summary,
                clauses,
                {"encoded": bad.hex()},
                {"encoded": b"1:a".hex()},
            )
            for clauses, table in (
                ("CM-BT-STRING", MALFORMED),
                ("CM-BT-STRING-CANONICAL", SIGNED),
            )
            for name, bad, summary in table
        ),
        *(
            refused(
                name,
                "decode",
                summary,
                "CM-BT-STRING CM-BT-TRUNCATED CM-SECURITY-REFUSE-AT-ONCE",
                {"encoded": bad.hex()},
                {"encoded": good.hex()},
            )
            for name, bad, good, summary in TRUNCATED
        ),
        *(
            refused(
                name,
                "decode",
                summary,
                "CM-BT-STRING-CANONICAL",
                {"encoded": lax.hex()},
                {"encoded": bt(string).hex()},
                libsession={"value": {"str": string.hex()}},
            )
            for name, lax, string, summary in NOT_CANONICAL
        ),
    )
