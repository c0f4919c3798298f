"""Who may poll whom."""

from __future__ import annotations

from rejoin_conformance.contract.vector import Draft
from rejoin_conformance.systems.conflict_detection.drafts.by_hand.drafts import (
    in_both_designs,
    refused,
)
from rejoin_conformance.systems.conflict_detection.drafts.by_hand.stories import (
    MAPS,
    SNAPSHOTS,
    edit,
    poll,
)
from rejoin_conformance.systems.conflict_detection.drafts.polling.shared import two_in_sync


def drafts() -> tuple[Draft, ...]:
    """Who may poll whom."""
    good = two_in_sync(SNAPSHOTS)
    return (
        *in_both_designs(
            "unsubscribe",
            "Who ends a subscription lets go of the other's conflict, and can begin again",
            ("CD-UNSUBSCRIBE", "CD-SUBSCRIPTIONS"),
            lambda design: (
                two_in_sync(design)
                .step(edit("A", "a"), None, {"A": "foo=a"})
                .step(edit("B", "b"), None, {"B": "foo=b"})
                .step(poll("A", "B"), "conflict", {"A": "foo=a foo.conflict-B=b"})
                .step({"client": "A", "unsubscribe": "B"}, None, {"A": "foo=a"})
                .step({"client": "A", "subscribe": "B"})
                .step(poll("A", "B"), "conflict", {"A": "foo=a foo.conflict-B=b"})
            ),
        ),
        refused(
            "unsubscribed",
            "A poll of a client whose subscription was ended",
            ("CD-POLL-SUBSCRIBED",),
            two_in_sync(SNAPSHOTS).step({"client": "B", "unsubscribe": "A"}).step(poll("B", "A")),
            two_in_sync(SNAPSHOTS).step(poll("B", "A")),
        ),
        refused(
            "oneself",
            "A client that polls itself",
            ("CD-POLL-SUBSCRIBED",),
            two_in_sync(SNAPSHOTS).step(poll("B", "B")),
            two_in_sync(SNAPSHOTS).step(poll("B", "A")),
        ),
        refused(
            "nobody",
            "A poll of a client that does not exist",
            ("CD-POLL-SUBSCRIBED",),
            two_in_sync(MAPS).step(poll("B", "Z")),
            two_in_sync(MAPS).step(poll("B", "A")),
        ),
        refused(
            "subscribe-twice",
            "A subscription that is there from the beginning",
            ("CD-SUBSCRIPTIONS",),
            two_in_sync(SNAPSHOTS).step({"client": "A", "subscribe": "B"}),
            good,
        ),
        refused(
            "unsubscribe-twice",
            "A subscription that was ended already",
            ("CD-UNSUBSCRIBE",),
            two_in_sync(SNAPSHOTS)
            .step({"client": "A", "unsubscribe": "B"})
            .step({"client": "A", "unsubscribe": "B"}),
            two_in_sync(SNAPSHOTS).step({"client": "A", "unsubscribe": "B"}),
        ),
    )
