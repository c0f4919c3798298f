"""Signing and verifying one message."""

from __future__ import annotations

import hashlib
from typing import Final

from rejoin_conformance.contract.vector import Draft
from rejoin_conformance.systems.config_merge.drafts.by_hand.bt import bt
from rejoin_conformance.systems.config_merge.drafts.by_hand.drafts import (
    accepted,
    made,
    refused,
)
from rejoin_conformance.systems.config_merge.drafts.by_hand.keys import (
    PUBLIC,
    PUBLIC_2,
    SEED,
    signature,
)
from rejoin_conformance.systems.config_merge.drafts.by_hand.messages import Data, Message
from rejoin_conformance.systems.config_merge.drafts.signatures.signed import (
    SIGNED,
    SIGNED_BY_OTHER,
    SPAN,
    UNSIGNED,
    other_scalar,
    signing,
    verifying,
    with_signature,
)


def _signs(name: str, summary: str, clauses: str, message: Message, signed: Message) -> Draft:
    return accepted(name, "sign", summary, clauses, signing(message.encoded), made(signed))


def _signed(span: bytes) -> bytes:
    return span + b"1:~64:" + signature(SEED, span) + b"e"


_NOT_CANONICAL: Final = SPAN.replace(b"i7e", b"i007e")
"""The signed bytes of the message, with its seqno written with zeros in front."""

UNKNOWN: Final[Data] = {"+": {"b": [2, 1]}, "A": "later", "}": 0}

SIGN: Final = (
    _signs(
        "sign-unsigned",
        "The signature covers all but itself and the final e, and becomes the last key",
        "CM-SIGN-SPAN CM-SIGN-ALGORITHM CM-SIGN-LAST CM-SIGN-LENGTH",
        UNSIGNED,
        SIGNED,
    ),
    _signs(
        "sign-again",
        "Signing is deterministic: the same signature replaces itself",
        "CM-SIGN-REPLACE CM-SIGN-ALGORITHM",
        SIGNED,
        SIGNED,
    ),
    _signs(
        "sign-over-another",
        "The signature of somebody else is replaced",
        "CM-SIGN-REPLACE CM-SIGN-SPAN",
        SIGNED_BY_OTHER,
        SIGNED,
    ),
    _signs(
        "sign-empty-message",
        "A message without data, rows and changes",
        "CM-SIGN-SPAN",
        Message(seqno=0),
        Message(seqno=0, seed=SEED),
    ),
    _signs(
        "sign-with-unknown-keys",
        "Unknown keys before the signature are covered by it",
        "CM-SIGN-SPAN CM-SIGN-LAST",
        Message(seqno=1, others=UNKNOWN),
        Message(seqno=1, others=UNKNOWN, seed=SEED),
    ),
    refused(
        "sign-not-canonical",
        "sign",
        "What is accepted although it is not canonical is signed as it is",
        "CM-SIGN-REPLACE CM-BT-INT-CANONICAL",
        signing(_NOT_CANONICAL + b"e"),
        signing(UNSIGNED.encoded),
        libsession={"message": _signed(_NOT_CANONICAL).hex()},
    ),
    refused(
        "sign-with-bytes-after",
        "sign",
        "Bytes after the final e are no part of what is signed",
        "CM-SIGN-REPLACE CM-BT-NO-TRAILING",
        signing(UNSIGNED.encoded + b"after"),
        signing(UNSIGNED.encoded),
        libsession=made(SIGNED),
    ),
    refused(
        "sign-malformed",
        "sign",
        "A message without its final e is not signed",
        "CM-SIGN-VERIFY CM-BT-TRUNCATED",
        signing(SPAN),
        signing(UNSIGNED.encoded),
    ),
    refused(
        "sign-without-seqno",
        "sign",
        "What is not a valid message is not signed",
        "CM-OUTER-SEQNO",
        signing(bt({"&": {}, "<": [], "=": {}})),
        signing(bt({"#": 1, "&": {}, "<": [], "=": {}})),
    ),
)


def _verifies(
    name: str, summary: str, clauses: str, message: bytes, public: bytes = PUBLIC, *, valid: bool
) -> Draft:
    given = verifying(message, public)
    return accepted(name, "verify", summary, clauses, given, {"valid": valid})


_PAIR_SIGNED: Final = signature(SEED, SPAN + b"1:~64:")
_OF_ANOTHER: Final = signature(SEED, Message(seqno=8, data={"a": 1}, diff={"a": ""}).encoded[:-1])

VERIFY: Final = (
    _verifies(
        "verify-good", "A good signature", "CM-SIGN-VERIFY CM-SIGN-SPAN", SIGNED.encoded, valid=True
    ),
    _verifies("verify-absent", "No signature", "CM-SIGN-VERIFY", UNSIGNED.encoded, valid=False),
    _verifies(
        "verify-other-key",
        "A signature by another key",
        "CM-SIGN-VERIFY",
        SIGNED.encoded,
        PUBLIC_2,
        valid=False,
    ),
    _verifies(
        "verify-of-another-message",
        "A signature that was made for another message",
        "CM-SIGN-VERIFY CM-SIGN-SPAN",
        with_signature(_OF_ANOTHER),
        valid=False,
    ),
    _verifies(
        "verify-zeros",
        "Sixty-four bytes of zeros",
        "CM-SIGN-VERIFY",
        with_signature(bytes(64)),
        valid=False,
    ),
    _verifies(
        "verify-span-with-final-e",
        "A signature over the whole unsigned message, its final e included",
        "CM-SIGN-SPAN",
        with_signature(signature(SEED, UNSIGNED.encoded)),
        valid=False,
    ),
    _verifies(
        "verify-span-with-key",
        "A signature that covers the key and length in front of itself",
        "CM-SIGN-SPAN",
        with_signature(_PAIR_SIGNED),
        valid=False,
    ),
    _verifies(
        "verify-of-the-hash",
        "A signature over the hash of the span instead of the span",
        "CM-SIGN-ALGORITHM CM-SIGN-SPAN",
        with_signature(signature(SEED, hashlib.blake2b(SPAN, digest_size=32).digest())),
        valid=False,
    ),
    _verifies(
        "scalar-not-reduced",
        "A good signature with the group order added to its scalar",
        "CM-SIGN-CANONICAL",
        other_scalar(),
        valid=False,
    ),
    refused(
        "verify-malformed",
        "verify",
        "A message that ends too early is refused, not called unsigned",
        "CM-SIGN-VERIFY",
        verifying(SIGNED.encoded[:-1]),
        verifying(SIGNED.encoded),
    ),
)


def drafts() -> tuple[Draft, ...]:
    """The span, the key, the form of a signature."""
    return (*SIGN, *VERIFY)
