"""Each refusal of a value has its code, which no vector compares."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from attrs import evolve
from nacl.signing import SigningKey

from rejoin import conflict_detection as cd
from rejoin.conflict_detection.grid import update_directory, update_subscriptions
from rejoin.conflict_detection.signed_snapshots import check_signature
from rejoin.conflict_detection.version_maps import LARGEST_VERSION

SEED = bytes(range(32))
C, P = b"c" * 32, b"p" * 32
SIGNED = cd.sign_snapshot(cd.new_snapshot(C, [P]), SEED)
WRITE = b"w" * 32

REFUSALS: list[tuple[str, Callable[[], object]]] = [
    *(
        (code, lambda versions=versions: cd.version_dag(versions))
        for code, versions in [
            ("duplicate-version", [("a", []), ("a", [])]),
            ("duplicate-parent", [("a", []), ("b", ["a", "a"])]),
            ("unknown-version", [("b", ["a"])]),
            ("cycle", [("a", ["a"])]),
            ("cycle", [("a", ["b"]), ("b", ["a"])]),
            ("cycle", [("r", []), ("a", ["r", "c"]), ("b", ["a"]), ("c", ["b"])]),
        ]
    ),
    ("unknown-version", lambda: cd.check_known({"a": ()}, "a", "b")),
    ("version-number", lambda: cd.check_version_map({"A": -1})),
    ("version-number", lambda: cd.check_version_map({"A": LARGEST_VERSION + 1})),
    ("bad-nickname", lambda: cd.check_version_map({"": 1})),
    ("bad-capability", lambda: cd.new_snapshot(b"short", [])),
    ("bad-capability", lambda: cd.new_snapshot(C, [b"short"])),
    ("duplicate-parent", lambda: cd.new_snapshot(C, [P, P])),
    ("empty-snapshot", lambda: cd.new_snapshot(None, [])),
    *(
        ("bad-signature", lambda changed=changed: check_signature(changed))
        for changed in [
            evolve(SIGNED, content=b"d" * 32),
            evolve(SIGNED, content=None),
            evolve(SIGNED, parents=()),
            evolve(SIGNED, author=bytes(SigningKey(b"z" * 32).verify_key)),
            evolve(SIGNED, author=b"\xff" * 32),
            evolve(SIGNED, signature=bytes(64)),
            evolve(SIGNED, signature=b""),
            evolve(SIGNED, signature=(SIGNED.signature or b"") + b"\0"),
        ]
    ),
    ("half-signed", lambda: check_signature(evolve(SIGNED, author=None))),
    ("half-signed", lambda: check_signature(evolve(SIGNED, signature=None))),
    ("bad-key", lambda: cd.is_signature_valid(evolve(SIGNED, author=b"a"))),
    ("bad-key", lambda: cd.sign_snapshot(SIGNED, b"short")),
    ("missing-object", lambda: cd.fetch_content(cd.Grid(), b"n" * 32)),
    ("missing-object", lambda: cd.fetch_snapshot(cd.Grid(), b"n" * 32)),
    ("missing-object", lambda: cd.read_directory(cd.Grid(), b"n" * 32)),
    (
        "no-write-capability",
        lambda: update_directory(
            update_subscriptions(cd.Grid(), WRITE, {}),
            cd.read_capability(WRITE),
            {"a": cd.Entry(b"1")},
        ),
    ),
]


def test_each_refusal_has_its_code() -> None:
    for place, (code, refused) in enumerate(REFUSALS):
        with pytest.raises(cd.ConflictDetectionError) as refusal:
            refused()
        assert refusal.value.code == code, place


def test_a_version_number_in_range_and_a_whole_signature_are_allowed() -> None:
    for version in (0, 1, LARGEST_VERSION):
        cd.check_version_map({"A": version})
    check_signature(SIGNED)
