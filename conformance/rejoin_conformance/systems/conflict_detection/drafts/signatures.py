"""Topic `signatures`: Ed25519 over snapshots, with spans put together by hand."""

from __future__ import annotations

from typing import Final

from nacl.signing import SigningKey

from rejoin_conformance.contract.drafting import accepted, refused
from rejoin_conformance.contract.vector import Draft, Topic
from rejoin_conformance.kit.json_types import JsonObject
from rejoin_conformance.systems.conflict_detection.snapshots import (
    blake2b,
    encoded_snapshot,
    snapshot_id,
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


AUTHOR: Final = _author(SEED)
NEUTRAL: Final = (1).to_bytes(32, "little") + bytes(32)
"""The neutral point and the scalar 0: a lax verifier accepts them for an author of order 1."""
SIGNATURE: Final = _signature(SEED, b"text", [ROOT])


def _snapshot(
    content: bytes | None,
    parents: list[bytes],
    author: bytes | None = None,
    signature: bytes | None = None,
) -> JsonObject:
    """Return a snapshot with the author and the signature, if they are given."""
    value: JsonObject = {
        "content": None if content is None else content.hex(),
        "parents": [parent.hex() for parent in parents],
    }
    if author is not None:
        value["author"] = author.hex()
    if signature is not None:
        value["signature"] = signature.hex()
    return value


GOOD: Final = _snapshot(b"text", [ROOT], AUTHOR, SIGNATURE)


def _sign(name: str, summary: str, content: bytes | None, parents: list[bytes]) -> Draft:
    signature = _signature(SEED, content, parents)
    encoded = encoded_snapshot(content, parents, AUTHOR, signature)
    return accepted(
        SIGN,
        name,
        summary,
        "CD-SIGN-SPAN CD-SIGN-MEMBER",
        given={**_snapshot(content, parents), "signing_key": SEED.hex()},
        output={
            "author": AUTHOR.hex(),
            "signature": signature.hex(),
            "id": blake2b(encoded).hex(),
        },
    )


def _verify(
    name: str, summary: str, value: JsonObject, clauses: str = "", *, valid: bool = False
) -> Draft:
    return accepted(
        VERIFY,
        name,
        summary,
        f"CD-SIGN-VERIFY {clauses}",
        given=value,
        output={"valid": valid},
    )


def _refused(name: str, summary: str, value: JsonObject) -> Draft:
    return refused(VERIFY, name, summary, "CD-SIGN-BOTH", given=value, mended=GOOD)


def _invalid() -> tuple[Draft, ...]:
    span = "CD-SIGN-SPAN"
    bare = SigningKey(SEED).sign(encoded_snapshot(b"text", [ROOT])).signature
    flipped = bytes([SIGNATURE[0] ^ 1]) + SIGNATURE[1:]
    other_order = _signature(SEED, b"text", [OTHER, ROOT])
    return (
        _verify(
            "other-content",
            "The signature does not fit another content.",
            _snapshot(b"forged", [ROOT], AUTHOR, SIGNATURE),
            span,
        ),
        _verify(
            "content-removed",
            "The signature does not fit the deletion that is left without the content.",
            _snapshot(None, [ROOT], AUTHOR, SIGNATURE),
            span,
        ),
        _verify(
            "other-parent",
            "The signature does not fit another parent.",
            _snapshot(b"text", [OTHER], AUTHOR, SIGNATURE),
            span,
        ),
        _verify(
            "parents-in-another-order",
            "The signature does not fit the parents in another order.",
            _snapshot(b"text", [ROOT, OTHER], AUTHOR, other_order),
            f"{span} CD-SNAPSHOT-PARENT-ORDER",
        ),
        _verify(
            "other-author",
            "The signature does not fit another author.",
            _snapshot(b"text", [ROOT], _author(OTHER_SEED), SIGNATURE),
            span,
        ),
        _verify(
            "author-not-covered",
            "A signature must cover the author.",
            _snapshot(b"text", [ROOT], AUTHOR, bare),
            span,
        ),
        _verify(
            "bit-flipped",
            "A signature with one changed bit is not valid.",
            _snapshot(b"text", [ROOT], AUTHOR, flipped),
        ),
        _verify(
            "signature-too-short",
            "A signature of 63 bytes is not valid.",
            _snapshot(b"text", [ROOT], AUTHOR, SIGNATURE[:63]),
        ),
        _verify(
            "signature-too-long",
            "A signature of 65 bytes is not valid.",
            _snapshot(b"text", [ROOT], AUTHOR, SIGNATURE + b"\0"),
        ),
        _verify(
            "signature-empty",
            "A signature of no bytes is not valid.",
            _snapshot(b"text", [ROOT], AUTHOR, b""),
        ),
        _verify(
            "author-not-a-point",
            "An author of 32 bytes that is no point of the curve has no valid signature.",
            _snapshot(b"text", [ROOT], (2).to_bytes(32, "little"), SIGNATURE),
        ),
        _verify(
            "author-not-reduced",
            "An author whose coordinate is not below 2^255 - 19 has no valid signature.",
            _snapshot(b"text", [ROOT], (2**255 - 18).to_bytes(32, "little"), NEUTRAL),
        ),
        _verify(
            "unsigned",
            "A snapshot without author and signature is well formed, and not valid.",
            _snapshot(b"text", [ROOT]),
            "CD-SIGN-BOTH",
        ),
    )


TOPIC: Final = Topic(
    "signatures",
    "Signing is deterministic, so signatures are compared byte for byte. A signature covers the "
    "encoding with the author and without the signature.",
    (
        _sign("sign-first", "A client signs a first snapshot.", b"first", []),
        _sign("sign-edit", "A client signs a change.", b"text", [ROOT]),
        _sign("sign-deletion", "A client signs a deletion.", None, [ROOT]),
        _sign("sign-resolution", "A client signs a resolution.", b"both", [ROOT, OTHER]),
        _verify("good", "The signature fits the snapshot and its author.", GOOD, valid=True),
        *_invalid(),
        _refused(
            "author-alone",
            "A snapshot cannot have an author without a signature.",
            _snapshot(b"text", [ROOT], AUTHOR),
        ),
        _refused(
            "signature-alone",
            "A snapshot cannot have a signature without an author.",
            _snapshot(b"text", [ROOT], None, SIGNATURE),
        ),
        _refused(
            "author-too-short",
            "An author cannot have 31 bytes.",
            _snapshot(b"text", [ROOT], AUTHOR[:31], SIGNATURE),
        ),
    ),
)
"""The vectors of signed snapshots."""
