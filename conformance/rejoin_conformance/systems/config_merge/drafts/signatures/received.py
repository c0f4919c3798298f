"""Signatures of messages that are received."""

from __future__ import annotations

from typing import Final

from rejoin_conformance.contract.vector import Draft
from rejoin_conformance.kit.json_types import JsonObject
from rejoin_conformance.systems.config_merge.drafts.by_hand.bt import Raw, bt
from rejoin_conformance.systems.config_merge.drafts.by_hand.drafts import (
    accepted,
    parsed,
    refused,
)
from rejoin_conformance.systems.config_merge.drafts.by_hand.keys import (
    PUBLIC,
)
from rejoin_conformance.systems.config_merge.drafts.by_hand.messages import Message
from rejoin_conformance.systems.config_merge.drafts.signatures.signed import (
    SIGNED,
    SIGNED_BY_OTHER,
    UNSIGNED,
    other_scalar,
    with_signature,
)


def _parsing(message: bytes, *, required: bool) -> JsonObject:
    given: JsonObject = {"message": message.hex()}
    return {**given, "verify_key": PUBLIC.hex()} if required else given


_GARBAGE: Final = Message(seqno=7, data={"a": 1}, diff={"a": ""}, others={"~": bytes(range(64))})
_MISPLACED: Final = b"d1:#i7e1:&d1:ai1ee1:<le1:~" + bt(bytes(64)) + b"1:=d1:a0:ee"

RECEIVED: Final = (
    accepted(
        "required-and-good",
        "parse",
        "A signature is required and good",
        "CM-SIGN-REQUIRED",
        _parsing(SIGNED.encoded, required=True),
        parsed(SIGNED),
    ),
    accepted(
        "signed-though-not-required",
        "parse",
        "A signed message where no signature is required",
        "CM-SIGN-NOT-REQUIRED",
        _parsing(SIGNED.encoded, required=False),
        parsed(SIGNED),
    ),
    accepted(
        "bad-signature-not-required",
        "parse",
        "Where none is required a signature of the right form is not verified",
        "CM-SIGN-NOT-REQUIRED CM-SIGN-CONTEXT",
        _parsing(_GARBAGE.encoded, required=False),
        parsed(_GARBAGE),
    ),
    *(
        refused(
            name,
            "parse",
            summary,
            clauses,
            _parsing(message, required=True),
            _parsing(SIGNED.encoded, required=True),
        )
        for name, summary, clauses, message in (
            (
                "required-and-missing",
                "A signature is required and missing",
                "CM-SIGN-REQUIRED",
                UNSIGNED.encoded,
            ),
            (
                "required-and-bad",
                "A signature is required and does not verify",
                "CM-SIGN-REQUIRED",
                _GARBAGE.encoded,
            ),
            (
                "required-of-other-key",
                "A signature by another key than the required one",
                "CM-SIGN-REQUIRED",
                SIGNED_BY_OTHER.encoded,
            ),
            (
                "required-scalar-not-reduced",
                "A required signature whose scalar is not reduced",
                "CM-SIGN-REQUIRED CM-SIGN-CANONICAL",
                other_scalar(),
            ),
        )
    ),
    *(
        refused(
            name,
            "parse",
            summary,
            "CM-SIGN-LENGTH",
            _parsing(with_signature(value), required=False),
            _parsing(with_signature(bytes(64)), required=False),
        )
        for name, value, summary in (
            ("short-signature-not-required", bytes(63), "A signature of 63 bytes"),
            ("long-signature", bytes(65), "A signature of 65 bytes"),
            ("empty-signature", b"", "An empty signature"),
            ("signature-is-an-integer", Raw(b"i64e"), "A signature that is an integer"),
            ("signature-is-a-list", Raw(b"l" + bt(bytes(64)) + b"e"), "A signature in a list"),
        )
    ),
    refused(
        "signature-before-the-diff",
        "parse",
        "A signature that is not the last key",
        "CM-SIGN-LAST CM-BT-DICT-ORDER",
        _parsing(_MISPLACED, required=False),
        _parsing(with_signature(bytes(64)), required=False),
    ),
)


def drafts() -> tuple[Draft, ...]:
    """Required or not, well formed or not."""
    return RECEIVED
