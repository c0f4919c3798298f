"""Replicas that get the same messages in different causal orders agree, whatever is going on.

Members post and hear of each other's messages one by one, in any order in which parents come first.
The network delays, repeats and reorders; a plain account of the messages is kept beside it.
"""

from __future__ import annotations

from typing import Final

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    Bundle,
    RuleBasedStateMachine,
    consumes,
    invariant,
    multiple,
    rule,
)

from rejoin.history_merge import (
    SETS,
    HistoryMergeError,
    MergeCache,
    Node,
    Session,
    ancestors,
    merge,
    session_of,
)

REPLICAS: Final = 4
NAMES: Final = "xy"
State = frozenset[str]
Message = Node[State]

replicas = st.integers(0, REPLICAS - 1)
people = st.frozensets(st.sampled_from(NAMES), max_size=2)


class Replicas(RuleBasedStateMachine):
    """Four replicas: two with a cache of all states, one of one state, and one without a cache."""

    posted = Bundle("posted")

    def __init__(self) -> None:
        super().__init__()
        capacities = (None, None, 1, 0)
        self.sessions = [
            Session[State](SETS, cache=MergeCache(capacity=capacity)) for capacity in capacities
        ]
        self.messages: dict[str, Message] = {}
        self.departed: dict[str, State] = {}
        self.known_members: dict[frozenset[str], State] = {}

    @rule(target=posted, at=replicas, added=people, removed=people, name=st.integers(0, 9999))
    def post(self, at: int, added: State, removed: State, name: int) -> Message:
        """A member posts over the heads of its replica, with some added and some removed."""
        session = self.sessions[at]
        while f"{name}" in self.messages:
            name += 1
        departed = session.members()
        message = Node(f"{name}", session.graph.heads(), (departed | added) - removed)
        assert session.accept(message) == departed
        assert session.members() == message.state  # one head, which is the message
        self.messages[message.id] = message
        self.departed[message.id] = departed
        return message

    @rule(target=posted, changes=st.tuples(*[st.tuples(people, people)] * REPLICAS))
    def race(self, changes: tuple[tuple[State, State], ...]) -> object:
        """Everybody posts at once."""
        return multiple(
            *(
                self.post(at, added, removed, len(self.messages))
                for at, (added, removed) in enumerate(changes)
            )
        )

    @rule(message=posted, at=replicas)
    def deliver(self, message: Message, at: int) -> None:
        """A message arrives: for the first time, again, or before its parents."""
        session = self.sessions[at]
        before, members = len(session.graph), session.members()
        if message.id in session.graph:
            self._refused(session, message, "duplicate-node")
        elif any(parent not in session.graph for parent in message.parents):
            self._refused(session, message, "unknown-parent")
        else:
            assert session.accept(message) == self.departed[message.id]
            return
        assert (len(session.graph), session.members()) == (before, members)

    @rule(message=posted, at=replicas)
    def deliver_with_all_before_it(self, message: Message, at: int) -> None:
        """A message arrives together with everything that it follows."""
        session = self.sessions[at]
        for each in self._in_causal_order(message):
            if each.id not in session.graph:
                assert session.accept(each) == self.departed[each.id]

    @rule(message=posted, at=replicas)
    def forge_a_redundant_parent(self, message: Message, at: int) -> None:
        """A message that names a node and one before it is refused, and nothing is changed."""
        session = self.sessions[at]
        if message.id not in session.graph or not message.parents:
            return
        older = min(ancestors(session.graph, message.id) - {message.id})
        forged = Node("forged", frozenset([message.id, older]), message.state)
        members = session.members()
        self._refused(session, forged, "not-an-anti-chain")
        assert session.members() == members
        assert "forged" not in session.graph

    @rule(message=consumes(posted))
    def lose(self, message: Message) -> None:
        """No copy of a message is delivered by itself any more; it may still come with others."""
        assert message.id in self.messages

    @rule()
    def synchronise(self) -> None:
        """Everybody gets everything, each in another causal order."""
        everything = list(self.messages.values())
        for place in range(REPLICAS):
            turned = everything[place:] + everything[:place]
            for message in reversed(turned) if place == 1 else turned:
                self.deliver_with_all_before_it(message, place)
        states = {session.members() for session in self.sessions}
        assert len(states) == 1

    @invariant()
    def replicas_with_the_same_messages_agree(self) -> None:
        """The members are a function of the set of messages."""
        for session in self.sessions:
            known = frozenset(node.id for node in session.graph)
            members = session.members()
            assert self.known_members.setdefault(known, members) == members
            assert merge(session.graph, session.graph.heads(), SETS) == members

    @invariant()
    def a_fresh_session_comes_to_the_same(self) -> None:
        """The state of a replica does not depend on its path to it."""
        session = self.sessions[0]
        fresh = session_of(sorted(session.graph, key=self._rank), SETS)
        assert fresh.members() == session.members()

    def _rank(self, node: Message) -> tuple[int, str]:
        """Another causal order than that of arrival: by the number of ancestors, then by ID."""
        return len(ancestors(self.sessions[0].graph, node.id)), node.id

    def _in_causal_order(self, message: Message) -> list[Message]:
        """All that a message follows, and itself, parents first: as they were posted."""
        wanted = {message.id}
        for each in reversed(self.messages.values()):
            if each.id in wanted:
                wanted |= each.parents
        return [each for each in self.messages.values() if each.id in wanted]

    @staticmethod
    def _refused(session: Session[State], message: Message, code: str) -> None:
        with pytest.raises(HistoryMergeError) as refusal:
            session.accept(message)
        assert refusal.value.code == code


Replicas.TestCase.settings = settings(max_examples=120, stateful_step_count=30)

TestReplicas = Replicas.TestCase
