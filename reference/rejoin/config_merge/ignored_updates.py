"""Ignored updates: the messages that a client sets aside, and why."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, TypeAlias

from attrs import frozen

from rejoin.config_merge.config_diffs import Rank
from rejoin.config_merge.errors import ConfigMergeError
from rejoin.config_merge.messages import Message, by_rank
from rejoin.config_merge.windows import within

Why: TypeAlias = Literal["invalid", "duplicate", "stale", "included"]
"""Why a message is ignored, in the order in which the reasons are tried.

invalid: it cannot be parsed, or its signature is missing or wrong.
duplicate: the same message stands earlier in the list.
stale: its seqno is not within N of the largest.
included: another valid message has a lagged row with its seqno and hash.
"""

Parsed: TypeAlias = "Message | ConfigMergeError"
"""A received message, or the error that makes it invalid."""


@frozen
class Ignored:
    """A message that was set aside.

    index: its place in the list, from 0.
    error: the error that makes it invalid; None if it was set aside for another reason.
    """

    index: int
    why: Why
    error: ConfigMergeError | None = None


def set_aside(
    messages: Sequence[Parsed], *, window: int
) -> tuple[tuple[Message, ...], tuple[Why | None, ...]]:
    """Set aside the messages that are ignored, one criterion after the other.

    Return the survivors, ascending by rank, and for each message the reason why it is ignored, or
    None if it survives. If any message is valid, the valid message of highest rank survives.

    messages: the received messages, in any order.
    window: N.

    Clauses: CM-IGNORE-INVALID, CM-IGNORE-DUPLICATE, CM-IGNORE-STALE, CM-IGNORE-INCLUDED,
        CM-IGNORE-INCLUDED-PAIRWISE, CM-IGNORE-PRECEDENCE, CM-IGNORE-SURVIVORS,
        CM-MESSAGE-BYTES, CM-SECURITY-ONE-BAD
    Source: "Ignored updates"
    """
    why: list[Why | None] = [None] * len(messages)

    # Invalid messages are ignored, and nothing in them counts (CM-IGNORE-INVALID).
    valid: list[tuple[int, Message]] = []
    for index, message in enumerate(messages):
        if isinstance(message, ConfigMergeError):
            why[index] = "invalid"
        else:
            valid.append((index, message))

    # Of equal messages the first counts, which the document does not say (CM-IGNORE-DUPLICATE).
    distinct: dict[Rank, int] = {}
    for index, message in valid:
        if message.row.rank in distinct:
            why[index] = "duplicate"
        else:
            distinct[message.row.rank] = index

    # "Within N": a message is ignored if its seqno is not within the last N (CM-IGNORE-STALE).
    largest = max([seqno for seqno, _ in distinct], default=0)
    recent: dict[Rank, int] = {}
    for rank, index in distinct.items():
        if within(window, rank[0], largest):
            recent[rank] = index
        else:
            why[index] = "stale"

    # "Ignore included": a message is ignored if a valid message has a lagged diff of it
    # (CM-IGNORE-INCLUDED, CM-IGNORE-INCLUDED-PAIRWISE).
    included = frozenset[Rank]().union(*[message.included for _, message in valid])
    for rank in recent.keys() & included:
        why[recent.pop(rank)] = "included"

    survivors = [message for index, message in valid if why[index] is None]
    return tuple(sorted(survivors, key=by_rank)), tuple(why)


def ignored_of(messages: Sequence[Parsed], reasons: Sequence[Why | None]) -> tuple[Ignored, ...]:
    """Return the ignored messages, ascending by index.

    reasons: for each message the reason why it is ignored, or None if it survives.
    """
    return tuple(
        [
            Ignored(index, why, message if isinstance(message, ConfigMergeError) else None)
            for index, (message, why) in enumerate(zip(messages, reasons, strict=True))
            if why is not None
        ]
    )
