"""Resolving: what the new version follows, and what the file holds."""

from __future__ import annotations

from rejoin_conformance.contract.vector import Draft
from rejoin_conformance.systems.conflict_detection.drafts.by_hand.drafts import (
    in_both_designs,
    of_story,
)
from rejoin_conformance.systems.conflict_detection.drafts.by_hand.encodings import snapshot_id
from rejoin_conformance.systems.conflict_detection.drafts.by_hand.stories import (
    SNAPSHOTS,
    Story,
    delete,
    edit,
    offline,
    online,
    poll,
    resolve,
)
from rejoin_conformance.systems.conflict_detection.drafts.resolution.shared import (
    held_by_both,
    held_of_three,
)


def drafts() -> tuple[Draft, ...]:
    """Resolving: what the new version follows, and what the file holds."""
    first = snapshot_id(b"X")
    ours, theirs = snapshot_id(b"a", [first]), snapshot_id(b"b", [first])
    third = snapshot_id(b"c", [first])
    two = snapshot_id(b"a", [ours, theirs])
    three = snapshot_id(b"abc", [ours, *sorted([theirs, third])])
    return (
        *in_both_designs(
            "delete-the-conflict-file",
            "Deleting the conflict file keeps our content",
            ("CD-RESOLVE-KEEPS-CONTENT", "CD-RESOLVE-PARENTS"),
            lambda design: (
                held_by_both(design)
                .step(delete("A", "foo.conflict-B"), None, {"A": "foo=a"})
                .step(poll("B", "A"), "overwrite", {"B": "foo=a"})
            ),
        ),
        *in_both_designs(
            "with-new-content",
            "The differences are worked into the file",
            ("CD-RESOLVE-PARENTS",),
            lambda design: (
                held_by_both(design)
                .step(resolve("A", "B", "ab"), None, {"A": "foo=ab"})
                .step(poll("B", "A"), "overwrite", {"B": "foo=ab"})
            ),
        ),
        of_story(
            "parents",
            "parent0 is our snapshot, parent1 theirs",
            ("CD-RESOLVE-PARENTS", "CD-SNAPSHOT-PARENT-ORDER"),
            Story(SNAPSHOTS, "AB", versions={"A": {}, "B": {}})
            .step(edit("A", "X"), None, {"A": "foo=X"}, versions={"A": {"foo": first.hex()}})
            .step(poll("B", "A"), "overwrite", {"B": "foo=X"}, versions={"B": {"foo": first.hex()}})
            .step(edit("A", "a"), None, {"A": "foo=a"}, versions={"A": {"foo": ours.hex()}})
            .step(edit("B", "b"), None, {"B": "foo=b"}, versions={"B": {"foo": theirs.hex()}})
            .step(poll("A", "B"), "conflict", {"A": "foo=a foo.conflict-B=b"})
            .step(resolve("A", "B"), None, {"A": "foo=a"}, versions={"A": {"foo": two.hex()}}),
        ),
        of_story(
            "parents-in-byte-order",
            "The snapshots of several conflict files follow in the byte order of their IDs",
            ("CD-RESOLVE-PARENTS", "CD-RESOLVE-SEVERAL"),
            Story(SNAPSHOTS, "ABC", versions={"A": {}, "B": {}, "C": {}})
            .step(edit("A", "X"), None, {"A": "foo=X"}, versions={"A": {"foo": first.hex()}})
            .step(poll("B", "A"), "overwrite", {"B": "foo=X"}, versions={"B": {"foo": first.hex()}})
            .step(poll("C", "A"), "overwrite", {"C": "foo=X"}, versions={"C": {"foo": first.hex()}})
            .step(edit("A", "a"), None, {"A": "foo=a"}, versions={"A": {"foo": ours.hex()}})
            .step(edit("B", "b"), None, {"B": "foo=b"}, versions={"B": {"foo": theirs.hex()}})
            .step(edit("C", "c"), None, {"C": "foo=c"}, versions={"C": {"foo": third.hex()}})
            .step(poll("A", "B"), "conflict", {"A": "foo=a foo.conflict-B=b"})
            .step(poll("A", "C"), "conflict", {"A": "foo=a foo.conflict-B=b foo.conflict-C=c"})
            .step(
                resolve("A", "CB", "abc"),
                None,
                {"A": "foo=abc"},
                versions={"A": {"foo": three.hex()}},
            ),
        ),
        *in_both_designs(
            "several",
            "Two conflicts are resolved by one version",
            ("CD-RESOLVE-SEVERAL",),
            lambda design: (
                held_of_three(design)
                .step(resolve("A", "BC", "abc"), None, {"A": "foo=abc"})
                .step(poll("B", "A"), "overwrite", {"B": "foo=abc"})
                .step(poll("C", "A"), "overwrite", {"C": "foo=abc"})
            ),
        ),
        *in_both_designs(
            "one-of-two",
            "The other conflict stays",
            ("CD-RESOLVE-SEVERAL", "CD-CLASSIFY-CONFLICT"),
            lambda design: (
                held_of_three(design)
                .step(resolve("A", "B"), None, {"A": "foo=a foo.conflict-C=c"})
                .step(poll("B", "A"), "overwrite", {"B": "foo=a"})
                .step(poll("C", "A"), "conflict", {"C": "foo=c foo.conflict-A=a"})
            ),
        ),
        *in_both_designs(
            "offline",
            "A resolution made offline follows what was resolved",
            ("CD-OFFLINE-ONE-UPLOAD", "CD-RESOLVE-PARENTS"),
            lambda design: (
                held_by_both(design)
                .step(offline("A"))
                .step(resolve("A", "B"), None, {"A": "foo=a"})
                .step(edit("A", "ab"), None, {"A": "foo=ab"})
                .step(online("A"))
                .step(poll("B", "A"), "overwrite", {"B": "foo=ab"})
            ),
        ),
    )
