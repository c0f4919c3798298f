"""Messages are delivered in any order, and accepted once their parents are."""

from __future__ import annotations

from itertools import permutations

from rejoin.history_merge import DOCUMENT, SETS, Session
from rejoin_conformance.systems.history_merge.histories.check_sessions import deliver
from rejoin_conformance.systems.history_merge.histories.events import Hear, History, Post
from rejoin_conformance.systems.history_merge.histories.run import run_history

RUN = run_history(
    History(
        (
            Post("A", "r", "found", ("A", "B")),
            Hear("B", "A", 0),
            Post("A", "p", "join", ("C",)),
            Post("B", "q", "kick", ("A",)),
            Hear("A", "B", 0),
            Post("A", "m", "talk", ()),
        ),
        probe=1,
    ),
    DOCUMENT,
)


def test_in_every_order_of_delivery_all_messages_depart_from_the_same_states() -> None:
    for messages in permutations(RUN.messages):
        session = Session(SETS)
        departed = deliver(session, messages)
        assert {name: sorted(state) for name, state in departed.items()} == {
            "r": [],
            "p": ["A", "B"],
            "q": ["A", "B"],
            "m": ["B", "C"],
        }
        assert sorted(session.members()) == ["B", "C"]


def test_a_message_whose_parent_never_comes_is_not_accepted() -> None:
    without_p = [each for each in RUN.messages if each.post.id != "p"]
    session = Session(SETS)
    assert set(deliver(session, without_p[::-1])) == {"r", "q"}
    assert session.graph.heads() == {"q"}
