"""Updates: on top of nothing, of one message, of several."""

from __future__ import annotations

from rejoin_conformance.contract.vector import Topic
from rejoin_conformance.systems.config_merge.drafts.update import (
    first,
    following,
    merging,
    refusals,
)


def topic() -> Topic:
    """What follows on what, with which rows and which diff."""
    return Topic(
        "update",
        "The message by which a client makes a change: the first of all, one that follows a single "
        "message, and one that merges several and changes something at once.",
        (*first.drafts(), *following.drafts(), *merging.drafts(), *refusals.drafts()),
    )
