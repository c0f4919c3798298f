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
from rejoin_conformance.systems.history_merge.actions import (
    ADDING,
    REMOVING,
    Event,
    History,
    act,
    posts_in,
)

State = frozenset[str]
S = TypeVar("S")

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
        merge = complete_algorithm.merge if self.literal else fast_merge
        return merge(graph, nodes, states, reading)

    def lca_u(self, a_nodes: Iterable[str], b: str) -> frozenset[str]:
        """Return lcaU(A, b) of some messages."""
        return (lca_u if self.literal else fast_lca_u)(self.session.graph, a_nodes, b)

    def merge_fold_recurse(self, nodes: Iterable[str]) -> State:
        """Return the merge of some messages with temporary nodes."""
        literal = simple_derivation.merge_fold_recurse
        merge = literal if self.literal else fast_merge_fold_recurse
        return merge(self.session.graph, nodes, SETS, self.reading)

    def merge_recurse_fold(self, nodes: Iterable[str]) -> State:
        """Return the merge of some messages by recurse-fold, the variant that is wrong."""
        literal = simple_derivation.merge_recurse_fold
        merge = literal if self.literal else fast_merge_recurse_fold
        return merge(self.session.graph, nodes, SETS, self.reading)

    def post(self, post: Event) -> None:
        """Carry out a post: a message over the newest messages that its author has seen."""
        number = len(self.messages)
        parents = self.ids(self.views.heads(self.views.post(post["author"])))
        departed = self.session.merge(parents)
        state = changed(departed, post)
        node = Node(post["post"], frozenset(parents), state)
        self.session.accept(node)
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


def run_history(history: History, reading: Reading) -> Run:
    """Carry out all actions of a history, in order."""
    posts = len(posts_in(history))
    run = Run(reading, literal=posts <= LITERAL_NODES and _is_literal_overridden())
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
