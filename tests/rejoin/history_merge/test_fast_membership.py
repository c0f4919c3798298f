"""A session continues the fold of its heads from message to message."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rejoin.history_merge import (
    READINGS,
    REGISTERS,
    SETS,
    HistoryMergeError,
    Node,
    Session,
    folding_by,
    merge,
)
from rejoin.history_merge.reading import descending
from support.plain_history_merge import Counting, SetNode, histories

ROOT = Node("r", frozenset(), frozenset[str]())


def _head(number: int) -> SetNode:
    return Node(f"h{number:04}", frozenset("r"), frozenset([f"e{number}"]))


@given(histories(), st.sampled_from(sorted(READINGS)))
def test_the_state_of_a_session_is_the_merge_of_its_heads(
    nodes: tuple[SetNode, ...], reading: str
) -> None:
    session = Session(SETS, READINGS[reading])
    for node in nodes:
        session.accept(node)
        heads = session.graph.heads()
        assert session.members() == merge(session.graph, heads, SETS, READINGS[reading])


@given(histories(elements="ab"))
def test_a_session_whose_heads_conflict_goes_on(nodes: tuple[SetNode, ...]) -> None:
    session = Session(REGISTERS)
    for node in nodes:
        try:
            session.accept(Node(node.id, node.parents, "".join(sorted(node.state))))
        except HistoryMergeError:
            continue
        try:
            expected = merge(session.graph, session.graph.heads(), REGISTERS)
        except HistoryMergeError:
            with pytest.raises(HistoryMergeError, match="became"):
                session.members()
        else:
            assert session.members() == expected


@pytest.mark.parametrize(("first", "merges"), [(0, 100 - 1), (100, 100 * 99 // 2)])
def test_heads_that_come_by_ascending_id_take_one_merge_each(first: int, merges: int) -> None:
    counting = Counting()
    session = Session(counting.states)
    session.accept(ROOT)
    for number in range(100):
        session.accept(_head(abs(first - number)))
        session.members()
    assert counting.calls == merges
    assert len(session.members()) == 100


def test_heads_that_agree_take_few_merges_in_any_order() -> None:
    counting = Counting()
    session = Session(counting.states)
    session.accept(ROOT)
    numbers = [number * 37 % 400 for number in range(400)]
    for number in [*sorted(numbers, reverse=True), *(1000 + number for number in numbers)]:
        above = f"h{number - 1000:04}" if number >= 1000 else "r"
        session.accept(Node(f"h{number:04}", frozenset([above]), frozenset()))
        session.members()
    assert counting.calls < 800 * 20


def test_a_message_that_joins_all_heads_starts_from_their_merge() -> None:
    session = Session(SETS)
    session.accept(ROOT)
    for number in range(50):
        session.accept(_head(number))
    state = session.members()
    assert session.accept(Node("m", session.graph.heads(), frozenset("x"))) == state
    assert session.members() == frozenset("x")


def test_another_fold_order_merges_all_heads_anew() -> None:
    reading = folding_by(descending)
    session = Session(SETS, reading)
    for node in (ROOT, _head(1), _head(2)):
        session.accept(node)
    assert session.members() == merge(session.graph, session.graph.heads(), SETS, reading)
