"""Replicas that carry out the model's steps on the reference, each with its own session.

The model numbers messages in the order of posting, and the reference identifies them by their IDs.
Observations contain the numbers.
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
"""The ID of messages that every session refuses. It sorts after all other IDs."""


@define
class Replicas:
    """The sessions of all replicas, and the steps that they have taken, as steps of the model.

    nodes: the messages, in the order of posting. numbers: ID -> number, from 1 on.
    """

    reading: Reading
    sessions: dict[str, Session[State]] = field(factory=dict)
    nodes: list[Node[State]] = field(factory=list)
    numbers: dict[str, int] = Factory(dict)
    steps: list[Step] = field(factory=list)

    def session(self, replica: str) -> Session[State]:
        """Return the session of a replica, empty if the replica is new."""
        return self.sessions.setdefault(replica, Session(SETS, self.reading))

    def post(self, replica: str, message: str, adds: State, removes: State) -> None:
        """Let a replica post a message with this ID, over the heads of its session."""
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
        """Offer a message to a replica; return whether it accepts the message."""
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
        """Offer a replica a message whose parents are a node and one before it."""
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
        """Let a replica merge its heads, the listed ones first."""
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
        """Return the heads of a replica's session, ascending by number."""
        return tuple(
            sorted(self.numbers.get(each, 0) for each in self.session(replica).graph.heads())
        )

    def _took(self, label: Function, observed: Mapping[str, Value]) -> None:
        heads: Value = frozenset(self.heads(str(label["replica"])))
        self.steps.append(Step(label, record(heads=heads, **observed)))
