"""Signatures: Ed25519 over all of a message up to the signature itself, under the key `~`."""

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
    """Sign a message; a signature that it carries is replaced.

    signing_key: the 32-byte seed of an Ed25519 key.
    Errors: `ConfigMergeError` with "bad-signing-key".

    Clauses: CM-SIGN-REPLACE, CM-SIGN-LAST
    Source: "Config message outer metadata"
    """
    span = signed_span(message)
    signature = signature_over(span, signing_key)
    encoded = with_signature(span, signature)
    row = lagged_diff((message.seqno, message_hash(encoded)), message.diff)
    return evolve(message, encoded=encoded, row=row, signature=signature)


def verify(message: Message, verify_key: bytes) -> bool:
    """Say whether a message carries a signature that is valid under a key.

    verify_key: 32 bytes, an Ed25519 public key.
    Errors: `ConfigMergeError` with "bad-verify-key".

    Clauses: CM-SIGN-VERIFY, CM-SIGN-ALGORITHM, CM-SIGN-CANONICAL
    Source: "Config message outer metadata"
    """
    if not isinstance(verify_key, bytes) or len(verify_key) != KEY_LENGTH:
        raise ConfigMergeError("bad-verify-key", f"a verify key has {KEY_LENGTH} bytes")
    if message.signature is None:
        return False
    try:
        bindings.crypto_sign_open(message.signature + signed_span(message), verify_key)
    except BadSignatureError:
        return False
    return True


def require_signature(message: Message, verify_key: bytes) -> None:
    """Refuse a message that has no signature, or one that does not verify.

    Errors: `ConfigMergeError` with "signature-missing", "signature-invalid" or "bad-verify-key".

    Clauses: CM-SIGN-REQUIRED
    Source: "Ignored updates"
    """
    if verify(message, verify_key):
        return
    if message.signature is None:
        raise ConfigMergeError(
            "signature-missing", "the message must be signed", len(message.encoded) - 1
        )
    raise ConfigMergeError("signature-invalid", "the signature does not verify", message.span_end)


def signed_span(message: Message) -> bytes:
    """Return the bytes that a signature of the message covers.

    All bytes before the pair of `~` and its value, or before the final `e` where there is no pair.

    Clauses: CM-SIGN-SPAN
    Source: "Config message outer metadata"
    """
    return message.encoded[: message.span_end]


def with_signature(span: bytes, signature: bytes) -> bytes:
    """Complete a signed span to a message.

    Clauses: CM-SIGN-SPAN, CM-SIGN-LAST, CM-SIGN-LENGTH
    Source: "Config message outer metadata"
    """
    return b"%s1:~64:%se" % (span, signature)


def signature_over(span: bytes, signing_key: bytes) -> bytes:
    """Return the 64-byte signature of a span; the same span and key give the same bytes.

    Errors: `ConfigMergeError` with "bad-signing-key".

    Clauses: CM-SIGN-ALGORITHM
    Source: "Config message outer metadata"
    """
    if not isinstance(signing_key, bytes) or len(signing_key) != KEY_LENGTH:
        raise ConfigMergeError("bad-signing-key", f"a signing key is a seed of {KEY_LENGTH} bytes")
    _, secret = bindings.crypto_sign_seed_keypair(signing_key)
    signed = bindings.crypto_sign(span, secret)
    return signed[:SIGNATURE_LENGTH]
