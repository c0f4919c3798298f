"""Run a history on the reference: every message gets its parents and its state.

A run uses the fast evaluation of the reference. While a rule overrides a function of the literal
evaluation, a run of a history within the bound uses the literal one, because rules are written for
the functions that follow the document.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, TypeVar

from attrs import define, field, frozen

from rejoin.history_merge import (
    LITERAL_NODES,
    SETS,
    Graph,
    MergeCache,
    Node,
    Reading,
    Session,
    StateType,
    complete_algorithm,
    fast_lca_u,
    fast_merge,
    fast_merge_fold_recurse,
    fast_merge_recurse_fold,
    lca_u,
    reducing,
    simple_derivation,
)
from rejoin_conformance.readings.overriding import overridden
from rejoin_conformance.systems.history_merge.histories.events import (
    ADDING,
    REMOVING,
    Hear,
    History,
    Post,
)
from rejoin_conformance.systems.history_merge.histories.views import Views

State = frozenset[str]
S = TypeVar("S")

_REFERENCE: Final = "rejoin.history_merge."
_FAST: Final = ".fast_"
"""A part of the dotted name of every function of the fast evaluation."""


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
    post: Post
    parents: tuple[str, ...]
    past: int
    departed: State
    node: Node[State]

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

    literal: whether the literal evaluation merges, and not the fast one.
    reducing: the reading that merges the maximal nodes of any set.
    operations: element -> the messages that changed its membership. Adding a member again is not an
        operation.
    """

    reading: Reading
    literal: bool
    session: Session[State] = field(init=False)
    reducing: Reading = field(init=False)
    views: Views = field(factory=Views)
    messages: list[Message] = field(factory=list)
    operations: dict[str, Operations] = field(factory=dict)

    def __attrs_post_init__(self) -> None:
        """Start the session that accepts every message."""
        self.session = self.new_session()
        self.reducing = reducing(self.reading)

    def new_session(self, capacity: int | None = None) -> Session[State]:
        """Return an empty session. capacity: the most states in its cache, None for no bound."""
        cache: MergeCache[State] | None = None if self.literal else MergeCache(capacity)
        return Session(SETS, self.reading, cache)

    def merge(
        self, graph: Graph[S], nodes: Iterable[str], states: StateType[S], reading: Reading
    ) -> S:
        """Return the merge of some nodes without a cache, by the evaluation of this run."""
        if self.literal:
            return complete_algorithm.merge(graph, nodes, states, reading)
        return fast_merge(graph, nodes, states, reading)

    def lca_u(self, a_nodes: Iterable[str], b: str) -> frozenset[str]:
        """Return lcaU(A, b) of some messages."""
        if self.literal:
            return lca_u(self.session.graph, a_nodes, b)
        return fast_lca_u(self.session.graph, a_nodes, b)

    def merge_fold_recurse(self, nodes: Iterable[str]) -> State:
        """Return the merge of some messages with temporary nodes."""
        if self.literal:
            return simple_derivation.merge_fold_recurse(
                self.session.graph, nodes, SETS, self.reading
            )
        return fast_merge_fold_recurse(self.session.graph, nodes, SETS, self.reading)

    def merge_recurse_fold(self, nodes: Iterable[str]) -> State:
        """Return the merge of some messages by recurse-fold, the variant that is wrong."""
        if self.literal:
            return simple_derivation.merge_recurse_fold(
                self.session.graph, nodes, SETS, self.reading
            )
        return fast_merge_recurse_fold(self.session.graph, nodes, SETS, self.reading)

    def past_of(self, numbers: tuple[int, ...]) -> int:
        """Return the bits of these messages and of all messages before them."""
        past = 0
        for number in numbers:
            past |= self.views.pasts[number]
        return past

    def ids(self, numbers: tuple[int, ...]) -> tuple[str, ...]:
        """Return the IDs of messages."""
        return tuple([self.messages[number].post.id for number in numbers])

    def in_past(self, past: int) -> list[Message]:
        """Return the messages of a past, in the order of posting."""
        return [message for message in self.messages if past >> message.number & 1]


def run_history(history: History, reading: Reading) -> Run:
    """Carry out all events of a history, in order."""
    posts = sum(isinstance(event, Post) for event in history.events)
    run = Run(reading, literal=posts <= LITERAL_NODES and _is_literal_overridden())
    for event in history.events:
        if isinstance(event, Hear):
            run.views.hear(event.author, event.source, event.behind)
        else:
            _post(run, event)
    return run


def _is_literal_overridden() -> bool:
    return any(name.startswith(_REFERENCE) and _FAST not in name for name in overridden())


def _post(run: Run, post: Post) -> None:
    views, number = run.views, len(run.messages)
    parents = run.ids(views.heads(views.post(post.author)))
    departed = run.session.merge(parents)
    state = changed(departed, post)
    node = Node(post.id, frozenset(parents), state)
    message = Message(number, post, parents, views.pasts[number], departed, node)
    run.session.accept(node)
    run.messages.append(message)
    if state != departed:
        for element in sorted(state - departed):
            run.operations.setdefault(element, Operations()).additions.append(number)
        for element in sorted(departed - state):
            run.operations.setdefault(element, Operations()).removals.append(number)


def changed(departed: State, post: Post) -> State:
    """Return the members after a post changed them."""
    if post.kind in ADDING:
        return departed.union(post.who)
    if post.kind in REMOVING:
        return departed.difference(post.who)
    return departed
