"""Topic `caches`: how many snapshots a client has cached, step by step."""

from __future__ import annotations

from typing import Final

from rejoin_conformance.contract.vector import Draft, Topic
from rejoin_conformance.kit.json_types import JsonObject
from rejoin_conformance.systems.conflict_detection.drafts.by_hand.drafts import (
    of_story,
)
from rejoin_conformance.systems.conflict_detection.drafts.by_hand.stories import (
    SNAPSHOTS,
    Story,
    delete,
    edit,
    join,
    operations,
    poll,
    resolve,
    unsubscribe,
)

_CHANGE: Final = operations(content_uploads=1, snapshot_uploads=1, directory_updates=1)


def _has(**counts: int) -> dict[str, JsonObject]:
    """Client -> how many snapshots of `foo` it has cached."""
    return {client: {"foo": count} for client, count in counts.items()}


def _in_sync(clients: str = "AB") -> Story:
    """All have X, and A knows that all have it."""
    story = Story(SNAPSHOTS, clients, cached={client: {} for client in clients}).step(
        edit("A", "X"), None, {"A": "foo=X"}, cached=_has(A=1)
    )
    for client in clients[1:]:
        story.step(poll(client, "A"), "overwrite", {client: "foo=X"}, cached={client: {"foo": 1}})
        story.step(poll("A", client), "same")
    return story


def topic() -> Topic:
    """The vectors of caching."""
    return Topic(
        "caches",
        "The report `cached` has the number of snapshots that each client keeps, which the "
        "purging policy fixes.",
        (*_drafts(), *_strangers()),
    )


def _drafts() -> tuple[Draft, ...]:
    synchronized, between = "CD-PURGE-SYNCHRONIZED", "CD-PURGE-INTERMEDIATE"
    when = "CD-PURGE-WHEN"
    return (
        of_story(
            "alone",
            "A client that knows of nobody else's version keeps its own snapshot only",
            (synchronized, "CD-PURGE-CURRENT"),
            Story(SNAPSHOTS, "AB", cached={"A": {}, "B": {}})
            .step(edit("A", "a1"), None, {"A": "foo=a1"}, cached=_has(A=1))
            .step(edit("A", "a2"), None, {"A": "foo=a2"}),
        ),
        of_story(
            "lag-and-catch-up",
            "What lies above a client that lags is kept until it has caught up",
            (synchronized, between, "CD-PURGE-COMMON-ANCESTOR"),
            _in_sync()
            .step(edit("A", "a1"), None, {"A": "foo=a1"}, cached=_has(A=2))
            .step(edit("A", "a2"), None, {"A": "foo=a2"}, cached=_has(A=3))
            .step(poll("B", "A"), "overwrite", {"B": "foo=a2"}, cached=_has(B=1))
            .step(poll("A", "B"), "same", cached=_has(A=1)),
        ),
        of_story(
            "conflict",
            "Both sides and where they fork, until the other takes over the resolution",
            (between, "CD-PURGE-COMMON-ANCESTOR"),
            _in_sync()
            .step(edit("A", "a"), None, {"A": "foo=a"}, cached=_has(A=2))
            .step(edit("B", "b"), None, {"B": "foo=b"}, cached=_has(B=2))
            .step(poll("A", "B"), "conflict", {"A": "foo=a foo.conflict-B=b"}, cached=_has(A=3))
            .step(resolve("A", "B"), None, {"A": "foo=a"}, cached=_has(A=2))
            .step(poll("B", "A"), "overwrite", {"B": "foo=a"}, cached=_has(B=1))
            .step(poll("A", "B"), "same", cached=_has(A=1)),
        ),
        of_story(
            "the-last-of-three",
            "Two clients have gone on, and the third keeps the old version in everyone's cache",
            (between, "CD-PURGE-COMMON-ANCESTOR"),
            _in_sync("ABC")
            .step(edit("A", "a"), None, {"A": "foo=a"}, cached=_has(A=2))
            .step(poll("B", "A"), "overwrite", {"B": "foo=a"}, cached=_has(B=1))
            .step(poll("A", "B"), "same")
            .step(poll("C", "B"), "overwrite", {"C": "foo=a"}, cached=_has(C=2))
            .step(poll("A", "C"), "same", cached=_has(A=1))
            .step(poll("C", "A"), "same", cached=_has(C=1)),
        ),
        of_story(
            "deletion",
            "The deletion stays cached after its link is gone",
            ("CD-PURGE-CURRENT", "CD-DELETE-KEEP-VERSION"),
            _in_sync()
            .step(delete("A"), None, {"A": ""}, cached=_has(A=2))
            .step(poll("B", "A"), "overwrite", {"B": ""}, cached=_has(B=1))
            .step(poll("A", "B"), "same", cached=_has(A=1))
            .step(poll("B", "A"), None),
        ),
        of_story(
            "unsubscribed-then-changed",
            "What only another client's version demanded goes at the next upload, not at once",
            (when, "CD-UNSUBSCRIBE"),
            _in_sync()
            .step(edit("A", "a"), None, {"A": "foo=a"}, cached=_has(A=2))
            .step({"client": "A", "unsubscribe": "B"})
            .step(edit("A", "a2"), None, {"A": "foo=a2"}, cached=_has(A=1)),
        ),
        of_story(
            "unsubscribed-then-polled",
            "Or at the next poll that finds a version; one that finds none leaves the cache alone",
            (when, "CD-UNSUBSCRIBE"),
            Story(SNAPSHOTS, "ABC", cached={"A": {}, "B": {}, "C": {}})
            .step(edit("A", "X"), None, {"A": "foo=X"}, cached=_has(A=1))
            .step(poll("B", "A"), "overwrite", {"B": "foo=X"}, cached=_has(B=1))
            .step(poll("A", "B"), "same")
            .step(edit("A", "a"), None, {"A": "foo=a"}, cached=_has(A=2))
            .step({"client": "A", "unsubscribe": "B"})
            .step(poll("A", "C"), None)
            .step(poll("C", "A"), "overwrite", {"C": "foo=a"}, cached=_has(C=1))
            .step(poll("A", "C"), "same", cached=_has(A=1)),
        ),
        of_story(
            "unsubscribed-then-walked-to-the-end",
            "Until then a walk that comes to a first snapshot completes its past, too",
            (when, "CD-UNSUBSCRIBE", "CD-WALK-COMPLETE"),
            Story(SNAPSHOTS, "ABC", operations={})
            .step(edit("C", "c"), None, {"C": "foo=c"}, operations=_CHANGE)
            .step(edit("B", "b"), None, {"B": "foo=b"}, operations=_CHANGE)
            .step(edit("A", "a"), None, {"A": "foo=a"}, operations=_CHANGE)
            .step(
                poll("A", "C"),
                "conflict",
                {"A": "foo=a foo.conflict-C=c"},
                operations=_conflict(snapshots=1),
            )
            .step(resolve("A", "C"), None, {"A": "foo=a"}, operations=_CHANGE)
            .step(edit("C", "c2"), None, {"C": "foo=c2"}, operations=_CHANGE)
            .step(
                poll("C", "A"),
                "conflict",
                {"C": "foo=c2 foo.conflict-A=a"},
                operations=_conflict(snapshots=3),
            )
            .step(unsubscribe("C", "A"), None, {"C": "foo=c2"}, operations=operations())
            .step(
                poll("C", "B"),
                "conflict",
                {"C": "foo=c2 foo.conflict-B=b"},
                operations=_conflict(snapshots=2),
            ),
        ),
    )


def _conflict(snapshots: int) -> JsonObject:
    """What a poll costs that finds a conflict and walks over so many snapshots."""
    return operations(snapshot_downloads=snapshots, content_downloads=1, directory_reads=1)


def _strangers() -> tuple[Draft, ...]:
    return (
        of_story(
            "stranger",
            "A history that ours has nothing to do with: both are kept whole",
            ("CD-PURGE-NO-COMMON", "CD-WALK-COMPLETE"),
            _in_sync()
            .step(edit("A", "a"), None, {"A": "foo=a"}, cached=_has(A=2))
            .step(poll("B", "A"), "overwrite", {"B": "foo=a"}, cached=_has(B=1))
            .step(poll("A", "B"), "same", cached=_has(A=1))
            .step(join("C", "foo=mine"), None, {"C": "foo=mine"}, cached=_has(C=1))
            .step(
                poll("A", "C"),
                "conflict",
                {"A": "foo=a foo.conflict-C=mine"},
                cached=_has(A=3),
            ),
        ),
        of_story(
            "purged-and-stale",
            "A version below everything that is cached is still found to be stale",
            ("CD-PURGE-HARMLESS", "CD-WALK-COMPLETE", "CD-CLASSIFY-STALE"),
            Story(SNAPSHOTS, "ABC", cached={"A": {}, "B": {}, "C": {}})
            .step(edit("A", "X"), None, {"A": "foo=X"}, cached=_has(A=1))
            .step(poll("C", "A"), "overwrite", {"C": "foo=X"}, cached=_has(C=1))
            .step(edit("A", "a1"), None, {"A": "foo=a1"})
            .step(edit("A", "a2"), None, {"A": "foo=a2"})
            .step(
                poll("A", "C"),
                "stale",
                literal_found="conflict",
                literal={"A": "foo=a2 foo.conflict-C=X"},
                cached=_has(A=3),
            ),
        ),
    )
