"""Ignored updates: sets messages aside, and gives the reason for each."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, Literal, TypeAlias

from attrs import frozen

from rejoin.config_merge.config_diffs import Rank
from rejoin.config_merge.errors import ConfigMergeError
from rejoin.config_merge.messages import Message, by_rank
from rejoin.config_merge.windows import within

Why: TypeAlias = Literal["invalid", "duplicate", "stale", "included"]
"""The reason for which a message is ignored, in order of precedence.

invalid: it cannot be parsed, breaks a rule, or lacks a required signature.
duplicate: the same message is earlier in the input.
stale: its seqno is not within N of the largest seqno.
included: another valid message has a lagged row with its seqno and hash.
"""

Parsed: TypeAlias = "Message | ConfigMergeError"
"""A received message: the parsed message, or the error that makes it invalid."""


NO_RANKS: Final[frozenset[Rank]] = frozenset()


@frozen
class Ignored:
    """An ignored message.

    index: its place in the input, counted from 0.
    why: the reason.
    error: the error that makes it invalid, or None for another reason.
    """

    index: int
    why: Why
    error: ConfigMergeError | None = None


def set_aside(
    messages: Sequence[Parsed], *, window: int
) -> tuple[tuple[Message, ...], tuple[Why | None, ...]]:
    """Return the messages that survive, and for each message the reason to ignore it.

    messages: the received messages, in any order.
    window: N.
    The survivors are in ascending order of rank. The reasons are in the order of the messages; the
    reason of a survivor is None. The highest-ranked valid message always survives.
    The criteria are applied one after the other.

    Clauses: CM-IGNORE-INVALID, CM-IGNORE-DUPLICATE, CM-IGNORE-STALE, CM-IGNORE-INCLUDED,
        CM-IGNORE-INCLUDED-PAIRWISE, CM-IGNORE-PRECEDENCE, CM-IGNORE-SURVIVORS,
        CM-MESSAGE-BYTES, CM-SECURITY-ONE-BAD
    Source: "Ignored updates"
    """
    why: list[Why | None] = [None] * len(messages)

    # Ignore invalid messages; they do not affect the others (CM-IGNORE-INVALID).
    valid: list[tuple[int, Message]] = []
    for index, message in enumerate(messages):
        if isinstance(message, ConfigMergeError):
            why[index] = "invalid"
        else:
            valid.append((index, message))

    # Ignore all but the first of equal messages; not in the document (CM-IGNORE-DUPLICATE).
    distinct: dict[Rank, int] = {}
    for index, message in valid:
        rank = message.row.rank
        if rank in distinct:
            why[index] = "duplicate"
        else:
            distinct[rank] = index

    # "Within N": ignore a message if its seqno is not within the last N (CM-IGNORE-STALE).
    largest = max([seqno for seqno, _ in distinct], default=0)
    recent: dict[Rank, int] = {}
    for rank, index in distinct.items():
        if within(window, rank[0], largest):
            recent[rank] = index
        else:
            why[index] = "stale"

    # "Ignore included": ignore a message if a valid message has a lagged diff of it
    # (CM-IGNORE-INCLUDED, CM-IGNORE-INCLUDED-PAIRWISE).
    included = NO_RANKS.union(*[message.included for _, message in valid])
    for rank in recent.keys() & included:
        why[recent.pop(rank)] = "included"

    survivors = [message for index, message in valid if why[index] is None]
    return tuple(sorted(survivors, key=by_rank)), tuple(why)


def ignored_of(messages: Sequence[Parsed], reasons: Sequence[Why | None]) -> tuple[Ignored, ...]:
    """Return the ignored messages, in ascending order of index.

    reasons: for each message the reason to ignore it, or None if it survives.
    """
    return tuple(
        [
            Ignored(index, why, message if isinstance(message, ConfigMergeError) else None)
            for index, (message, why) in enumerate(zip(messages, reasons, strict=True))
            if why is not None
        ]
    )
