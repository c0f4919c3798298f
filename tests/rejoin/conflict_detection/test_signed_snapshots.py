from __future__ import annotations

import pytest
from attrs import evolve
from nacl.signing import SigningKey, VerifyKey

from rejoin import conflict_detection as cd
from rejoin.conflict_detection.signed_snapshots import (
    check_signature,
)

SEED = bytes(range(32))
C, P = b"c" * 32, b"p" * 32
SIGNED = cd.sign_snapshot(cd.new_snapshot(C, [P]), SEED)


def test_the_signature_covers_the_encoding_with_author_and_without_signature() -> None:
    key = SigningKey(SEED).verify_key
    span = b"d6:author32:" + bytes(key) + b"7:content32:" + C + b"7:parent032:" + P + b"e"
    assert SIGNED.author == bytes(key)
    assert VerifyKey(bytes(key)).verify(span, SIGNED.signature) == span


@pytest.mark.parametrize(
    "changed",
    [
        evolve(SIGNED, content=b"d" * 32),
        evolve(SIGNED, content=None),
        evolve(SIGNED, parents=()),
        evolve(SIGNED, author=bytes(SigningKey(b"z" * 32).verify_key)),
        evolve(SIGNED, author=b"\xff" * 32),
        evolve(SIGNED, signature=bytes(64)),
        evolve(SIGNED, signature=b""),
        evolve(SIGNED, signature=(SIGNED.signature or b"") + b"\0"),
    ],
)
def test_a_change_makes_the_signature_invalid(changed: cd.Snapshot) -> None:
    assert not cd.is_signature_valid(changed)
    with pytest.raises(cd.ConflictDetectionError) as refusal:
        check_signature(changed)
    assert refusal.value.code == "bad-signature"


@pytest.mark.parametrize("half", [evolve(SIGNED, author=None), evolve(SIGNED, signature=None)])
def test_half_a_signature_is_refused(half: cd.Snapshot) -> None:
    with pytest.raises(cd.ConflictDetectionError) as refusal:
        check_signature(half)
    assert refusal.value.code == "half-signed"


def test_an_author_of_another_size_is_refused() -> None:
    with pytest.raises(cd.ConflictDetectionError) as refusal:
        cd.is_signature_valid(evolve(SIGNED, author=b"a"))
    assert refusal.value.code == "bad-key"


def test_a_signing_key_of_another_size_is_refused() -> None:
    with pytest.raises(cd.ConflictDetectionError) as refusal:
        cd.sign_snapshot(SIGNED, b"short")
    assert refusal.value.code == "bad-key"
