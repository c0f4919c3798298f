"""Run a history on the reference: every message gets its parents and its state.

A run uses the fast evaluation of the reference. While a rule overrides a function of the literal
evaluation, a run of a history within the bound uses the literal one, because rules are written for
the functions that follow the document.
"""

from __future__ import annotations

from typing import Any, Final

from attrs import define, field, frozen

from rejoin.history_merge import LITERAL_NODES, Node, Reading
from rejoin_conformance.readings.reach import overridden
from rejoin_conformance.systems.history_merge.actions import (
    ADDING,
    REMOVING,
    Event,
    History,
    act,
    posts_in,
)
from rejoin_conformance.systems.history_merge.merges import Merges, Posted, State

_REFERENCE: Final = "rejoin.history_merge."
_FAST: Final = ".fast_"
"""A part of the dotted name of every function of the fast evaluation."""


@define
class Views:
    """The views of all authors while a history runs. Bit n of a set stands for message number n.

    pasts: for each message, the set of itself and all messages before it.
    seen: author -> the set of messages that it has seen.
    """

    pasts: list[int] = field(factory=list)
    seen: dict[str, int] = field(factory=dict)

    def post(self, author: str) -> int:
        """Add a message after all messages that its author has seen; return the set of these."""
        before = self.seen.get(author, 0)
        past = before | 1 << len(self.pasts)
        self.pasts.append(past)
        self.seen[author] = past
        return before

    def hear(self, author: str, source: str, behind: int) -> bool:
        """Let an author see the messages of another author; return whether any is new to it.

        behind: the number of latest messages left out. They have the highest numbers, so no message
            arrives without the messages before it.
        """
        reaching = self.seen.get(source, 0)
        for _ in range(behind):
            reaching &= ~(1 << reaching.bit_length() >> 1)
        before = self.seen.get(author, 0)
        after = before | reaching
        self.seen[author] = after
        return after != before

    def heads(self, view: int) -> tuple[int, ...]:
        """Return the maximal messages of a view, ascending by number."""
        found = []
        while view:
            last = view.bit_length() - 1
            found.append(last)
            view &= ~self.pasts[last]
        return tuple(found[::-1])


@frozen
class Message:
    """A message that was posted.

    number: the number of messages posted before it.
    parents: the IDs of its parents, in the order of posting.
    past: the bits of the message itself and of all messages before it.
    departed: the merge of its parents, to which its author applied a change.
    node: the message as a node of a history.
    """

    number: int
    post: Event
    parents: tuple[str, ...]
    past: int
    departed: State
    node: Node[State]

    @property
    def id(self) -> str:
        """Return the ID of the message."""
        return self.node.id

    @property
    def state(self) -> State:
        """Return the members after the message."""
        return self.node.state


@define
class Operations:
    """The operations on one element: ascending numbers of the messages that add and remove it."""

    additions: list[int] = field(factory=list)
    removals: list[int] = field(factory=list)


@define
class Run:
    """A history that is being run under a reading, or has been.

    merges: the messages as they merge, by the reference or by the oracle.
    operations: element -> the messages that changed its membership. Adding a member again is not an
        operation.
    """

    reading: Reading
    merges: Merges
    views: Views = field(factory=Views)
    messages: list[Message] = field(factory=list)
    operations: dict[str, Operations] = field(factory=dict)

    def post(self, post: Event) -> None:
        """Carry out a post: a message over the newest messages that its author has seen."""
        number = len(self.messages)
        parents = self.ids(self.views.heads(self.views.post(post["author"])))
        departed = self.merges.merge(parents)
        state = changed(departed, post)
        node = Posted(post["post"], frozenset(parents), state)
        self.merges.accept(node)
        past = self.views.pasts[number]
        self.messages.append(Message(number, post, parents, past, departed, node))
        for element in sorted(state - departed):
            self.operations.setdefault(element, Operations()).additions.append(number)
        for element in sorted(departed - state):
            self.operations.setdefault(element, Operations()).removals.append(number)

    def past_of(self, numbers: tuple[int, ...]) -> int:
        """Return the bits of these messages and of all messages before them."""
        past = 0
        for number in numbers:
            past |= self.views.pasts[number]
        return past

    def ids(self, numbers: tuple[int, ...]) -> tuple[str, ...]:
        """Return the IDs of messages."""
        return tuple([self.messages[number].id for number in numbers])

    def in_past(self, past: int) -> list[Message]:
        """Return the messages of a past, in the order of posting."""
        return [message for message in self.messages if past >> message.number & 1]


def run_history(history: History, reading: Reading, oracle: Any = None) -> Run:
    """Carry out all actions of a history, in order.

    oracle: the module of the oracle, which then merges in place of the reference.
    """
    posts = len(posts_in(history))
    if oracle is None:
        merges = Merges(reading, literal=posts <= LITERAL_NODES and _is_literal_overridden())
    else:
        merges = oracle.Merges(reading.name)
    run = Run(reading, merges)
    for event in history.events:
        act(run, event)
    return run


def _is_literal_overridden() -> bool:
    return any(name.startswith(_REFERENCE) and _FAST not in name for name in overridden())


def changed(departed: State, post: Event) -> State:
    """Return the members after a post changed them."""
    if post["kind"] in ADDING:
        return departed.union(post["who"])
    if post["kind"] in REMOVING:
        return departed.difference(post["who"])
    return departed
