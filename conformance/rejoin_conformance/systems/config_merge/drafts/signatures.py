"""Signatures that are computed, and signed bytes that are not a message."""

from __future__ import annotations

import hashlib
from typing import Final

from rejoin_conformance.contract.drafting import accepted, refused
from rejoin_conformance.contract.vector import Draft, Topic
from rejoin_conformance.kit.json_types import JsonObject
from rejoin_conformance.systems.config_merge.drafts.by_hand.bt import bt
from rejoin_conformance.systems.config_merge.drafts.by_hand.drafts import (
    DOCUMENT,
    LIBSESSION,
    parsed,
)
from rejoin_conformance.systems.config_merge.drafts.by_hand.keys import (
    PUBLIC,
    SEED,
    signature,
    unreduced,
)
from rejoin_conformance.systems.config_merge.drafts.by_hand.messages import Message

PARSE: Final = "config-merge/parse"
SIGN: Final = "config-merge/sign"
VERIFY: Final = "config-merge/verify"

UNSIGNED: Final = Message(seqno=7, data={"a": 1}, diff={"a": ""})
SIGNED: Final = Message(seqno=7, data={"a": 1}, diff={"a": ""}, seed=SEED)
GARBAGE: Final = Message(seqno=7, data={"a": 1}, diff={"a": ""}, others={"~": bytes(range(64))})
SPAN: Final = UNSIGNED.encoded[:-1]
NOT_CANONICAL: Final = SPAN.replace(b"i7e", b"i007e")
"""The signed bytes of the message, with leading zeros in its seqno."""
MISPLACED: Final = b"d1:#i7e1:&d1:ai1ee1:<le1:~" + bt(bytes(64)) + b"1:=d1:a0:ee"
OF_ANOTHER: Final = signature(SEED, Message(seqno=8, data={"a": 1}, diff={"a": ""}).encoded[:-1])

INVALID: Final = (
    (
        "verify-of-another-message",
        "A signature of another message is not valid.",
        "CM-SIGN-VERIFY CM-SIGN-SPAN",
        OF_ANOTHER,
    ),
    (
        "verify-span-with-final-e",
        "A signature of the whole unsigned message, including its final e, is not valid.",
        "CM-SIGN-SPAN",
        signature(SEED, UNSIGNED.encoded),
    ),
    (
        "verify-span-with-key",
        "A signature that covers its own key and length is not valid.",
        "CM-SIGN-SPAN",
        signature(SEED, SPAN + b"1:~64:"),
    ),
    (
        "verify-of-the-hash",
        "A signature of the hash of the span is not valid.",
        "CM-SIGN-ALGORITHM CM-SIGN-SPAN",
        signature(SEED, hashlib.blake2b(SPAN, digest_size=32).digest()),
    ),
    (
        "scalar-not-reduced",
        "A good signature with the group order added to its scalar is not valid.",
        "CM-SIGN-CANONICAL",
        unreduced(signature(SEED, SPAN)),
    ),
)

NEUTRAL_SIGNED: Final = (1).to_bytes(32, "little") + bytes(32)
"""The neutral point and the scalar 0: they satisfy the equation for a key of order 1."""

BAD_KEYS: Final = (
    (
        "verify-key-not-reduced",
        "A verify key whose coordinate is not below 2^255 - 19 verifies nothing.",
        2**255 - 19 + 1,
    ),
    (
        "verify-key-not-a-point",
        "A verify key whose coordinate is not that of a point verifies nothing.",
        2,
    ),
)
"""Public keys as numbers. RFC 8032 (5.1.3) decodes none of them."""


def topic() -> Topic:
    """Signing, verifying and parsing."""
    return Topic("signatures", "", (*_signing(), *_verifying(), *_parsing()))


def with_signature(value: bytes) -> bytes:
    """Return the message with these bytes under `~`."""
    return SPAN + b"1:~" + bt(value) + b"e"


def _padded(zeros: int, value: bytes) -> bytes:
    """Return the message with these bytes under `~`, a key with leading zeros in its length."""
    return SPAN + b"0" * zeros + b"1:~" + bt(value) + b"e"


def _signing() -> tuple[Draft, ...]:
    signed = NOT_CANONICAL + b"1:~64:" + signature(SEED, NOT_CANONICAL) + b"e"
    no_seqno = bt({"&": {}, "<": [], "=": {}})
    return (
        refused(
            SIGN,
            "sign-not-canonical",
            "A message that is not canonical: refused, or signed as it is.",
            "CM-SIGN-REPLACE CM-BT-INT-CANONICAL",
            given=_to_sign(NOT_CANONICAL + b"e"),
            mended=_to_sign(UNSIGNED.encoded),
            by=DOCUMENT,
            otherwise={LIBSESSION: {"message": signed.hex()}},
        ),
        refused(
            SIGN,
            "sign-with-bytes-after",
            "A message with trailing bytes: refused, or signed without them.",
            "CM-SIGN-REPLACE CM-BT-NO-TRAILING",
            given=_to_sign(UNSIGNED.encoded + b"after"),
            mended=_to_sign(UNSIGNED.encoded),
            by=DOCUMENT,
            otherwise={LIBSESSION: {"message": SIGNED.hex}},
        ),
        refused(
            SIGN,
            "sign-malformed",
            "A message without its final e cannot be signed.",
            "CM-SIGN-VERIFY CM-BT-TRUNCATED",
            given=_to_sign(SPAN),
            mended=_to_sign(UNSIGNED.encoded),
        ),
        refused(
            SIGN,
            "sign-without-seqno",
            "A message without a seqno cannot be signed.",
            "CM-OUTER-SEQNO",
            given=_to_sign(no_seqno),
            mended=_to_sign(bt({"#": 1, "&": {}, "<": [], "=": {}})),
        ),
        refused(
            SIGN,
            "sign-key-with-leading-zeros",
            "A key ~ with leading zeros: refused, or its zeros are signed with the body.",
            "CM-SIGN-SPAN CM-SIGN-REPLACE CM-BT-STRING-CANONICAL",
            given=_to_sign(_padded(2, bytes(64))),
            mended=_to_sign(with_signature(bytes(64))),
            by=DOCUMENT,
            otherwise={LIBSESSION: {"message": _padded(2, signature(SEED, SPAN + b"00")).hex()}},
        ),
    )


def _verifying() -> tuple[Draft, ...]:
    return (
        *(
            accepted(
                VERIFY,
                name,
                summary,
                clauses,
                given=_to_verify(with_signature(value)),
                output={"valid": False},
            )
            for name, summary, clauses, value in INVALID
        ),
        *(
            accepted(
                VERIFY,
                name,
                summary,
                "CM-SIGN-ALGORITHM CM-SIGN-VERIFY",
                given={
                    "message": with_signature(NEUTRAL_SIGNED).hex(),
                    "verify_key": key.to_bytes(32, "little").hex(),
                },
                output={"valid": False},
            )
            for name, summary, key in BAD_KEYS
        ),
        refused(
            VERIFY,
            "verify-malformed",
            "A message without its final e is refused, not reported as unsigned.",
            "CM-SIGN-VERIFY",
            given=_to_verify(SIGNED.encoded[:-1]),
            mended=_to_verify(SIGNED.encoded),
        ),
        *(
            refused(
                VERIFY,
                name,
                f"A signature {covers}: the message is refused, or the signature is {verdict}.",
                "CM-SIGN-SPAN CM-SIGN-VERIFY CM-BT-STRING-CANONICAL",
                given=_to_verify(_padded(zeros, signature(SEED, SPAN + span))),
                mended=_to_verify(SIGNED.encoded),
                by=DOCUMENT,
                otherwise={LIBSESSION: {"valid": verdict == "valid"}},
            )
            for name, zeros, span, covers, verdict in (
                (
                    "verify-leading-zero-signed",
                    1,
                    b"0",
                    "that covers the leading zero of the key ~",
                    "valid",
                ),
                (
                    "verify-leading-zero-not-signed",
                    1,
                    b"",
                    "that does not cover the leading zero of the key ~",
                    "not valid",
                ),
                (
                    "verify-first-of-two-zeros-signed",
                    2,
                    b"0",
                    "that covers one of two leading zeros of the key ~",
                    "not valid",
                ),
            )
        ),
    )


def _parsing() -> tuple[Draft, ...]:
    other_scalar = with_signature(unreduced(signature(SEED, SPAN)))
    return (
        accepted(
            PARSE,
            "bad-signature-not-required",
            "If no signature is required, a signature of 64 bytes is not verified.",
            "CM-SIGN-NOT-REQUIRED CM-SIGN-CONTEXT",
            given={"message": GARBAGE.hex},
            output=parsed(GARBAGE),
        ),
        refused(
            PARSE,
            "required-and-bad",
            "A message whose required signature does not verify is refused.",
            "CM-SIGN-REQUIRED",
            given=_to_verify(GARBAGE.encoded),
            mended=_to_verify(SIGNED.encoded),
        ),
        refused(
            PARSE,
            "required-scalar-not-reduced",
            "A required signature whose scalar is not reduced is refused.",
            "CM-SIGN-REQUIRED CM-SIGN-CANONICAL",
            given=_to_verify(other_scalar),
            mended=_to_verify(SIGNED.encoded),
        ),
        refused(
            PARSE,
            "signature-before-the-diff",
            "A signature that is not the last key is refused.",
            "CM-SIGN-LAST CM-BT-DICT-ORDER",
            given={"message": MISPLACED.hex()},
            mended={"message": with_signature(bytes(64)).hex()},
        ),
    )


def _to_sign(message: bytes) -> JsonObject:
    return {"message": message.hex(), "signing_key": SEED.hex()}


def _to_verify(message: bytes) -> JsonObject:
    return {"message": message.hex(), "verify_key": PUBLIC.hex()}
