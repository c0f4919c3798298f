"""Messages and the short form that the drafts of this topic share."""

from __future__ import annotations

from typing import Final

from rejoin_conformance.contract.vector import Draft
from rejoin_conformance.systems.config_merge.drafts.by_hand.drafts import (
    accepted,
    resolved,
    resolving,
)
from rejoin_conformance.systems.config_merge.drafts.by_hand.fork import LEFT
from rejoin_conformance.systems.config_merge.drafts.by_hand.messages import Message

NEXT: Final = LEFT.followed_by({"a": 2, "k": 1}, {"a": ""})
BARE: Final = tuple(Message(seqno=seqno, data={"k": seqno}, diff={"k": ""}) for seqno in range(21))
"""Messages without rows, by seqno: none is related to another."""


def resolve(
    name: str,
    summary: str,
    clauses: str,
    messages: tuple[Message | bytes, ...],
    result: Message | bytes,
    *ignoring: tuple[int, str],
    merged: bool = False,
) -> Draft:
    """A draft of `resolve` whose readings agree."""
    return accepted(
        name,
        "resolve",
        summary,
        clauses,
        resolving(messages),
        resolved(result, *ignoring, merged=merged),
    )
