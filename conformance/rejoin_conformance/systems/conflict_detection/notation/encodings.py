"""Encode and hash snapshots by the standard library, without the reference."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence


def blake2b(encoded: bytes) -> bytes:
    """Return the BLAKE2b hash of 32 bytes."""
    return hashlib.blake2b(encoded, digest_size=32).digest()


def string(value: bytes) -> bytes:
    """Return a bt-encoded string."""
    return b"%d:" % len(value) + value


def content_id(content: bytes) -> bytes:
    """Return the capability of a content."""
    return blake2b(string(content))


def encoded_snapshot(
    content: bytes | None,
    parents: Sequence[bytes] = (),
    author: bytes | None = None,
    signature: bytes | None = None,
) -> bytes:
    """Return a snapshot as a canonical dict. content: the bytes of the file, or None."""
    entries = [(b"parent%d" % number, parent) for number, parent in enumerate(parents)]
    if content is not None:
        entries.append((b"content", content_id(content)))
    if author is not None:
        entries.append((b"author", author))
    if signature is not None:
        entries.append((b"signature", signature))
    return b"d" + b"".join(string(key) + string(value) for key, value in sorted(entries)) + b"e"


def snapshot_id(content: bytes | None, parents: Sequence[bytes] = ()) -> bytes:
    """Return the ID of an unsigned snapshot."""
    return blake2b(encoded_snapshot(content, parents))
