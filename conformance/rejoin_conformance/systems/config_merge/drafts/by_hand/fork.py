"""The small history that many drafts begin with: one message and two updates of it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from rejoin_conformance.systems.config_merge.drafts.by_hand.messages import (
    Message,
    first_with,
    merge_of,
)

BASE: Final = Message(seqno=10, data={"k": 1}, diff={"k": ""})
LEFT: Final = BASE.followed_by({"a": 1, "k": 1}, {"a": ""})
RIGHT: Final = BASE.followed_by({"b": 1, "k": 1}, {"b": ""})
MERGE: Final = merge_of(LEFT, RIGHT, data={"a": 1, "b": 1, "k": 1})


def above(other: Message, make: Callable[[int], Message]) -> Message:
    """The first of make(0), make(1), ... that ranks above another message."""
    return first_with(make, lambda message: message.rank > other.rank)


def below(other: Message, make: Callable[[int], Message]) -> Message:
    """The first of make(0), make(1), ... that ranks below another message."""
    return first_with(make, lambda message: message.rank < other.rank)
