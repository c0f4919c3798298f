"""Beginnings of stories in which something is deleted."""

from __future__ import annotations

from rejoin_conformance.systems.conflict_detection.drafts.by_hand.stories import (
    SNAPSHOTS,
    Story,
    delete,
    edit,
    offline,
    poll,
)


def deleted(design: str) -> Story:
    """A and B have X, and A deleted it."""
    return (
        Story(design, "AB")
        .step(edit("A", "X"), None, {"A": "foo=X"})
        .step(poll("B", "A"), "overwrite", {"B": "foo=X"})
        .step(delete("A"), None, {"A": ""})
    )


def linked_deletion(design: str, clients: str = "AB") -> Story:
    """A and B have X, and A deleted it; further clients have nothing."""
    return (
        Story(design, clients, links={client: {} for client in clients})
        .step(edit("A", "X"), None, {"A": "foo=X"}, links={"A": {"foo": "X"}})
        .step(poll("B", "A"), "overwrite", {"B": "foo=X"}, links={"B": {"foo": "X"}})
        .step(delete("A"), None, {"A": ""}, links={"A": {"foo": None}})
    )


def came_and_went() -> Story:
    """A is offline, and has made a file and deleted it."""
    return Story(SNAPSHOTS, "AB").step(offline("A")).step(edit("A", "new")).step(delete("A"))
