"""Resolving by renaming, and renaming files."""

from __future__ import annotations

from rejoin_conformance.contract.vector import Draft
from rejoin_conformance.systems.conflict_detection.drafts.by_hand.drafts import (
    in_both_designs,
)
from rejoin_conformance.systems.conflict_detection.drafts.by_hand.stories import (
    Story,
    edit,
    poll,
    rename,
)
from rejoin_conformance.systems.conflict_detection.drafts.resolution.shared import (
    held_by_both,
)


def drafts() -> tuple[Draft, ...]:
    """Resolving by renaming, and renaming files."""
    return (
        *in_both_designs(
            "into-place",
            "The conflict file takes the place of the file",
            ("CD-RESOLVE-RENAME",),
            lambda design: (
                held_by_both(design)
                .step(rename("A", "foo.conflict-B", "foo"), None, {"A": "foo=b"})
                .step(poll("B", "A"), "overwrite", {"B": "foo=b"})
            ),
        ),
        *in_both_designs(
            "into-place-touched",
            "The conflict file takes the place of the file with what was written into it",
            ("CD-RESOLVE-RENAME", "CD-CONFLICT-FILE-UNTRACKED"),
            lambda design: (
                held_by_both(design)
                .step(edit("A", "b+", "foo.conflict-B"), None, {"A": "foo=a foo.conflict-B=b+"})
                .step(rename("A", "foo.conflict-B", "foo"), None, {"A": "foo=b+"})
                .step(poll("B", "A"), "overwrite", {"B": "foo=b+"})
            ),
        ),
        *in_both_designs(
            "away",
            "The conflict file becomes a file of its own",
            ("CD-RESOLVE-RENAME", "CD-RESOLVE-KEEPS-CONTENT"),
            lambda design: (
                held_by_both(design)
                .step(rename("A", "foo.conflict-B", "bar"), None, {"A": "bar=b foo=a"})
                .step(poll("B", "A"), "overwrite", {"B": "foo=a"})
                .step(poll("B", "A", "bar"), "overwrite", {"B": "bar=b foo=a"})
            ),
        ),
        *in_both_designs(
            "rename-a-file",
            "A renamed file is deleted at the old path and new at the other one",
            ("CD-RENAME", "CD-FOLLOWS-SEPARATE-FILES"),
            lambda design: (
                Story(design, "AB")
                .step(edit("A", "X"), None, {"A": "foo=X"})
                .step(poll("B", "A"), "overwrite", {"B": "foo=X"})
                .step(rename("A", "foo", "bar"), None, {"A": "bar=X"})
                .step(poll("B", "A"), "overwrite", {"B": ""})
                .step(poll("B", "A", "bar"), "overwrite", {"B": "bar=X"})
            ),
        ),
        *in_both_designs(
            "rename-back",
            "Renaming back brings the file back at the old path",
            ("CD-RENAME", "CD-UNDELETE"),
            lambda design: (
                Story(design, "AB")
                .step(edit("A", "X"), None, {"A": "foo=X"})
                .step(poll("B", "A"), "overwrite", {"B": "foo=X"})
                .step(rename("A", "foo", "bar"), None, {"A": "bar=X"})
                .step(rename("A", "bar", "foo"), None, {"A": "foo=X"})
                .step(poll("B", "A"), "overwrite", {"B": "foo=X"})
            ),
        ),
    )
