"""Carry a history out on the reference: every message gets its parents and its state."""

from __future__ import annotations

from attrs import define, field, frozen

from rejoin.history_merge import SETS, Node, Reading, Session
from rejoin_conformance.systems.history_merge.histories.events import (
    ADDING,
    REMOVING,
    Hear,
    History,
    Post,
)
from rejoin_conformance.systems.history_merge.histories.views import Views

State = frozenset[str]


@frozen
class Message:
    """A message that was posted.

    number: how many were posted before it. parents: in the order of posting.
    past: itself and all before it, by number.
    departed: the merge of its parents, from which its author departed.
    node: the message as a node of a history.
    """

    number: int
    post: Post
    parents: tuple[str, ...]
    past: int
    departed: State
    node: Node[State]

    @property
    def state(self) -> State:
        """The members as the message leaves them."""
        return self.node.state


@define
class Operations:
    """Who adds and who removes one element: numbers of messages, ascending."""

    additions: list[int] = field(factory=list)
    removals: list[int] = field(factory=list)


@define
class Run:
    """What has become of a history under a reading.

    operations: element -> what was really done to it; adding what is there is no operation.
    """

    reading: Reading
    session: Session[State]
    views: Views = field(factory=Views)
    messages: list[Message] = field(factory=list)
    operations: dict[str, Operations] = field(factory=dict)

    def past_of(self, numbers: tuple[int, ...]) -> int:
        """All messages that are in the past of any of these."""
        past = 0
        for number in numbers:
            past |= self.views.pasts[number]
        return past

    def ids(self, numbers: tuple[int, ...]) -> tuple[str, ...]:
        """The IDs of messages."""
        return tuple(self.messages[number].post.id for number in numbers)

    def in_past(self, past: int) -> list[Message]:
        """The messages of a past, in the order of posting."""
        return [message for message in self.messages if past >> message.number & 1]


def run_history(history: History, reading: Reading) -> Run:
    """Let everything happen, in order."""
    run = Run(reading, Session(SETS, reading))
    for event in history.events:
        if isinstance(event, Hear):
            run.views.hear(event.author, event.source, event.behind)
        else:
            _post(run, event)
    return run


def _post(run: Run, post: Post) -> None:
    parents = run.ids(run.views.post(post.author))
    departed = run.session.merge(parents)
    state = changed(departed, post)
    number = len(run.messages)
    node = Node(post.id, frozenset(parents), state)
    message = Message(number, post, parents, run.views.pasts[number], departed, node)
    run.session.accept(node)
    run.messages.append(message)
    for element in sorted(state - departed):
        run.operations.setdefault(element, Operations()).additions.append(number)
    for element in sorted(departed - state):
        run.operations.setdefault(element, Operations()).removals.append(number)


def changed(departed: State, post: Post) -> State:
    """The members after what a post does to them."""
    if post.kind in ADDING:
        return departed.union(post.who)
    if post.kind in REMOVING:
        return departed.difference(post.who)
    return departed
