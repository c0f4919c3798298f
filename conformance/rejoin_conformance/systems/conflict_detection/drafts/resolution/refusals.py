"""Resolutions and renames that are not possible."""

from __future__ import annotations

from rejoin_conformance.contract.vector import Draft
from rejoin_conformance.systems.conflict_detection.drafts.by_hand.drafts import (
    OPERATION,
    refused,
)
from rejoin_conformance.systems.conflict_detection.drafts.by_hand.stories import (
    MAPS,
    SNAPSHOTS,
    Story,
    changed_at_once,
    delete,
    edit,
    poll,
    rename,
    resolve,
)
from rejoin_conformance.systems.conflict_detection.drafts.resolution.shared import (
    held_by_both,
    held_of_three,
)


def drafts() -> tuple[Draft, ...]:
    """Resolutions and renames that are not possible."""
    held = held_by_both(SNAPSHOTS)
    nothing = ("CD-RESOLVE-NOTHING",)
    return (
        refused(
            "not-held",
            "A conflict that was never seen",
            nothing,
            changed_at_once(SNAPSHOTS).step(resolve("A", "B")),
            held_by_both(SNAPSHOTS).step(resolve("A", "B")),
        ),
        refused(
            "held-with-another",
            "A conflict with a client whose version was not seen",
            nothing,
            held_of_three(SNAPSHOTS).step(resolve("B", "A")),
            held_of_three(SNAPSHOTS).step(resolve("A", "B")),
        ),
        refused(
            "one-not-held-of-two",
            "One of two conflicts is not held",
            nothing,
            changed_at_once(MAPS, "ABC").step(poll("A", "B")).step(resolve("A", "BC")),
            changed_at_once(MAPS, "ABC").step(poll("A", "B")).step(resolve("A", "B")),
        ),
        refused(
            "resolved-twice",
            "A conflict that is over already",
            nothing,
            held_by_both(SNAPSHOTS).step(resolve("A", "B")).step(resolve("A", "B")),
            held_by_both(SNAPSHOTS).step(resolve("A", "B")),
        ),
        refused(
            "with-nobody",
            "A resolution of no conflict",
            nothing,
            held_by_both(SNAPSHOTS).step(resolve("A", "")),
            held_by_both(SNAPSHOTS).step(resolve("A", "B")),
        ),
        refused(
            "delete-what-is-not-there",
            "A conflict file that is not there is deleted",
            nothing,
            held_by_both(SNAPSHOTS).step(delete("A", "foo.conflict-C")),
            held_by_both(SNAPSHOTS).step(delete("A", "foo.conflict-B")),
        ),
        refused(
            "rename-what-is-not-there",
            "A conflict file that is not there is renamed",
            nothing,
            held_by_both(MAPS).step(rename("A", "foo.conflict-C", "bar")),
            held_by_both(MAPS).step(rename("A", "foo.conflict-B", "bar")),
        ),
        refused(
            "rename-onto-a-file",
            "The target of a rename is there already",
            ("CD-RENAME",),
            held_by_both(SNAPSHOTS).step(edit("A", "Y", "bar")).step(rename("A", "foo", "bar")),
            held_by_both(SNAPSHOTS).step(edit("A", "Y", "bar")).step(rename("A", "foo", "baz")),
        ),
        refused(
            "rename-conflict-file-onto-another-file",
            "A conflict file may only take the place of its own file",
            ("CD-RESOLVE-RENAME", "CD-RENAME"),
            held_by_both(SNAPSHOTS)
            .step(edit("A", "Y", "bar"))
            .step(rename("A", "foo.conflict-B", "bar")),
            held_by_both(SNAPSHOTS)
            .step(edit("A", "Y", "bar"))
            .step(rename("A", "foo.conflict-B", "foo")),
        ),
        refused(
            "rename-to-a-conflict-file",
            "A file cannot be made a conflict file",
            ("CD-RENAME",),
            Story(SNAPSHOTS, "AB").step(edit("A", "X")).step(rename("A", "foo", "bar.conflict-B")),
            Story(SNAPSHOTS, "AB").step(edit("A", "X")).step(rename("A", "foo", "bar")),
        ),
        refused(
            "rename-nothing",
            "A file that is not there is renamed",
            ("CD-RENAME",),
            Story(MAPS, "AB").step(edit("A", "X")).step(rename("A", "bar", "baz")),
            Story(MAPS, "AB").step(edit("A", "X")).step(rename("A", "foo", "baz")),
        ),
        Draft(
            name="accepted-beside-the-refusals",
            operation=OPERATION,
            summary="The story that the refusals are made from",
            clauses=("CD-CLASSIFY-CONFLICT",),
            input=held.input,
            output=held.output,
        ),
    )
