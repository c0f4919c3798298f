"""What cannot be deleted or brought back."""

from __future__ import annotations

from rejoin_conformance.contract.vector import Draft
from rejoin_conformance.systems.conflict_detection.drafts.by_hand.drafts import (
    refused,
)
from rejoin_conformance.systems.conflict_detection.drafts.by_hand.stories import (
    MAPS,
    SNAPSHOTS,
    Story,
    delete,
    edit,
    online,
    poll,
    resolve,
    undelete,
)
from rejoin_conformance.systems.conflict_detection.drafts.deletion.shared import (
    came_and_went,
    deleted,
)


def drafts() -> tuple[Draft, ...]:
    """What cannot be deleted or brought back."""
    return (
        refused(
            "delete-nothing",
            "A file that never was is deleted",
            ("CD-DELETE-SNAPSHOT",),
            Story(SNAPSHOTS, "AB").step(edit("A", "X")).step(delete("A", "bar")),
            Story(SNAPSHOTS, "AB").step(edit("A", "X")).step(delete("A")),
        ),
        refused(
            "delete-twice",
            "A deleted file is deleted",
            ("CD-DELETE-SNAPSHOT",),
            deleted(MAPS).step(delete("A")),
            deleted(MAPS),
        ),
        refused(
            "bring-back-what-is-there",
            "A file that was never deleted is brought back",
            ("CD-UNDELETE",),
            Story(SNAPSHOTS, "AB").step(edit("A", "X")).step(undelete("A", "back")),
            Story(SNAPSHOTS, "AB").step(edit("A", "X")).step(delete("A")).step(undelete("A", "b")),
        ),
        refused(
            "bring-back-what-never-was",
            "A file that nobody ever had is brought back",
            ("CD-UNDELETE",),
            Story(MAPS, "AB").step(undelete("A", "back")),
            Story(MAPS, "AB").step(edit("A", "back")),
        ),
        refused(
            "bring-back-what-came-and-went",
            "A file that came and went offline is brought back too late",
            ("CD-UNDELETE-OFFLINE",),
            came_and_went().step(online("A")).step(undelete("A", "back")),
            came_and_went().step(undelete("A", "back")).step(online("A")),
        ),
        refused(
            "delete-the-file-of-a-held-deletion",
            "A deletion that conflicts is held without a file, so there is none to delete",
            ("CD-CONFLICT-FILE-DELETION",),
            _held_deletion().step(delete("B", "foo.conflict-A")),
            _held_deletion().step(resolve("B", "A")),
        ),
    )


def _held_deletion() -> Story:
    """B has changed the file that A deleted, and holds the deletion as a conflict."""
    return deleted(SNAPSHOTS).step(edit("B", "b")).step(poll("B", "A"))
