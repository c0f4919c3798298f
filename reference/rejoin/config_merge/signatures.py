"""Signatures: Ed25519 over a message up to its key `~`, which holds the signature."""

from __future__ import annotations

from typing import Final

from attrs import evolve
from nacl import bindings
from nacl.exceptions import BadSignatureError

from rejoin.config_merge.config_diffs import lagged_diff
from rejoin.config_merge.errors import ConfigMergeError
from rejoin.config_merge.messages import Message, message_hash

SIGNATURE_LENGTH: Final = 64
KEY_LENGTH: Final = 32


def sign(message: Message, signing_key: bytes) -> Message:
    """Return the signed message; the new signature replaces an existing one.

    signing_key: the 32-byte seed of an Ed25519 key.
    Errors: `ConfigMergeError` with "bad-signing-key".

    Clauses: CM-SIGN-REPLACE, CM-SIGN-LAST, CM-SIGN-WINDOW
    Source: "Config message outer metadata"
    """
    span = signed_span(message)
    signature = signature_over(span, signing_key)
    encoded = with_signature(span, signature)
    row = lagged_diff((message.seqno, message_hash(encoded)), message.diff)
    return evolve(message, encoded=encoded, row=row, signature=signature)


def verify(message: Message, verify_key: bytes) -> bool:
    """Return whether a message carries a signature that is valid under a key.

    verify_key: an Ed25519 public key of 32 bytes.
    Errors: `ConfigMergeError` with "bad-verify-key".

    Clauses: CM-SIGN-VERIFY, CM-SIGN-ALGORITHM, CM-SIGN-CANONICAL, CM-SIGN-WINDOW
    Source: "Config message outer metadata"
    """
    if not isinstance(verify_key, bytes) or len(verify_key) != KEY_LENGTH:
        raise ConfigMergeError("bad-verify-key", f"the verify key is not {KEY_LENGTH} bytes")
    if message.signature is None:
        return False
    try:
        bindings.crypto_sign_open(message.signature + signed_span(message), verify_key)
    except BadSignatureError:
        return False
    return True


def require_signature(message: Message, verify_key: bytes) -> None:
    """Raise an error if a message has no signature, or if its signature does not verify.

    verify_key: an Ed25519 public key of 32 bytes.
    Errors: `ConfigMergeError` with "signature-missing", "signature-invalid" or "bad-verify-key".

    Clauses: CM-SIGN-REQUIRED
    Source: "Ignored updates"
    """
    if verify(message, verify_key):
        return
    if message.signature is None:
        raise ConfigMergeError(
            "signature-missing", "the message is not signed", len(message.encoded) - 1
        )
    raise ConfigMergeError("signature-invalid", "the signature does not verify", message.span_end)


def signed_span(message: Message) -> bytes:
    """Return the bytes that a signature of the message covers.

    These are the bytes before the key `~`, or before the final `e` if the message has no `~`.

    Clauses: CM-SIGN-SPAN
    Source: "Config message outer metadata"
    """
    return message.encoded[: message.span_end]


def with_signature(span: bytes, signature: bytes) -> bytes:
    """Return the bytes of the message that consists of a signed span and its signature.

    span: the bytes that the signature covers.
    signature: 64 bytes.

    Clauses: CM-SIGN-SPAN, CM-SIGN-LAST, CM-SIGN-LENGTH
    Source: "Config message outer metadata"
    """
    return b"%s1:~64:%se" % (span, signature)


def signature_over(span: bytes, signing_key: bytes) -> bytes:
    """Return the 64-byte signature of a span; the same span and key give the same bytes.

    signing_key: the 32-byte seed of an Ed25519 key.
    Errors: `ConfigMergeError` with "bad-signing-key".

    Clauses: CM-SIGN-ALGORITHM
    Source: "Config message outer metadata"
    """
    if not isinstance(signing_key, bytes) or len(signing_key) != KEY_LENGTH:
        message = f"the signing key is not a seed of {KEY_LENGTH} bytes"
        raise ConfigMergeError("bad-signing-key", message)
    _, secret = bindings.crypto_sign_seed_keypair(signing_key)
    signed = bindings.crypto_sign(span, secret)
    return signed[:SIGNATURE_LENGTH]
