"""Clients that go offline and come back."""

from __future__ import annotations

from rejoin_conformance.contract.vector import Draft
from rejoin_conformance.systems.conflict_detection.drafts.by_hand.drafts import (
    in_both_designs,
    refused,
)
from rejoin_conformance.systems.conflict_detection.drafts.by_hand.stories import (
    SNAPSHOTS,
    Story,
    edit,
    offline,
    online,
    poll,
)
from rejoin_conformance.systems.conflict_detection.drafts.polling.shared import two_in_sync


def drafts() -> tuple[Draft, ...]:
    """Clients that go offline and come back."""
    return (
        *in_both_designs(
            "offline-poll",
            "A client that is offline sees nothing",
            ("CD-OFFLINE-SEES-NOTHING",),
            lambda design: (
                two_in_sync(design)
                .step(edit("A", "new"), None, {"A": "foo=new"})
                .step(offline("B"))
                .step(poll("B", "A"), None)
                .step(online("B"))
                .step(poll("B", "A"), "overwrite", {"B": "foo=new"})
            ),
        ),
        *in_both_designs(
            "offline-is-polled",
            "Others see what a client linked before it went offline",
            ("CD-OFFLINE-SEES-NOTHING",),
            lambda design: (
                Story(design, "AB")
                .step(edit("A", "X"), None, {"A": "foo=X"})
                .step(offline("A"))
                .step(edit("A", "new"), None, {"A": "foo=new"})
                .step(poll("B", "A"), "overwrite", {"B": "foo=X"})
            ),
        ),
        *in_both_designs(
            "back-online",
            "What was changed offline becomes one version, which follows the one from before",
            ("CD-OFFLINE-ONE-UPLOAD",),
            lambda design: (
                two_in_sync(design)
                .step(offline("A"))
                .step(edit("A", "draft"), None, {"A": "foo=draft"})
                .step(edit("A", "final"), None, {"A": "foo=final"})
                .step(online("A"))
                .step(poll("B", "A"), "overwrite", {"B": "foo=final"})
            ),
        ),
        *in_both_designs(
            "back-online-to-a-conflict",
            "What was changed offline does not follow what others did meanwhile",
            ("CD-OFFLINE-ONE-UPLOAD", "CD-CLASSIFY-CONFLICT"),
            lambda design: (
                two_in_sync(design)
                .step(offline("A"))
                .step(edit("A", "a"), None, {"A": "foo=a"})
                .step(edit("B", "b"), None, {"B": "foo=b"})
                .step(online("A"))
                .step(poll("A", "B"), "conflict", {"A": "foo=a foo.conflict-B=b"})
            ),
        ),
        *in_both_designs(
            "offline-in-vain",
            "A file that was made and deleted offline was never there",
            ("CD-OFFLINE-ONE-UPLOAD",),
            lambda design: (
                two_in_sync(design)
                .step(offline("A"))
                .step(edit("A", "new", "bar"), None, {"A": "bar=new foo=X"})
                .step({"client": "A", "delete": True, "file": "bar"}, None, {"A": "foo=X"})
                .step(online("A"))
                .step(poll("B", "A", "bar"), None)
            ),
        ),
        *in_both_designs(
            "offline-twice",
            "Who is offline and goes offline again comes back once, with one version",
            ("CD-OFFLINE-AGAIN", "CD-OFFLINE-ONE-UPLOAD"),
            lambda design: (
                two_in_sync(design)
                .step(offline("A"))
                .step(edit("A", "draft"), None, {"A": "foo=draft"})
                .step(offline("A"))
                .step(edit("A", "final"), None, {"A": "foo=final"})
                .step(online("A"))
                .step(poll("B", "A"), "overwrite", {"B": "foo=final"})
            ),
        ),
        *in_both_designs(
            "online-already",
            "Coming back from nowhere uploads nothing",
            ("CD-OFFLINE-AGAIN",),
            lambda design: (
                two_in_sync(design)
                .step(online("A"))
                .step(poll("B", "A"), "same")
                .step(edit("A", "new"), None, {"A": "foo=new"})
                .step(online("A"))
                .step(poll("B", "A"), "overwrite", {"B": "foo=new"})
            ),
        ),
        *in_both_designs(
            "deleted-again-offline",
            "A deletion that was undone and made again offline is a version of its own",
            ("CD-OFFLINE-ONE-UPLOAD", "CD-DELETE-SNAPSHOT"),
            lambda design: (
                two_in_sync(design)
                .step({"client": "A", "delete": True}, None, {"A": ""})
                .step(poll("B", "A"), "overwrite", {"B": ""})
                .step(offline("A"))
                .step({"client": "A", "undelete": "back"}, None, {"A": "foo=back"})
                .step({"client": "A", "delete": True}, None, {"A": ""})
                .step(online("A"))
                .step(poll("B", "A"), "overwrite")
                .step(poll("B", "A"), "same")
            ),
        ),
        refused(
            "offline-poll-of-a-stranger",
            "Being offline does not make a poll without a subscription possible",
            ("CD-POLL-SUBSCRIBED",),
            two_in_sync(SNAPSHOTS)
            .step({"client": "A", "unsubscribe": "B"})
            .step(offline("A"))
            .step(poll("A", "B")),
            two_in_sync(SNAPSHOTS).step(offline("A")).step(poll("A", "B")),
        ),
    )
