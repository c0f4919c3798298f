"""Deletions that conflict."""

from __future__ import annotations

from rejoin_conformance.contract.vector import Draft
from rejoin_conformance.systems.conflict_detection.drafts.by_hand.drafts import (
    in_both_designs,
    of_story,
    repaired_only,
)
from rejoin_conformance.systems.conflict_detection.drafts.by_hand.stories import (
    MAPS,
    SNAPSHOTS,
    delete,
    edit,
    poll,
    resolve,
)
from rejoin_conformance.systems.conflict_detection.drafts.deletion.shared import (
    deleted,
)


def drafts() -> tuple[Draft, ...]:
    """Deletions that conflict."""
    return (
        *in_both_designs(
            "changed-by-another",
            "Who deleted a file that another one changed gets a conflict file",
            ("CD-CLASSIFY-CONFLICT", "CD-CONFLICT-APPLY"),
            lambda design: (
                deleted(design)
                .step(edit("B", "b"), None, {"B": "foo=b"})
                .step(poll("A", "B"), "conflict", {"A": "foo.conflict-B=b"})
            ),
        ),
        *in_both_designs(
            "deleted-by-another",
            "Who changed a file that another one deleted holds a conflict without a file",
            ("CD-CONFLICT-FILE-DELETION", "CD-CLASSIFY-CONFLICT"),
            lambda design: (
                deleted(design)
                .step(edit("B", "b"), None, {"B": "foo=b"})
                .step(poll("B", "A"), "conflict")
            ),
        ),
        *in_both_designs(
            "change-wins",
            "Who changed the file resolves, and keeps it",
            ("CD-CONFLICT-FILE-DELETION", "CD-RESOLVE-KEEPS-CONTENT"),
            lambda design: (
                deleted(design)
                .step(edit("B", "b"), None, {"B": "foo=b"})
                .step(poll("B", "A"), "conflict")
                .step(resolve("B", "A"))
                .step(poll("A", "B"), "overwrite", {"A": "foo=b"})
            ),
        ),
        *in_both_designs(
            "deletion-wins",
            "Who deleted the file removes the conflict file: it stays deleted",
            ("CD-RESOLVE-KEEPS-CONTENT", "CD-DELETE-SNAPSHOT"),
            lambda design: (
                deleted(design)
                .step(edit("B", "b"), None, {"B": "foo=b"})
                .step(poll("A", "B"), "conflict", {"A": "foo.conflict-B=b"})
                .step(delete("A", "foo.conflict-B"), None, {"A": ""})
                .step(poll("B", "A"), "overwrite", {"B": ""})
            ),
        ),
        *in_both_designs(
            "deletion-is-followed-by-the-resolution",
            "A deletion that is held is over when its maker takes the change over",
            ("CD-CONFLICT-FILE-DELETION", "CD-CONFLICT-FILE-GONE"),
            lambda design: (
                deleted(design)
                .step(edit("B", "b"), None, {"B": "foo=b"})
                .step(poll("B", "A"), "conflict")
                .step(poll("A", "B"), "conflict", {"A": "foo.conflict-B=b"})
                .step(
                    {"client": "A", "rename": "foo", "file": "foo.conflict-B"}, None, {"A": "foo=b"}
                )
                .step(poll("B", "A"), "overwrite")
            ),
        ),
        of_story(
            "deleted-by-both-snapshots",
            "The same deletion of the same version is one snapshot",
            ("CD-SNAPSHOT-ID", "CD-CLASSIFY-SAME"),
            deleted(SNAPSHOTS).step(delete("B"), None, {"B": ""}).step(poll("A", "B"), "same"),
        ),
        repaired_only(
            "deleted-by-both-maps",
            "The same deletion of the same version is two uploads",
            ("CD-MAP-DELETION", "CD-CLASSIFY-CONFLICT"),
            deleted(MAPS).step(delete("B"), None, {"B": ""}).step(poll("A", "B"), "conflict"),
        ),
    )
