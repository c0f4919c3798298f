"""Contents and snapshots are named by hashes, and a signature covers the encoding."""

from __future__ import annotations

import hashlib

import pytest
from nacl.signing import SigningKey, VerifyKey

from rejoin import conflict_detection as cd
from rejoin.conflict_detection.grid import store_content, store_snapshot

C, P = b"c" * 32, b"p" * 32


def test_a_content_is_named_by_the_hash_of_its_encoding() -> None:
    expected = hashlib.blake2b(b"5:hello", digest_size=32).digest()
    assert cd.content_capability(b"hello") == expected


def test_a_snapshot_is_named_by_the_hash_of_its_encoding() -> None:
    encoded = b"d7:content32:" + C + b"7:parent032:" + P + b"e"
    expected = hashlib.blake2b(encoded, digest_size=32).digest()
    assert cd.snapshot_capability(cd.new_snapshot(C, [P])) == expected


def test_the_signature_covers_the_encoding_with_author_and_without_signature() -> None:
    seed = bytes(range(32))
    signed, key = cd.sign_snapshot(cd.new_snapshot(C, [P]), seed), SigningKey(seed).verify_key
    span = b"d6:author32:" + bytes(key) + b"7:content32:" + C + b"7:parent032:" + P + b"e"
    assert signed.author == bytes(key)
    assert VerifyKey(bytes(key)).verify(span, signed.signature) == span


def test_a_snapshot_is_not_a_content_nor_a_content_a_snapshot() -> None:
    grid, content = store_content(cd.Grid(), b"hello")
    grid, snapshot = store_snapshot(grid, cd.new_snapshot(content, []))
    with pytest.raises(cd.ConflictDetectionError, match="no content"):
        cd.fetch_content(grid, snapshot)
    with pytest.raises(cd.ConflictDetectionError, match="no snapshot"):
        cd.fetch_snapshot(grid, content)
