"""Topic `signed-clients`: scenarios of clients that sign their snapshots."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, TypeAlias

from nacl.signing import SigningKey

from rejoin_conformance.contract.drafting import accepted, refused
from rejoin_conformance.contract.vector import Draft, Topic
from rejoin_conformance.kit.json_types import Json, JsonObject
from rejoin_conformance.systems.conflict_detection.snapshots import (
    blake2b,
    encoded_snapshot,
    snapshot_id,
)

SEEDS: Final = {"A": bytes(range(32)), "B": bytes(range(32, 64))}
CLIENTS: Final = ("A", "B", "C")

Changes: TypeAlias = dict[str, tuple[dict[str, str], bytes]]
"""Client -> its files and its version of foo after a step."""

Step: TypeAlias = tuple[JsonObject, str | None, Changes]
"""A step, its finding, and its changes."""


def _signed(
    client: str, content: bytes | None, *parents: bytes, changed_bit: bool = False
) -> bytes:
    """Return the identity of a snapshot that a client signed, put together by hand.

    changed_bit: whether the lowest bit of the signature's first byte is changed, as in a forgery.
    """
    key = SigningKey(SEEDS[client])
    author = bytes(key.verify_key)
    signature = key.sign(encoded_snapshot(content, parents, author)).signature
    first = bytes([signature[0] ^ changed_bit])
    return blake2b(encoded_snapshot(content, parents, author, first + signature[1:]))


def _edit(client: str, text: str, version: bytes) -> Step:
    return {"client": client, "edit": text}, None, {client: ({"foo": text}, version)}


def _taken(client: str, other: str, text: str, version: bytes) -> Step:
    """Return the step in which a client takes over another client's version."""
    changes: Changes = {client: ({"foo": text}, version)}
    return {"client": client, "poll": other}, "overwrite", changes


def _scenario(
    name: str, summary: str, clauses: str, keys: str, steps: Sequence[Step], level: str = "must"
) -> Draft:
    """Return a scenario of A, B and C. keys: the clients that sign."""
    files: dict[str, Json] = {client: {} for client in CLIENTS}
    versions: dict[str, Json] = {client: {} for client in CLIENTS}
    reports: list[Json] = []
    for _, found, changes in steps:
        for client, (own, version) in changes.items():
            files[client] = {**own}
            versions[client] = {"foo": version.hex()}
        reports.append({"classification": found, "files": {**files}, "versions": {**versions}})
    return accepted(
        "conflict-detection/scenario",
        name,
        summary,
        clauses,
        given={
            "design": "snapshots",
            "clients": [*CLIENTS],
            "signing_keys": {client: SEEDS[client].hex() for client in keys},
            "steps": [step for step, _, _ in steps],
            "report": ["versions"],
        },
        output={"steps": reports},
        level="should" if level == "should" else "must",
    )


X: Final = snapshot_id(b"X")


def _equal_changes(name: str, summary: str, keys: str, ours: bytes, theirs: bytes) -> Draft:
    """Return a scenario in which A and B make the same change of C's version."""
    return _scenario(
        name,
        summary,
        "CD-SIGN-MEMBER CD-SNAPSHOT-ID CD-CLASSIFY-CONFLICT",
        keys,
        [
            _edit("C", "X", X),
            _taken("A", "C", "X", X),
            _taken("B", "C", "X", X),
            _edit("A", "new", ours),
            _edit("B", "new", theirs),
            (
                {"client": "A", "poll": "B"},
                "conflict",
                {"A": ({"foo": "new", "foo.conflict-B": "new"}, ours)},
            ),
        ],
    )


def _walk() -> Draft:
    """Return a scenario in which C fetches snapshots of two authors, a resolution among them."""
    root = _signed("A", b"X")
    ours, theirs = _signed("A", b"a", root), _signed("B", b"b", root)
    both = _signed("A", b"ab", ours, theirs)
    gone = _signed("B", None, both)
    back = _signed("A", b"back", gone)
    unsigned = snapshot_id(b"c", [back])
    return _scenario(
        "walk-over-signatures",
        "A client accepts valid signatures of all authors that its walk meets, on edits, a "
        "resolution and a deletion, and its own unsigned version follows them.",
        "CD-SIGN-REFUSE CD-SIGN-MEMBER CD-SIGN-SPAN CD-SIGN-VERIFY",
        "AB",
        [
            _edit("A", "X", root),
            _taken("B", "A", "X", root),
            _taken("C", "A", "X", root),
            ({"client": "A", "offline": True}, None, {}),
            ({"client": "A", "edit": "a"}, None, {"A": ({"foo": "a"}, root)}),
            ({"client": "A", "online": True}, None, {"A": ({"foo": "a"}, ours)}),
            _edit("B", "b", theirs),
            (
                {"client": "A", "poll": "B"},
                "conflict",
                {"A": ({"foo": "a", "foo.conflict-B": "b"}, ours)},
            ),
            (
                {"client": "A", "resolve": ["B"], "text": "ab"},
                None,
                {"A": ({"foo": "ab"}, both)},
            ),
            _taken("B", "A", "ab", both),
            ({"client": "B", "delete": True}, None, {"B": ({}, gone)}),
            ({"client": "A", "poll": "B"}, "overwrite", {"A": ({}, gone)}),
            ({"client": "A", "undelete": "back"}, None, {"A": ({"foo": "back"}, back)}),
            _taken("C", "A", "back", back),
            _edit("C", "c", unsigned),
            _taken("B", "C", "c", unsigned),
        ],
        level="should",
    )


def _forgeries() -> Draft:
    """Return a scenario of two forgeries: one sets the bit of the signature, one clears it."""
    first = _signed("A", b"a", changed_bit=True)
    second = _signed("A", b"c", first, changed_bit=True)
    return _scenario(
        "forged",
        "The identity of a snapshot with a forged signature covers the signature as it is.",
        "CD-SNAPSHOT-ID CD-SIGN-MEMBER",
        "A",
        [
            ({"client": "A", "edit": text, "forged": True}, None, {"A": ({"foo": text}, version)})
            for text, version in (("a", first), ("c", second))
        ],
    )


def _bad_key(name: str, summary: str, key: bytes) -> Draft:
    given: JsonObject = {"content": b"text".hex(), "parents": [X.hex()]}
    return refused(
        "conflict-detection/sign-snapshot",
        name,
        summary,
        "CD-SIGN-MEMBER",
        given={**given, "signing_key": key.hex()},
        mended={**given, "signing_key": SEEDS["A"].hex()},
    )


TOPIC: Final = Topic(
    "signed-clients",
    "The identity of a signed snapshot covers its author and its signature, so two clients that "
    "sign make two versions of one change. The versions are put together by hand.",
    (
        _equal_changes(
            "one-change-by-two-authors",
            "Equal changes of two clients that sign are two versions.",
            "AB",
            _signed("A", b"new", X),
            _signed("B", b"new", X),
        ),
        _equal_changes(
            "one-change-signed-and-unsigned",
            "Equal changes of a client that signs and one that does not are two versions.",
            "B",
            snapshot_id(b"new", [X]),
            _signed("B", b"new", X),
        ),
        _walk(),
        _forgeries(),
        _bad_key("key-too-short", "A signing key cannot have 31 bytes.", SEEDS["A"][:31]),
        _bad_key("key-too-long", "A signing key cannot have 33 bytes.", SEEDS["A"] + b"\0"),
    ),
)
"""The vectors of clients that sign."""
