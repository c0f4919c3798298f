"""A session accepts messages one by one, in any causal order, at a cost that stays the same."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from types import FrameType

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rejoin.history_merge import (
    SETS,
    HistoryMergeError,
    MergeCache,
    Node,
    Session,
    StateType,
    graph_of,
    members,
    session_of,
)
from support.plain_history_merge import SetNode, histories, nodes_in

SetSession = Session[frozenset[str]]


def _session(text: str) -> SetSession:
    return session_of(nodes_in(text), SETS)


def _message(text: str) -> SetNode:
    (message,) = nodes_in(text)
    return message


def _refusal(session: SetSession, text: str) -> HistoryMergeError:
    before = (len(session.graph), session.graph.heads(), session.members())
    with pytest.raises(HistoryMergeError) as caught:
        session.accept(_message(text))
    assert (len(session.graph), session.graph.heads(), session.members()) == before
    return caught.value


def test_an_unknown_parent_is_refused_with_the_message_and_what_it_lacks() -> None:
    error = _refusal(_session("r: {}; p < r: {}"), "m < p z y: {a}")
    assert (error.code, error.nodes) == ("unknown-parent", ("m", "y", "z"))


def test_parents_of_which_one_is_before_another_are_refused_by_name() -> None:
    error = _refusal(_session("r: {}; p < r: {}; q < r: {}; s < q: {}"), "m < p q s: {a}")
    assert (error.code, error.nodes) == ("not-an-anti-chain", ("q", "s"))


@given(histories(max_nodes=9), st.data())
def test_any_causal_order_gives_the_same_members_after_the_same_messages(
    nodes: tuple[SetNode, ...], data: st.DataObject
) -> None:
    first = session_of(nodes, SETS)
    second = Session(SETS, cache=MergeCache(capacity=1))
    waiting = list(nodes)
    while waiting:
        ready = [node for node in waiting if all(p in second.graph for p in node.parents)]
        chosen = data.draw(st.sampled_from(ready))
        second.accept(chosen)
        waiting.remove(chosen)
    assert first.members() == second.members() == members(graph_of(nodes), SETS)


def _ladder(rungs: int, width: int) -> Iterator[SetNode]:
    row: list[str] = []
    for rung in range(rungs):
        names = [f"{rung:06d}-{place}" for place in range(width)]
        for name in names:
            yield Node(name, frozenset(row), frozenset([name[-1], str(rung % 5)]))
        row = names


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
    "criss-cross of two": lambda size: _ladder(size // 2, 2),
    "criss-cross of three": lambda size: _ladder(size // 3, 3),
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


@pytest.mark.parametrize("shape", SHAPES)
def test_the_cost_of_a_message_hardly_grows_with_the_length_of_the_history(shape: str) -> None:
    shorter, longer = (list(SHAPES[shape](size)) for size in (1_500, 6_000))
    a_message_before = _calls_to_accept(shorter) / len(shorter)
    a_message_now = _calls_to_accept(longer) / len(longer)
    assert a_message_now < 2 * a_message_before


@pytest.mark.parametrize("shape", SHAPES)
def test_each_message_costs_few_3_way_merges(shape: str) -> None:
    calls = 0

    def three_way_merge(o: frozenset[str], a: frozenset[str], b: frozenset[str]) -> frozenset[str]:
        nonlocal calls
        calls += 1
        return SETS.three_way_merge(o, a, b)

    messages = list(SHAPES[shape](3_000))
    counted: StateType[frozenset[str]] = StateType("set", frozenset(), three_way_merge)
    session_of(messages, counted)
    assert calls <= 2 * len(messages)


def test_30_000_messages_of_constant_forking_are_accepted() -> None:
    session = session_of(_ladder(10_000, 3), SETS)
    assert len(session.graph) == 30_000
    assert session.members() >= frozenset("4")
