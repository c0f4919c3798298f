"""Snapshots as bytes, put together by hand, and their hashes by the standard library."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

from rejoin_conformance.kit.json_types import Json, JsonObject


def blake2b(encoded: bytes) -> bytes:
    """The 32-byte BLAKE2b hash."""
    return hashlib.blake2b(encoded, digest_size=32).digest()


def string(value: bytes) -> bytes:
    """A bt-encoded string."""
    return b"%d:" % len(value) + value


def content_id(content: bytes) -> bytes:
    """The capability of a content."""
    return blake2b(string(content))


def encoded_snapshot(
    content: bytes | None,
    parents: Sequence[bytes] = (),
    author: bytes | None = None,
    signature: bytes | None = None,
) -> bytes:
    """A snapshot of a content (the file's bytes) as the canonical dict."""
    entries = [(b"parent%d" % number, parent) for number, parent in enumerate(parents)]
    if content is not None:
        entries.append((b"content", content_id(content)))
    if author is not None:
        entries.append((b"author", author))
    if signature is not None:
        entries.append((b"signature", signature))
    return b"d" + b"".join(string(key) + string(value) for key, value in sorted(entries)) + b"e"


def snapshot_id(content: bytes | None, parents: Sequence[bytes] = ()) -> bytes:
    """The identity of an unsigned snapshot."""
    return blake2b(encoded_snapshot(content, parents))


def snapshot_input(content: bytes | None, parents: Sequence[bytes] = ()) -> JsonObject:
    """The fields of a snapshot as operations take them."""
    listed: list[Json] = [parent.hex() for parent in parents]
    return {"content": None if content is None else content.hex(), "parents": listed}


def snapshot_output(content: bytes | None, parents: Sequence[bytes] = ()) -> JsonObject:
    """The output of `snapshot-id`."""
    encoded = encoded_snapshot(content, parents)
    return {
        "content_id": None if content is None else content_id(content).hex(),
        "encoded": encoded.hex(),
        "id": blake2b(encoded).hex(),
    }
