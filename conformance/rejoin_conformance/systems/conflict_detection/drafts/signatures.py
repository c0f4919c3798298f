"""Topic `signatures`: Ed25519 over snapshots, with spans put together by hand."""

from __future__ import annotations

from typing import Final

from nacl.signing import SigningKey

from rejoin_conformance.contract.vector import Draft, Topic
from rejoin_conformance.kit.json_types import JsonObject
from rejoin_conformance.systems.conflict_detection.drafts.by_hand.drafts import refusal
from rejoin_conformance.systems.conflict_detection.drafts.by_hand.encodings import (
    blake2b,
    encoded_snapshot,
    snapshot_id,
    snapshot_input,
)

SIGN: Final = "conflict-detection/sign-snapshot"
VERIFY: Final = "conflict-detection/verify-snapshot"

SEED: Final = bytes(range(32))
OTHER_SEED: Final = bytes(range(32, 64))
ROOT: Final = snapshot_id(b"first")
OTHER: Final = snapshot_id(b"other")


def _author(seed: bytes) -> bytes:
    return bytes(SigningKey(seed).verify_key)


def _signature(seed: bytes, content: bytes | None, parents: list[bytes]) -> bytes:
    span = encoded_snapshot(content, parents, author=_author(seed))
    return SigningKey(seed).sign(span).signature


def _signed(
    content: bytes | None,
    parents: list[bytes],
    author: bytes | None = None,
    signature: bytes | None = None,
) -> JsonObject:
    """A snapshot with what is given of author and signature."""
    value = snapshot_input(content, parents)
    if author is not None:
        value["author"] = author.hex()
    if signature is not None:
        value["signature"] = signature.hex()
    return value


GOOD: Final = _signed(b"text", [ROOT], _author(SEED), _signature(SEED, b"text", [ROOT]))


def _sign(name: str, summary: str, content: bytes | None, parents: list[bytes]) -> Draft:
    author, signature = _author(SEED), _signature(SEED, content, parents)
    encoded = encoded_snapshot(content, parents, author, signature)
    return Draft(
        name=name,
        operation=SIGN,
        summary=summary,
        clauses=("CD-SIGN-SPAN", "CD-SIGN-MEMBER"),
        input={**snapshot_input(content, parents), "signing_key": SEED.hex()},
        output={
            "author": author.hex(),
            "signature": signature.hex(),
            "id": blake2b(encoded).hex(),
        },
    )


def _verify(
    name: str, summary: str, value: JsonObject, *clauses: str, valid: bool = False
) -> Draft:
    return Draft(
        name=name,
        operation=VERIFY,
        summary=summary,
        clauses=("CD-SIGN-VERIFY", *clauses),
        input=value,
        output={"valid": valid},
    )


def _refused(name: str, summary: str, value: JsonObject) -> Draft:
    return refusal(VERIFY, name, summary, "CD-SIGN-BOTH", value, GOOD)


def topic() -> Topic:
    """The vectors of signed snapshots."""
    author, signature = _author(SEED), _signature(SEED, b"text", [ROOT])
    span = "CD-SIGN-SPAN"
    bare = SigningKey(SEED).sign(encoded_snapshot(b"text", [ROOT])).signature
    flipped = bytes([signature[0] ^ 1]) + signature[1:]
    other_order = _signature(SEED, b"text", [OTHER, ROOT])
    return Topic(
        "signatures",
        "Signing is deterministic, so signatures are compared byte for byte. A signature covers "
        "the encoding with the author and without the signature.",
        (
            _sign("sign-first", "Sign a first snapshot", b"first", []),
            _sign("sign-edit", "Sign a change", b"text", [ROOT]),
            _sign("sign-deletion", "Sign a deletion", None, [ROOT]),
            _sign("sign-resolution", "Sign a resolution", b"both", [ROOT, OTHER]),
            _verify("good", "A good signature", GOOD, valid=True),
            _verify(
                "other-content",
                "The content was exchanged",
                _signed(b"forged", [ROOT], author, signature),
                span,
            ),
            _verify(
                "content-removed",
                "The content was removed, which makes it a deletion",
                _signed(None, [ROOT], author, signature),
                span,
            ),
            _verify(
                "other-parent",
                "The parent was exchanged",
                _signed(b"text", [OTHER], author, signature),
                span,
            ),
            _verify(
                "parents-in-another-order",
                "The parents were swapped",
                _signed(b"text", [ROOT, OTHER], author, other_order),
                span,
                "CD-SNAPSHOT-PARENT-ORDER",
            ),
            _verify(
                "other-author",
                "Somebody else claims the snapshot",
                _signed(b"text", [ROOT], _author(OTHER_SEED), signature),
                span,
            ),
            _verify(
                "author-not-covered",
                "A signature over the snapshot without its author",
                _signed(b"text", [ROOT], author, bare),
                span,
            ),
            _verify(
                "bit-flipped",
                "One bit of the signature is another",
                _signed(b"text", [ROOT], author, flipped),
            ),
            _verify(
                "signature-too-short",
                "A signature of 63 bytes",
                _signed(b"text", [ROOT], author, signature[:63]),
            ),
            _verify(
                "signature-too-long",
                "A signature of 65 bytes",
                _signed(b"text", [ROOT], author, signature + b"\0"),
            ),
            _verify(
                "signature-empty", "A signature of no bytes", _signed(b"text", [ROOT], author, b"")
            ),
            _verify(
                "unsigned",
                "Neither author nor signature: well formed, and nothing that is valid",
                _signed(b"text", [ROOT]),
                "CD-SIGN-BOTH",
            ),
            _refused(
                "author-alone", "An author without a signature", _signed(b"text", [ROOT], author)
            ),
            _refused(
                "signature-alone",
                "A signature without an author",
                _signed(b"text", [ROOT], None, signature),
            ),
            _refused(
                "author-too-short",
                "An author of 31 bytes",
                _signed(b"text", [ROOT], author[:31], signature),
            ),
        ),
    )
