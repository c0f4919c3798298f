"""Deletions that are taken over, or not."""

from __future__ import annotations

from rejoin_conformance.contract.vector import Draft
from rejoin_conformance.systems.conflict_detection.drafts.by_hand.drafts import (
    in_both_designs,
)
from rejoin_conformance.systems.conflict_detection.drafts.by_hand.stories import (
    Story,
    delete,
    edit,
    offline,
    online,
    poll,
    undelete,
)
from rejoin_conformance.systems.conflict_detection.drafts.deletion.shared import (
    deleted,
)


def drafts() -> tuple[Draft, ...]:
    """Deletions that are taken over, or not."""
    return (
        *in_both_designs(
            "taken-over",
            "A deletion overwrites: the local file goes",
            ("CD-DELETE-SNAPSHOT", "CD-OVERWRITE-APPLY", "CD-MAP-DELETION"),
            lambda design: deleted(design).step(poll("B", "A"), "overwrite", {"B": ""}),
        ),
        *in_both_designs(
            "lagging-client",
            "Who has not heard of the deletion is stale, and its version stays away",
            ("CD-CLASSIFY-STALE", "CD-DELETE-SNAPSHOT"),
            lambda design: deleted(design).step(
                poll("A", "B"),
                "stale",
                literal_found="conflict",
                literal={"A": "foo.conflict-B=X"},
            ),
        ),
        *in_both_designs(
            "brought-back",
            "A file that is brought back follows the deletion",
            ("CD-UNDELETE", "CD-CLASSIFY-OVERWRITE"),
            lambda design: (
                deleted(design)
                .step(poll("B", "A"), "overwrite", {"B": ""})
                .step(undelete("B", "back"), None, {"B": "foo=back"})
                .step(poll("A", "B"), "overwrite", {"A": "foo=back"})
            ),
        ),
        *in_both_designs(
            "brought-back-unseen",
            "Who never saw the deletion takes over what follows it",
            ("CD-UNDELETE", "CD-FOLLOWS-CLOSURE"),
            lambda design: (
                deleted(design)
                .step(undelete("A", "back"), None, {"A": "foo=back"})
                .step(poll("B", "A"), "overwrite", {"B": "foo=back"})
            ),
        ),
        *in_both_designs(
            "written-again",
            "Writing a deleted file brings it back too",
            ("CD-UNDELETE",),
            lambda design: (
                deleted(design)
                .step(edit("A", "again"), None, {"A": "foo=again"})
                .step(poll("B", "A"), "overwrite", {"B": "foo=again"})
            ),
        ),
        *in_both_designs(
            "brought-back-offline",
            "A file that was made and deleted offline comes back as a first version",
            ("CD-UNDELETE-OFFLINE", "CD-OFFLINE-ONE-UPLOAD"),
            lambda design: (
                Story(design, "AB", links={"A": {}, "B": {}})
                .step(offline("A"))
                .step(edit("A", "new"), None, {"A": "foo=new"})
                .step(delete("A"), None, {"A": ""})
                .step(undelete("A", "back"), None, {"A": "foo=back"})
                .step(online("A"), None, links={"A": {"foo": "back"}})
                .step(poll("B", "A"), "overwrite", {"B": "foo=back"}, links={"B": {"foo": "back"}})
            ),
        ),
        *in_both_designs(
            "taken-over-first",
            "A client that never had the file takes the deletion over",
            ("CD-CLASSIFY-FIRST", "CD-LINK-DOWNLOAD"),
            lambda design: (
                Story(design, "AB", links={"A": {}, "B": {}})
                .step(edit("A", "X"), None, {"A": "foo=X"}, links={"A": {"foo": "X"}})
                .step(delete("A"), None, {"A": ""}, links={"A": {"foo": None}})
                .step(poll("B", "A"), "overwrite", links={"B": {"foo": None}})
            ),
        ),
    )
