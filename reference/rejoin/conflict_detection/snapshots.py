"""Snapshots: immutable objects that say what a version contains and what it was made from.

A capability is the BLAKE2b-32 hash of an object's canonical bt-encoding, so whoever holds a
capability can tell that an object is the right one, and equal objects have one capability. Contents
are encoded as byte strings and snapshots as dicts: no content has the capability of a snapshot.

Source: "Glossary", snapshot and deletion snapshot; "Tahoe-LAFS snapshot objects"
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import Final

from attrs import frozen

from rejoin.bencode import Value, encode, encode_string
from rejoin.conflict_detection.errors import ConflictDetectionError

CAPABILITY_SIZE: Final = 32


@frozen
class Snapshot:
    """One version of one file. It names neither the file nor, unless it is signed, its maker.

    content: the capability of the file's content; None in a deletion snapshot.
    parents: the capabilities of the snapshots that it follows directly; parent0 is the one that was
        current where it was made.
    author, signature: the maker's Ed25519 key (32 bytes) and signature (64 bytes), or None.
    """

    content: bytes | None
    parents: tuple[bytes, ...]
    author: bytes | None = None
    signature: bytes | None = None

    @property
    def is_deletion(self) -> bool:
        """Whether it says that the file was deleted."""
        return self.content is None


def capability_of(encoded: bytes) -> bytes:
    """The capability of an object: the BLAKE2b-32 hash of its canonical encoding.

    Clauses: CD-SNAPSHOT-ID
    Source: "Glossary", capability
    """
    return hashlib.blake2b(encoded, digest_size=CAPABILITY_SIZE).digest()


def content_capability(content: bytes) -> bytes:
    """The capability of a file's content, which is encoded as one byte string.

    Clauses: CD-SNAPSHOT-CONTENT-ID
    Source: "Tahoe-LAFS snapshot objects"
    """
    return capability_of(encode_string(content))


def new_snapshot(content: bytes | None, parents: Sequence[bytes]) -> Snapshot:
    """An unsigned snapshot.

    content: a capability, or None for a deletion. parents: capabilities, parent0 first.
    Errors: "bad-capability", "duplicate-parent", "empty-snapshot".

    Clauses: CD-SNAPSHOT-FIELDS, CD-SNAPSHOT-PARENTS-DISTINCT, CD-SNAPSHOT-NOT-EMPTY
    Source: "Glossary", snapshot and deletion snapshot
    """
    for capability in (*parents, *(() if content is None else (content,))):
        if len(capability) != CAPABILITY_SIZE:
            raise ConflictDetectionError("bad-capability", "a capability has 32 bytes")
    if len(set(parents)) != len(parents):
        raise ConflictDetectionError("duplicate-parent", "the snapshot names a parent twice")
    if content is None and not parents:
        raise ConflictDetectionError("empty-snapshot", "a deletion needs something to delete")
    return Snapshot(content, tuple(parents))


def unsigned_encoding(snapshot: Snapshot) -> bytes:
    """The canonical encoding without the signature: what a signature covers.

    A dict with the entries `content`, `parent0`, `parent1` and so on, and `author`, each only where
    there is one.

    Clauses: CD-SNAPSHOT-ENCODING, CD-SNAPSHOT-PARENT-ORDER, CD-SIGN-SPAN
    Source: "Tahoe-LAFS snapshot objects"; "Snapshot Author Identity"
    """
    return encode(_entries(snapshot))


def encode_snapshot(snapshot: Snapshot) -> bytes:
    """The canonical encoding of the whole immutable directory, signature included.

    Clauses: CD-SNAPSHOT-ENCODING, CD-SNAPSHOT-PARENT-ORDER, CD-SIGN-MEMBER
    Source: "Tahoe-LAFS snapshot objects"; "Snapshot Author Identity"
    """
    entries = _entries(snapshot)
    if snapshot.signature is not None:
        entries[b"signature"] = snapshot.signature
    return encode(entries)


def snapshot_capability(snapshot: Snapshot) -> bytes:
    """A snapshot's capability, which is also its identity.

    Clauses: CD-SNAPSHOT-ID
    Source: "Glossary", snapshot
    """
    return capability_of(encode_snapshot(snapshot))


def _entries(snapshot: Snapshot) -> dict[bytes, Value]:
    entries: dict[bytes, Value] = {
        b"parent%d" % number: parent for number, parent in enumerate(snapshot.parents)
    }
    if snapshot.content is not None:
        entries[b"content"] = snapshot.content
    if snapshot.author is not None:
        entries[b"author"] = snapshot.author
    return entries
