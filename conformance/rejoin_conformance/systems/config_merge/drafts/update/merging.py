"""Updates of several messages: merge and change in one."""

from __future__ import annotations

from rejoin_conformance.contract.vector import Draft
from rejoin_conformance.systems.config_merge.drafts.by_hand.drafts import updating
from rejoin_conformance.systems.config_merge.drafts.by_hand.fork import (
    LEFT,
    MERGE,
    RIGHT,
)
from rejoin_conformance.systems.config_merge.drafts.by_hand.messages import Data, merge_of
from rejoin_conformance.systems.config_merge.drafts.update.updating import updated


def drafts() -> tuple[Draft, ...]:
    """A local change on top of a merge, and its absence."""
    both: Data = {"a": 1, "b": 1, "k": 1}
    changed: Data = {"a": 1, "b": 1, "k": 2}
    change = merge_of(LEFT, RIGHT, data=changed, diff={"k": ""})
    local = "CM-RESOLVE-LOCAL-CHANGE"
    return (
        updated(
            "merge-with-local-change",
            "A change on top of a merge: one message, its diff from the merged data",
            f"{local} CM-RESOLVE-SEQNO",
            updating([LEFT, RIGHT], changed),
            change,
        ),
        updated(
            "merge-with-local-change-other-order",
            "The same with the messages in the other order",
            f"{local} CM-MESSAGE-BYTES",
            updating([RIGHT, LEFT], changed),
            change,
        ),
        updated(
            "merge-without-local-change",
            "Data equal to the merged data give the pure merge",
            "CM-RESOLVE-LOCAL-NO-CHANGE",
            updating([LEFT, RIGHT], both),
            MERGE,
        ),
        updated(
            "merge-then-remove-what-was-merged",
            "The local change takes away what one side had added",
            local,
            updating([LEFT, RIGHT], {"b": 1, "k": 1}),
            merge_of(LEFT, RIGHT, data={"b": 1, "k": 1}, diff={"a": "-"}),
        ),
        updated(
            "merge-then-empty-everything",
            "The local change takes away everything",
            local,
            updating([LEFT, RIGHT], {}),
            merge_of(LEFT, RIGHT, data={}, diff={"a": "-", "b": "-", "k": "-"}),
        ),
        updated(
            "update-of-a-merge",
            "A merge that is known together with what it merged is followed like any message",
            "CM-UPDATE-IGNORES CM-UPDATE-SEQNO",
            updating([LEFT, MERGE, RIGHT], changed),
            MERGE.followed_by(changed, {"k": ""}),
        ),
    )
