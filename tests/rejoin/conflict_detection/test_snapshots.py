from __future__ import annotations

import hashlib

import pytest

from rejoin import conflict_detection as cd

P, Q = b"p" * 32, b"q" * 32
C = b"c" * 32


def test_a_content_is_named_by_the_hash_of_its_encoding() -> None:
    expected = hashlib.blake2b(b"5:hello", digest_size=32).digest()
    assert cd.content_capability(b"hello") == expected


def test_a_first_snapshot_holds_nothing_but_its_content() -> None:
    assert cd.encode_snapshot(cd.new_snapshot(C, [])) == b"d7:content32:" + C + b"e"


def test_parents_are_numbered_in_their_order() -> None:
    encoded = cd.encode_snapshot(cd.new_snapshot(C, [Q, P]))
    assert encoded == b"d7:content32:" + C + b"7:parent032:" + Q + b"7:parent132:" + P + b"e"


def test_the_eleventh_parent_stands_before_the_third() -> None:
    parents = [bytes([number]) * 32 for number in range(11)]
    encoded = cd.encode_snapshot(cd.new_snapshot(C, parents))
    assert encoded.index(b"8:parent10") < encoded.index(b"7:parent2")


def test_a_deletion_has_parents_only() -> None:
    deletion = cd.new_snapshot(None, [P])
    assert deletion.is_deletion
    assert cd.encode_snapshot(deletion) == b"d7:parent032:" + P + b"e"


def test_a_snapshot_is_named_by_the_hash_of_its_encoding() -> None:
    encoded = b"d7:content32:" + C + b"7:parent032:" + P + b"e"
    expected = hashlib.blake2b(encoded, digest_size=32).digest()
    assert cd.snapshot_capability(cd.new_snapshot(C, [P])) == expected


def test_the_order_of_parents_makes_another_version() -> None:
    assert cd.snapshot_capability(cd.new_snapshot(C, [P, Q])) != cd.snapshot_capability(
        cd.new_snapshot(C, [Q, P])
    )


def test_author_and_signature_are_part_of_the_identity() -> None:
    signed = cd.Snapshot(C, (P,), b"a" * 32, b"s" * 64)
    assert cd.encode_snapshot(signed) == (
        b"d6:author32:" + b"a" * 32 + b"7:content32:" + C + b"7:parent032:" + P
        + b"9:signature64:" + b"s" * 64 + b"e"
    )  # fmt: skip


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
