"""Snapshots: immutable objects that name the content of a version and its parents.

A capability is the BLAKE2b-32 hash of an object's canonical bt-encoding. So the holder of a
capability can check that an object is the right one, and equal objects have one capability.
Contents are encoded as byte strings and snapshots as dicts, so no content has the capability of a
snapshot.

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
    """One version of one file. It does not name the file, and names its maker only if it is signed.

    content: the capability of the file's content (32 bytes), or None in a deletion snapshot.
    parents: the capabilities of the snapshots that it directly follows (32 bytes each). parent0 is
        the snapshot that was the maker's current snapshot, if there was one.
    author, signature: the maker's Ed25519 public key (32 bytes) and signature (64 bytes), or None.
    """

    content: bytes | None
    parents: tuple[bytes, ...]
    author: bytes | None = None
    signature: bytes | None = None

    @property
    def is_deletion(self) -> bool:
        """Return whether the snapshot is a deletion."""
        return self.content is None


def capability_of(encoded: bytes) -> bytes:
    """Return the capability of an object: the BLAKE2b-32 hash (32 bytes) of its canonical encoding.

    Clauses: CD-SNAPSHOT-ID
    Source: "Glossary", capability
    """
    return hashlib.blake2b(encoded, digest_size=CAPABILITY_SIZE).digest()


def content_capability(content: bytes) -> bytes:
    """Return the capability of a file's content, which is encoded as one byte string.

    Clauses: CD-SNAPSHOT-CONTENT-ID, CD-GRID-IMMUTABLE
    Source: "Tahoe-LAFS snapshot objects"
    """
    return capability_of(encode_string(content))


def new_snapshot(content: bytes | None, parents: Sequence[bytes]) -> Snapshot:
    """Return an unsigned snapshot.

    content: a capability (32 bytes), or None for a deletion. parents: capabilities (32 bytes each),
    parent0 first.
    Errors: "bad-capability", "duplicate-parent", "empty-snapshot".

    Clauses: CD-SNAPSHOT-FIELDS, CD-SNAPSHOT-PARENTS-DISTINCT, CD-SNAPSHOT-NOT-EMPTY
    Source: "Glossary", snapshot and deletion snapshot
    """
    for capability in (*parents, *(() if content is None else (content,))):
        if len(capability) != CAPABILITY_SIZE:
            raise ConflictDetectionError(
                "bad-capability",
                f"a capability is {CAPABILITY_SIZE} bytes long, not {len(capability)} bytes",
            )
    if len(set(parents)) != len(parents):
        raise ConflictDetectionError("duplicate-parent", "the snapshot names a parent twice")
    if content is None and not parents:
        raise ConflictDetectionError("empty-snapshot", "a snapshot without content needs a parent")
    return Snapshot(content, tuple(parents))


def unsigned_encoding(snapshot: Snapshot) -> bytes:
    """Return the canonical encoding without the signature: the bytes that a signature covers.

    It is a dict with the entries `content`, `parent0`, `parent1` and so on, and `author`. An entry
    without a value is left out.

    Clauses: CD-SNAPSHOT-ENCODING, CD-SNAPSHOT-PARENT-ORDER, CD-SIGN-SPAN
    Source: "Tahoe-LAFS snapshot objects"; "Snapshot Author Identity"
    """
    return encode(_entries(snapshot))


def encode_snapshot(snapshot: Snapshot) -> bytes:
    """Return the canonical encoding of the whole immutable directory, including the signature.

    Clauses: CD-SNAPSHOT-ENCODING, CD-SNAPSHOT-PARENT-ORDER, CD-SIGN-MEMBER
    Source: "Tahoe-LAFS snapshot objects"; "Snapshot Author Identity"
    """
    entries = _entries(snapshot)
    if snapshot.signature is not None:
        entries[b"signature"] = snapshot.signature
    return encode(entries)


def snapshot_capability(snapshot: Snapshot) -> bytes:
    """Return a snapshot's capability (32 bytes), which is also its identity.

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
