"""Ignored updates: which of the messages at hand are set aside, and why."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, TypeAlias

from attrs import frozen

from rejoin.config_merge.config_diffs import Rank
from rejoin.config_merge.errors import ConfigMergeError
from rejoin.config_merge.messages import Message, by_rank
from rejoin.config_merge.windows import within

Why: TypeAlias = Literal["invalid", "duplicate", "stale", "included"]
"""Why a message is ignored; the reasons come in the order in which they are tried.

invalid: it cannot be parsed, or its signature is missing or wrong. duplicate: it stands earlier in
the input too. stale: its seqno is not within N of the largest. included: another message has a
lagged row with its seqno and hash.
"""

Parsed: TypeAlias = "Message | ConfigMergeError"
"""What became of a received message: itself, or the reason why it is invalid."""


@frozen
class Ignored:
    """A message that was set aside.

    index: its place in the input, from 0. error: what is wrong with it, where it is invalid.
    """

    index: int
    why: Why
    error: ConfigMergeError | None = None


def set_aside(
    messages: Sequence[Parsed], *, window: int
) -> tuple[tuple[Message, ...], tuple[Why | None, ...]]:
    """Set aside the messages that are ignored.

    messages: what was received, in any order. window: N.
    Returns the survivors, ascending by rank, and for each message why it is ignored, None where it
    survives. There is a survivor whenever there is a valid message: the one of highest rank.

    Clauses: CM-IGNORE-INVALID, CM-IGNORE-DUPLICATE, CM-IGNORE-STALE, CM-IGNORE-INCLUDED,
        CM-IGNORE-INCLUDED-PAIRWISE, CM-IGNORE-PRECEDENCE, CM-IGNORE-SURVIVORS,
        CM-MESSAGE-BYTES, CM-SECURITY-ONE-BAD
    Source: "Ignored updates"
    """
    valid = [message for message in messages if not isinstance(message, ConfigMergeError)]
    largest = max([message.row.rank[0] for message in valid], default=0)
    included = frozenset[Rank]().union(*[message.included for message in valid])

    seen: set[Rank] = set()
    survivors: list[Message] = []
    reasons: list[Why | None] = []
    for message in messages:
        if isinstance(message, ConfigMergeError):
            reasons.append("invalid")
            continue
        rank = message.row.rank
        if rank in seen:
            reasons.append("duplicate")
        elif not within(window, rank[0], largest):
            reasons.append("stale")
        elif rank in included:
            reasons.append("included")
        else:
            survivors.append(message)
            reasons.append(None)
        seen.add(rank)
    survivors.sort(key=by_rank)
    return tuple(survivors), tuple(reasons)


def ignored_of(messages: Sequence[Parsed], reasons: Sequence[Why | None]) -> tuple[Ignored, ...]:
    """List the ignored messages, ascending by index.

    reasons: for each message why it is ignored, None where it survives.
    """
    return tuple(
        [
            Ignored(index, why, message if isinstance(message, ConfigMergeError) else None)
            for index, (message, why) in enumerate(zip(messages, reasons, strict=True))
            if why is not None
        ]
    )
