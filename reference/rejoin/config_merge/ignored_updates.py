"""Ignored updates: which of the messages at hand are set aside, and why."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, TypeAlias

from attrs import frozen

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
) -> tuple[tuple[Message, ...], tuple[Ignored, ...]]:
    """Set aside the messages that are ignored.

    messages: what was received, in any order. window: N.
    Returns the survivors, ascending by rank, and the ignored, ascending by index. There is a
    survivor whenever there is a valid message: the one of highest rank always is.

    Clauses: CM-IGNORE-INVALID, CM-IGNORE-DUPLICATE, CM-IGNORE-STALE, CM-IGNORE-INCLUDED,
        CM-IGNORE-INCLUDED-PAIRWISE, CM-IGNORE-PRECEDENCE, CM-IGNORE-SURVIVORS,
        CM-MESSAGE-BYTES, CM-SECURITY-ONE-BAD
    Source: "Ignored updates"
    """
    valid = [message for message in messages if not isinstance(message, ConfigMergeError)]
    largest = max([message.row.rank[0] for message in valid], default=0)
    included = {row.rank for message in valid for row in message.lagged}

    seen = set()
    survivors = []
    ignored = []
    for index, message in enumerate(messages):
        if isinstance(message, ConfigMergeError):
            ignored.append(Ignored(index, "invalid", message))
            continue
        rank = message.row.rank
        if rank in seen:
            ignored.append(Ignored(index, "duplicate"))
        elif not within(window, rank[0], largest):
            ignored.append(Ignored(index, "stale"))
        elif rank in included:
            ignored.append(Ignored(index, "included"))
        else:
            survivors.append(message)
        seen.add(rank)
    survivors.sort(key=by_rank)
    return tuple(survivors), tuple(ignored)
