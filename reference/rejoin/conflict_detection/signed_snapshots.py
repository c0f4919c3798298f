"""Snapshots that their makers signed, so that a bad actor can be recognised and dropped.

Each client may have an Ed25519 identity key of its own, which is not the key of its directory. The
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
    """The snapshot with its author and signature.

    signing_key: the 32-byte seed of an Ed25519 key. The signature covers the canonical encoding of
    the snapshot with its author and without the signature.
    Errors: "bad-key".

    Clauses: CD-SIGN-SPAN, CD-SIGN-MEMBER
    Source: "Snapshot Author Identity"
    """
    if len(signing_key) != SEED_SIZE:
        raise ConflictDetectionError("bad-key", "a signing key is a seed of 32 bytes")
    key = SigningKey(signing_key)
    authored = evolve(snapshot, author=bytes(key.verify_key))
    return evolve(authored, signature=key.sign(unsigned_encoding(authored)).signature)


def is_signature_valid(snapshot: Snapshot) -> bool:
    """Whether a snapshot is signed, and its signature is its author's.

    Errors: "half-signed" where only one of author and signature is there; "bad-key".

    Clauses: CD-SIGN-VERIFY, CD-SIGN-BOTH
    Source: "Snapshot Author Identity"
    """
    if snapshot.author is None and snapshot.signature is None:
        return False
    if snapshot.author is None or snapshot.signature is None:
        raise ConflictDetectionError("half-signed", "a signed snapshot has author and signature")
    if len(snapshot.author) != SEED_SIZE:
        raise ConflictDetectionError("bad-key", "an author is a key of 32 bytes")
    if len(snapshot.signature) != SIGNATURE_SIZE:
        return False
    try:
        VerifyKey(snapshot.author).verify(unsigned_encoding(snapshot), snapshot.signature)
    except (BadSignatureError, CryptoError, NaclValueError):
        return False
    return True


def check_signature(snapshot: Snapshot) -> None:
    """Refuse a snapshot that claims an author whose signature it does not bear; unsigned ones pass.

    Errors: "bad-signature", "half-signed", "bad-key".

    Clauses: CD-SIGN-REFUSE
    Source: "Snapshot Author Identity"
    """
    if snapshot.author is None and snapshot.signature is None:
        return
    if not is_signature_valid(snapshot):
        raise ConflictDetectionError("bad-signature", "the snapshot is not its author's")
