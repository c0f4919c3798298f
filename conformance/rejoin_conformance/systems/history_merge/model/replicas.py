"""Replicas that carry out the model's steps on the reference, each with a session of its own.

The model numbers messages in the order of posting; the reference knows them by their IDs. What the
model observes is told in numbers.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from attrs import Factory, define, field

from rejoin.history_merge import (
    SETS,
    HistoryMergeError,
    Node,
    Reading,
    Session,
    fast_merge,
    folding_by,
    ranked_in,
)
from rejoin_conformance.contract.model import Step
from rejoin_conformance.kit.tla_values import Function, Value, record

State = frozenset[str]

NOBODYS_ID = "~"
"""The ID of messages that are offered to be refused; it is behind all others."""


@define
class Replicas:
    """Sessions under way, and the steps that they have taken, as the model says them.

    nodes: the messages, in the order of posting; numbers: ID -> number, from 1 on.
    """

    reading: Reading
    sessions: dict[str, Session[State]] = field(factory=dict)
    nodes: list[Node[State]] = field(factory=list)
    numbers: dict[str, int] = Factory(dict)
    steps: list[Step] = field(factory=list)

    def session(self, replica: str) -> Session[State]:
        """The session of a replica; a new one has accepted nothing."""
        return self.sessions.setdefault(replica, Session(SETS, self.reading))

    def post(self, replica: str, message: str, adds: State, removes: State) -> None:
        """A replica posts a message of this ID after all that it has seen."""
        session = self.session(replica)
        heads = session.graph.heads()
        node = Node(message, heads, (session.merge(heads) | adds) - removes)
        departed = session.accept(node)
        place = 1 + sum(other < message for other in self.numbers)
        self.nodes.append(node)
        self.numbers[message] = len(self.nodes)
        self._took(
            record(action="post", replica=replica, place=place, adds=adds, removes=removes),
            {"departed": departed, "state": node.state},
        )

    def offer(self, replica: str, number: int) -> bool:
        """A replica is offered a message; whether it accepts it."""
        try:
            departed = self.session(replica).accept(self.nodes[number - 1])
        except HistoryMergeError as error:
            why = error.code
            label = record(action="refuse", replica=replica, message=number, why=why)
            self._took(label, {})
            return False
        self._took(record(action="accept", replica=replica, message=number), {"departed": departed})
        return True

    def offer_redundant(self, replica: str, older: int, newer: int) -> None:
        """A replica is offered a message over a node and one before it."""
        label = record(action="refuse-redundant", replica=replica, older=older, newer=newer)
        over = [self.nodes[number - 1].id for number in (older, newer)]
        try:
            self.session(replica).accept(Node(NOBODYS_ID, frozenset(over), frozenset()))
        except HistoryMergeError as error:
            observed = {} if error.code == "not-an-anti-chain" else {"refused": error.code}
            self._took(label, observed)
        else:
            self._took(label, {"refused": "not at all"})

    def merge(self, replica: str, numbers: Iterable[int]) -> None:
        """A replica merges its heads, those on the list first."""
        listed = tuple(numbers)
        session = self.session(replica)
        heads = session.graph.heads()
        if listed:
            order = ranked_in(session.graph, [self.nodes[number - 1].id for number in listed])
            state = fast_merge(session.graph, heads, SETS, folding_by(order, self.reading))
        else:
            state = session.members()
        self._took(record(action="merge", replica=replica, list=listed), {"state": state})

    def heads(self, replica: str) -> tuple[int, ...]:
        """The heads of a replica's session, ascending by number."""
        return tuple(
            sorted(self.numbers.get(each, 0) for each in self.session(replica).graph.heads())
        )

    def _took(self, label: Function, observed: Mapping[str, Value]) -> None:
        heads: Value = frozenset(self.heads(str(label["replica"])))
        self.steps.append(Step(label, record(heads=heads, **observed)))
