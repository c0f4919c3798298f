"""The cost of accepting a message does not depend on the length of the history."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from types import FrameType

from rejoin.history_merge import SETS, Node, Session, session_of
from support.plain_history_merge import Counting, SetNode, ladder


def _crossing_branches(rungs: int) -> Iterator[SetNode]:
    """Two branches that merge a side message of each other, so that no row is a set of parents.

    The common ancestors of two nodes are then never the parents of one, and only what was merged
    on the way is of use.
    """
    yield Node("a", frozenset[str](), frozenset("a"))
    yield Node("b", frozenset("a"), frozenset("b"))
    yield Node("c", frozenset("a"), frozenset("c"))
    left, right = "b", "c"
    for rung in range(rungs):
        name = f"{rung:06d}"
        yield Node(f"u{name}", frozenset([right]), frozenset("u"))
        yield Node(f"w{name}", frozenset([left]), frozenset("w"))
        yield Node(f"l{name}", frozenset([left, f"u{name}"]), frozenset("l"))
        yield Node(f"r{name}", frozenset([right, f"w{name}"]), frozenset("r"))
        left, right = f"l{name}", f"r{name}"


def _old_fork(rungs: int) -> Iterator[SetNode]:
    """A long branch in which every message is joined with the same early message."""
    yield Node("a", frozenset[str](), frozenset("a"))
    yield Node("old", frozenset("a"), frozenset("o"))
    last = "a"
    for rung in range(rungs):
        name = f"{rung:06d}"
        yield Node(f"p{name}", frozenset([last]), frozenset("p"))
        yield Node(f"j{name}", frozenset([f"p{name}", "old"]), frozenset("j"))
        last = f"p{name}"


def _two_long_branches(rungs: int) -> Iterator[SetNode]:
    """Two branches that never meet, and messages that join them without continuing either."""
    yield Node("a", frozenset[str](), frozenset("a"))
    left = right = "a"
    for rung in range(rungs):
        name = f"{rung:06d}"
        yield Node(f"l{name}", frozenset([left]), frozenset("l"))
        yield Node(f"r{name}", frozenset([right]), frozenset("r"))
        left, right = f"l{name}", f"r{name}"
        yield Node(f"j{name}", frozenset([left, right]), frozenset("j"))


SHAPES: dict[str, Callable[[int], Iterator[SetNode]]] = {
    "criss-cross of two": lambda size: ladder(size, 2),
    "criss-cross of three": lambda size: ladder(size, 3),
    "crossing branches": lambda size: _crossing_branches(size // 4),
    "old fork": lambda size: _old_fork(size // 2),
    "two long branches": lambda size: _two_long_branches(size // 3),
}


def _calls_to_accept(messages: list[SetNode]) -> int:
    """How many Python functions are called to accept the messages, and no seconds."""
    session = Session(SETS)
    calls = 0

    def count(_frame: FrameType, event: str, _argument: object) -> None:
        nonlocal calls
        calls += event == "call"

    before = sys.getprofile()
    sys.setprofile(count)
    try:
        for message in messages:
            session.accept(message)
    finally:
        sys.setprofile(before)
    return calls


def test_the_cost_of_a_message_hardly_grows_with_the_length_of_the_history() -> None:
    for name, shape in SHAPES.items():
        shorter, longer = [*shape(400)], [*shape(1_600)]
        a_message_before = _calls_to_accept(shorter) / len(shorter)
        a_message_now = _calls_to_accept(longer) / len(longer)
        assert a_message_now < 2 * a_message_before, name


def test_each_message_costs_few_3_way_merges() -> None:
    for name, shape in SHAPES.items():
        counting, messages = Counting(), [*shape(1_200)]
        session_of(messages, counting.states)
        assert counting.calls <= 2 * len(messages), name
