"""Signed snapshots: clients can recognise the maker of a snapshot and stop polling a bad actor.

Each client may have its own Ed25519 identity key, which is not the key of its directory. The
signature is one more member of the immutable directory.

Source: "Snapshot Author Identity"
"""

from __future__ import annotations

from typing import Final

from attrs import evolve
from nacl.exceptions import BadSignatureError, CryptoError
from nacl.exceptions import ValueError as NaclValueError
from nacl.signing import SigningKey, VerifyKey

from rejoin.conflict_detection.errors import ConflictDetectionError
from rejoin.conflict_detection.snapshots import Snapshot, unsigned_encoding

SEED_SIZE: Final = 32
SIGNATURE_SIZE: Final = 64


def sign_snapshot(snapshot: Snapshot, signing_key: bytes) -> Snapshot:
    """Return the snapshot with its author and signature.

    The signature covers the canonical encoding of the snapshot with its author and without the
    signature.
    signing_key: the 32-byte seed of an Ed25519 key.
    Errors: "bad-key".

    Clauses: CD-SIGN-SPAN, CD-SIGN-MEMBER
    Source: "Snapshot Author Identity"
    """
    if len(signing_key) != SEED_SIZE:
        raise ConflictDetectionError("bad-key", f"a signing key is a seed of {SEED_SIZE} bytes")
    key = SigningKey(signing_key)
    authored = evolve(snapshot, author=bytes(key.verify_key))
    return evolve(authored, signature=key.sign(unsigned_encoding(authored)).signature)


def is_signature_valid(snapshot: Snapshot) -> bool:
    """Return whether a snapshot is signed and its signature verifies with its author's key.

    Errors: "half-signed" if it has only one of author and signature; "bad-key" if the author is not
    32 bytes long.

    Clauses: CD-SIGN-VERIFY, CD-SIGN-BOTH
    Source: "Snapshot Author Identity"
    """
    if snapshot.author is None and snapshot.signature is None:
        return False
    if snapshot.author is None or snapshot.signature is None:
        raise ConflictDetectionError(
            "half-signed", "the snapshot has an author or a signature, but not both"
        )
    if len(snapshot.author) != SEED_SIZE:
        raise ConflictDetectionError("bad-key", f"an author is a public key of {SEED_SIZE} bytes")
    if len(snapshot.signature) != SIGNATURE_SIZE:
        return False
    try:
        VerifyKey(snapshot.author).verify(unsigned_encoding(snapshot), snapshot.signature)
    except (BadSignatureError, CryptoError, NaclValueError):
        return False
    return True


def check_signature(snapshot: Snapshot) -> None:
    """Refuse a snapshot with an author whose signature is invalid; accept an unsigned snapshot.

    Errors: "bad-signature", "half-signed", "bad-key".

    Clauses: CD-SIGN-REFUSE
    Source: "Snapshot Author Identity"
    """
    if snapshot.author is None and snapshot.signature is None:
        return
    if not is_signature_valid(snapshot):
        raise ConflictDetectionError(
            "bad-signature", "the signature does not verify with the author's key"
        )
