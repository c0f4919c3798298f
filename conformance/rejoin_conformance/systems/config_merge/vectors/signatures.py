"""Signatures: their span and form, contexts that require them, and who can merge."""

from __future__ import annotations

import hashlib
from typing import Final

from rejoin_conformance.json_types import JsonObject
from rejoin_conformance.systems.config_merge.vectors.by_hand.bt import Raw, bt
from rejoin_conformance.systems.config_merge.vectors.by_hand.drafts import (
    accepted,
    made,
    parsed,
    refused,
    resolved,
    resolving,
    updating,
)
from rejoin_conformance.systems.config_merge.vectors.by_hand.keys import (
    PUBLIC,
    PUBLIC_2,
    SEED,
    SEED_2,
    signature,
    unreduced,
)
from rejoin_conformance.systems.config_merge.vectors.by_hand.messages import Data, Message, merge_of
from rejoin_conformance.vectors import Draft, Topic

UNSIGNED: Final = Message(seqno=7, data={"a": 1}, diff={"a": ""})
SIGNED: Final = Message(seqno=7, data={"a": 1}, diff={"a": ""}, seed=SEED)
SIGNED_BY_OTHER: Final = Message(seqno=7, data={"a": 1}, diff={"a": ""}, seed=SEED_2)
SPAN: Final = UNSIGNED.encoded[:-1]


def _with_signature(value: bytes) -> bytes:
    """The message with these bytes under `~`."""
    return SPAN + b"1:~" + bt(value) + b"e"


def _other_scalar() -> bytes:
    return _with_signature(unreduced(signature(SEED, SPAN)))


def _signing(message: bytes, seed: bytes = SEED) -> JsonObject:
    return {"message": message.hex(), "signing_key": seed.hex()}


def _verifying(message: bytes, public: bytes = PUBLIC) -> JsonObject:
    return {"message": message.hex(), "verify_key": public.hex()}


def _signs(name: str, summary: str, clauses: str, message: Message, signed: Message) -> Draft:
    return accepted(name, "sign", summary, clauses, _signing(message.encoded), made(signed))


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
        "sign-malformed",
        "sign",
        "A message without its final e is not signed",
        "CM-SIGN-VERIFY CM-BT-TRUNCATED",
        _signing(SPAN),
        _signing(UNSIGNED.encoded),
    ),
    refused(
        "sign-without-seqno",
        "sign",
        "What is not a valid message is not signed",
        "CM-OUTER-SEQNO",
        _signing(bt({"&": {}, "<": [], "=": {}})),
        _signing(bt({"#": 1, "&": {}, "<": [], "=": {}})),
    ),
)


def _verifies(
    name: str, summary: str, clauses: str, message: bytes, public: bytes = PUBLIC, *, valid: bool
) -> Draft:
    given = _verifying(message, public)
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
        _with_signature(_OF_ANOTHER),
        valid=False,
    ),
    _verifies(
        "verify-zeros",
        "Sixty-four bytes of zeros",
        "CM-SIGN-VERIFY",
        _with_signature(bytes(64)),
        valid=False,
    ),
    _verifies(
        "verify-span-with-final-e",
        "A signature over the whole unsigned message, its final e included",
        "CM-SIGN-SPAN",
        _with_signature(signature(SEED, UNSIGNED.encoded)),
        valid=False,
    ),
    _verifies(
        "verify-span-with-key",
        "A signature that covers the key and length in front of itself",
        "CM-SIGN-SPAN",
        _with_signature(_PAIR_SIGNED),
        valid=False,
    ),
    _verifies(
        "verify-of-the-hash",
        "A signature over the hash of the span instead of the span",
        "CM-SIGN-ALGORITHM CM-SIGN-SPAN",
        _with_signature(signature(SEED, hashlib.blake2b(SPAN, digest_size=32).digest())),
        valid=False,
    ),
    _verifies(
        "scalar-not-reduced",
        "A good signature with the group order added to its scalar",
        "CM-SIGN-CANONICAL",
        _other_scalar(),
        valid=False,
    ),
    refused(
        "verify-malformed",
        "verify",
        "A message that ends too early is refused, not called unsigned",
        "CM-SIGN-VERIFY",
        _verifying(SIGNED.encoded[:-1]),
        _verifying(SIGNED.encoded),
    ),
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
                _other_scalar(),
            ),
        )
    ),
    *(
        refused(
            name,
            "parse",
            summary,
            "CM-SIGN-LENGTH",
            _parsing(_with_signature(value), required=False),
            _parsing(_with_signature(bytes(64)), required=False),
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
        _parsing(_with_signature(bytes(64)), required=False),
    ),
)


def _child(seed: bytes | None, key: str, value: int, base: Message = SIGNED) -> Message:
    return base.followed_by({"a": 1, key: value}, {key: ""}, seed=seed)


FIRST: Final = _child(SEED, "b", 2)
SECOND: Final = _child(SEED, "c", 3)
HIGHEST: Final = max(FIRST, SECOND, key=lambda message: message.rank)
MERGED_DATA: Final = {"a": 1, "b": 2, "c": 3}
UNSIGNED_PAIR: Final = (_child(None, "b", 2, UNSIGNED), _child(None, "c", 3, UNSIGNED))
BY_OTHER: Final = _child(SEED_2, "d", 4, SIGNED_BY_OTHER)


def _keys(*, verify: bool = False, seed: bytes | None = None) -> dict[str, str]:
    keys = {"verify_key": PUBLIC.hex()} if verify else {}
    return keys if seed is None else {**keys, "signing_key": seed.hex()}


RESOLVED: Final = (
    accepted(
        "conflict-without-signing-key",
        "resolve",
        "Who cannot sign does not merge: the highest message stands, no other is ignored",
        "CM-SIGN-CANNOT-MERGE",
        resolving([FIRST, SECOND], **_keys(verify=True)),
        resolved(HIGHEST),
    ),
    accepted(
        "conflict-without-signing-key-other-order",
        "resolve",
        "The highest message stands, wherever it is in the list",
        "CM-SIGN-CANNOT-MERGE CM-MESSAGE-BYTES",
        resolving([SECOND, FIRST], **_keys(verify=True)),
        resolved(HIGHEST),
    ),
    accepted(
        "conflict-with-signing-key",
        "resolve",
        "Signed messages are merged into a signed one",
        "CM-SIGN-MADE CM-SIGN-REQUIRED",
        resolving([FIRST, SECOND], **_keys(verify=True, seed=SEED)),
        resolved(merge_of(FIRST, SECOND, data=MERGED_DATA, seed=SEED), merged=True),
    ),
    accepted(
        "two-signers-merge-differently",
        "resolve",
        "The same conflict, merged by somebody with another key: another message",
        "CM-SIGN-MADE CM-MESSAGE-BYTES",
        resolving([FIRST, SECOND], **_keys(seed=SEED_2)),
        resolved(merge_of(FIRST, SECOND, data=MERGED_DATA, seed=SEED_2), merged=True),
    ),
    accepted(
        "signing-key-alone",
        "resolve",
        "A signing key signs the merge and asks nothing of what is received",
        "CM-SIGN-KEYS-INDEPENDENT CM-SIGN-MADE",
        resolving(UNSIGNED_PAIR, **_keys(seed=SEED)),
        resolved(merge_of(*UNSIGNED_PAIR, data=MERGED_DATA, seed=SEED), merged=True),
    ),
    accepted(
        "merge-drops-signatures",
        "resolve",
        "Without keys the merge of signed messages is unsigned",
        "CM-SIGN-UNSIGNED-MADE",
        resolving([FIRST, SECOND]),
        resolved(merge_of(FIRST, SECOND, data=MERGED_DATA), merged=True),
    ),
    accepted(
        "single-signed-message-stands",
        "resolve",
        "A message that is returned keeps its signature",
        "CM-SIGN-NOT-REQUIRED CM-RESOLVE-SINGLE",
        resolving([FIRST]),
        resolved(FIRST),
    ),
    accepted(
        "unsigned-among-signed",
        "resolve",
        "Where signatures are required an unsigned message is ignored as invalid",
        "CM-SIGN-REQUIRED CM-IGNORE-INVALID CM-SECURITY-ONE-BAD",
        resolving([UNSIGNED_PAIR[0], SECOND], **_keys(verify=True, seed=SEED)),
        resolved(SECOND, (0, "invalid")),
    ),
    accepted(
        "other-signer-among-signed",
        "resolve",
        "A message by another signer is ignored, higher seqno or not",
        "CM-SIGN-REQUIRED CM-IGNORE-INVALID",
        resolving(
            [SECOND, BY_OTHER.followed_by(BY_OTHER.data, {}, seed=SEED_2)],
            **_keys(verify=True, seed=SEED),
        ),
        resolved(SECOND, (1, "invalid")),
    ),
    refused(
        "only-unsigned-where-required",
        "resolve",
        "No message is signed as required",
        "CM-SIGN-REQUIRED CM-IGNORE-NONE-VALID",
        resolving([UNSIGNED], **_keys(verify=True)),
        resolving([SIGNED], **_keys(verify=True)),
    ),
)

UPDATED: Final = (
    accepted(
        "update-drops-signature",
        "update",
        "Without keys the update of a signed message is unsigned",
        "CM-SIGN-UNSIGNED-MADE",
        updating([SIGNED], {"a": 2}),
        made(SIGNED.followed_by({"a": 2}, {"a": ""})),
    ),
    accepted(
        "update-signed",
        "update",
        "With a signing key the update is signed",
        "CM-SIGN-MADE",
        updating([SIGNED], {"a": 2}, **_keys(verify=True, seed=SEED)),
        made(SIGNED.followed_by({"a": 2}, {"a": ""}, seed=SEED)),
    ),
    accepted(
        "update-of-unsigned-signed",
        "update",
        "A signing key alone signs the update of an unsigned message",
        "CM-SIGN-KEYS-INDEPENDENT CM-SIGN-MADE",
        updating([UNSIGNED], {"a": 2}, **_keys(seed=SEED)),
        made(UNSIGNED.followed_by({"a": 2}, {"a": ""}, seed=SEED)),
    ),
    accepted(
        "merge-with-local-change-signed",
        "update",
        "Merge and change in one message are signed as one",
        "CM-SIGN-MADE CM-RESOLVE-LOCAL-CHANGE",
        updating([FIRST, SECOND], {**MERGED_DATA, "e": 5}, **_keys(verify=True, seed=SEED)),
        made(merge_of(FIRST, SECOND, data={**MERGED_DATA, "e": 5}, diff={"e": ""}, seed=SEED)),
    ),
    refused(
        "update-without-signing-key",
        "update",
        "Who cannot sign makes no update where signatures are required",
        "CM-SIGN-CANNOT-UPDATE",
        updating([SIGNED], {"a": 2}, **_keys(verify=True)),
        updating([SIGNED], {"a": 2}, **_keys(verify=True, seed=SEED)),
    ),
    refused(
        "first-message-without-signing-key",
        "update",
        "Who cannot sign makes no first message either",
        "CM-SIGN-CANNOT-UPDATE",
        updating([], {"a": 2}, **_keys(verify=True)),
        updating([], {"a": 2}, **_keys(verify=True, seed=SEED)),
    ),
    refused(
        "update-of-unsigned-where-required",
        "update",
        "There is nothing valid to update",
        "CM-SIGN-REQUIRED CM-IGNORE-NONE-VALID",
        updating([UNSIGNED], {"a": 2}, **_keys(verify=True, seed=SEED)),
        updating([SIGNED], {"a": 2}, **_keys(verify=True, seed=SEED)),
    ),
)


def topic() -> Topic:
    """Everything about the key `~`."""
    return Topic(
        "signatures",
        "Signatures. Keys are those of the test vectors of RFC 8032; signatures come from PyNaCl.",
        (*SIGN, *VERIFY, *RECEIVED, *RESOLVED, *UPDATED),
    )
