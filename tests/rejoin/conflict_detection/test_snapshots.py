from __future__ import annotations

import hashlib

import pytest

from rejoin import conflict_detection as cd

P, Q = b"p" * 32, b"q" * 32
C = b"c" * 32


def test_a_content_is_named_by_the_hash_of_its_encoding() -> None:
    expected = hashlib.blake2b(b"5:hello", digest_size=32).digest()
    assert cd.content_capability(b"hello") == expected


def test_a_snapshot_is_named_by_the_hash_of_its_encoding() -> None:
    encoded = b"d7:content32:" + C + b"7:parent032:" + P + b"e"
    expected = hashlib.blake2b(encoded, digest_size=32).digest()
    assert cd.snapshot_capability(cd.new_snapshot(C, [P])) == expected


@pytest.mark.parametrize(
    ("content", "parents", "code"),
    [
        (b"short", [], "bad-capability"),
        (C, [b"short"], "bad-capability"),
        (C, [P, P], "duplicate-parent"),
        (None, [], "empty-snapshot"),
    ],
)
def test_an_invalid_snapshot_is_refused(
    content: bytes | None, parents: list[bytes], code: str
) -> None:
    with pytest.raises(cd.ConflictDetectionError) as refusal:
        cd.new_snapshot(content, parents)
    assert refusal.value.code == code
