"""Topic `local-merge`: clients that join with files of their own."""

from __future__ import annotations

from rejoin_conformance.contract.vector import Draft, Topic
from rejoin_conformance.systems.conflict_detection.drafts.by_hand.drafts import (
    in_both_designs,
    of_story,
    refused,
    repaired_only,
)
from rejoin_conformance.systems.conflict_detection.drafts.by_hand.encodings import snapshot_id
from rejoin_conformance.systems.conflict_detection.drafts.by_hand.stories import (
    MAPS,
    SNAPSHOTS,
    Story,
    edit,
    join,
    poll,
    resolve,
)


def topic() -> Topic:
    """The vectors of the local merge."""
    return Topic(
        "local-merge",
        "A client joins a folder with a directory that has files in it.",
        (*_drafts(), *_equal_contents(), *_refusals()),
    )


def _folder(design: str) -> Story:
    """A has a file with a history of two versions."""
    return (
        Story(design, "A")
        .step(edit("A", "X"), None, {"A": "foo=X"})
        .step(edit("A", "Y"), None, {"A": "foo=Y"})
    )


def _drafts() -> tuple[Draft, ...]:
    conflict, roots = "CD-LOCAL-MERGE-CONFLICT", "CD-LOCAL-MERGE-ROOTS"
    return (
        *in_both_designs(
            "collision",
            "A path that both have is a conflict for both",
            (conflict, roots),
            lambda design: (
                _folder(design)
                .step(join("B", "foo=mine"), None, {"B": "foo=mine"})
                .step(poll("B", "A"), "conflict", {"B": "foo=mine foo.conflict-A=Y"})
                .step(poll("A", "B"), "conflict", {"A": "foo=Y foo.conflict-B=mine"})
            ),
        ),
        *in_both_designs(
            "no-collision",
            "Other paths are taken over both ways",
            (roots, "CD-CLASSIFY-FIRST"),
            lambda design: (
                _folder(design)
                .step(join("B", "bar=mine"), None, {"B": "bar=mine"})
                .step(poll("B", "A"), "overwrite", {"B": "bar=mine foo=Y"})
                .step(poll("A", "B", "bar"), "overwrite", {"A": "bar=mine foo=Y"})
            ),
        ),
        *in_both_designs(
            "without-files",
            "A client that brings nothing takes everything over",
            ("CD-CLASSIFY-FIRST", "CD-SUBSCRIPTIONS"),
            lambda design: (
                _folder(design)
                .step(join("B"), None, {"B": ""})
                .step(poll("B", "A"), "overwrite", {"B": "foo=Y"})
            ),
        ),
        *in_both_designs(
            "collision-resolved",
            "The resolution of a collision is an overwrite for the folder",
            (conflict, "CD-RESOLVE-THIRD-PARTY"),
            lambda design: (
                _folder(design)
                .step(join("B", "foo=mine"), None, {"B": "foo=mine"})
                .step(poll("B", "A"), "conflict", {"B": "foo=mine foo.conflict-A=Y"})
                .step(resolve("B", "A", "both"), None, {"B": "foo=both"})
                .step(poll("A", "B"), "overwrite", {"A": "foo=both"})
            ),
        ),
        *in_both_designs(
            "two-late-clients",
            "Two clients that join with the same path conflict with each other too",
            (conflict,),
            lambda design: (
                _folder(design)
                .step(join("B", "foo=b"), None, {"B": "foo=b"})
                .step(join("C", "foo=c"), None, {"C": "foo=c"})
                .step(poll("B", "C"), "conflict", {"B": "foo=b foo.conflict-C=c"})
                .step(poll("B", "A"), "conflict", {"B": "foo=b foo.conflict-A=Y foo.conflict-C=c"})
            ),
        ),
        of_story(
            "roots",
            "What a client brings has no parents",
            (roots, "CD-SNAPSHOT-ID"),
            Story(SNAPSHOTS, "A", versions={"A": {}}).step(
                join("B", "bar=1 foo=2"),
                None,
                {"B": "bar=1 foo=2"},
                versions={"B": {"bar": snapshot_id(b"1").hex(), "foo": snapshot_id(b"2").hex()}},
            ),
        ),
    )


def _equal_contents() -> tuple[Draft, ...]:
    conflict = "CD-LOCAL-MERGE-CONFLICT"
    return (
        *in_both_designs(
            "equal-content-with-a-history",
            "A content that the folder has as a later version is a conflict like any other",
            (conflict,),
            lambda design: (
                _folder(design)
                .step(join("B", "foo=Y"), None, {"B": "foo=Y"})
                .step(poll("B", "A"), "conflict", {"B": "foo=Y foo.conflict-A=Y"})
            ),
        ),
        of_story(
            "equal-first-versions-snapshots",
            "Two equal first versions are one snapshot",
            (conflict, "CD-SNAPSHOT-ID", "CD-CLASSIFY-SAME"),
            Story(SNAPSHOTS, "A")
            .step(edit("A", "X"), None, {"A": "foo=X"})
            .step(join("B", "foo=X"), None, {"B": "foo=X"})
            .step(poll("B", "A"), "same"),
        ),
        repaired_only(
            "equal-first-versions-maps",
            "Two equal first versions are two uploads",
            (conflict,),
            Story(MAPS, "A")
            .step(edit("A", "X"), None, {"A": "foo=X"})
            .step(join("B", "foo=X"), None, {"B": "foo=X"})
            .step(poll("B", "A"), "conflict", {"B": "foo=X foo.conflict-A=X"}),
        ),
        of_story(
            "old-first-version",
            "A first version that the folder has gone on from is stale, and theirs overwrites",
            ("CD-CLASSIFY-STALE", "CD-CLASSIFY-OVERWRITE", "CD-SNAPSHOT-ID"),
            _folder(SNAPSHOTS)
            .step(join("B", "foo=X"), None, {"B": "foo=X"})
            .step(
                poll("A", "B"),
                "stale",
                literal_found="conflict",
                literal={"A": "foo=Y foo.conflict-B=X"},
            )
            .step(poll("B", "A"), "overwrite", {"B": "foo=Y"}),
        ),
    )


def _refusals() -> tuple[Draft, ...]:
    return (
        refused(
            "join-twice",
            "A client that is there already",
            ("CD-NICKNAME",),
            Story(SNAPSHOTS, "AB").step(join("B")),
            Story(SNAPSHOTS, "A").step(join("B")),
        ),
        refused(
            "join-with-a-conflict-file",
            "A file that bears the name of a conflict file",
            ("CD-PATH", "CD-LOCAL-MERGE-ROOTS"),
            Story(SNAPSHOTS, "A").step(join("B", "foo.conflict-A=mine")),
            Story(SNAPSHOTS, "A").step(join("B", "foo=mine")),
        ),
    )
