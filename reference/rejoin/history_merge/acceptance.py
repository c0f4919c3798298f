"""A session: the messages that one member has accepted, in the order in which they came.

A message is accepted once all of its parents are, if they are causally independent of each other.
To find out, their merge is carried out; its state is what the author of the message departed from,
and it is remembered, because the merges to come need it as an origin. Whoever merges at every
message therefore never has far to go, however long the history has become.

A `Session` is a builder: the only thing of the reference that changes, and only by `accept`. A
message that is refused leaves it as it was.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Generic

from attrs import field, frozen

from rejoin.history_merge.complete_algorithm import merge
from rejoin.history_merge.errors import HistoryMergeError
from rejoin.history_merge.evaluation import MergeCache
from rejoin.history_merge.graph import Graph, Node, S, unknown_parents
from rejoin.history_merge.membership import members
from rejoin.history_merge.readings import DOCUMENT, Reading
from rejoin.history_merge.three_way_merge import StateType


@frozen(eq=False)
class Session(Generic[S]):
    """What one member knows: a history that grows message by message, and the cache of its merges.

    states: the type of the messages' states.
    cache: kept for as long as the session; its capacity may be bounded.
    """

    states: StateType[S]
    reading: Reading = DOCUMENT
    cache: MergeCache[S] = field(factory=MergeCache, repr=False)
    graph: Graph[S] = field(factory=Graph, init=False, repr=False)

    def accept(self, message: Node[S]) -> S:
        """Add a message to the history, and say from which state its author departed.

        Errors, each naming the nodes: `duplicate-node` where the history holds a message of this
        ID, be it the same message again or another one; `unknown-parent`; `not-an-anti-chain`
        where a parent is before another parent; what the 3-way merge refuses. The session is then
        as it was.
        Clauses: HM-ACCEPT-DUPLICATE, HM-ACCEPT-PARENTS, HM-ACCEPT-ANTI-CHAIN, HM-ACCEPT-ROOT,
            HM-ACCEPT-STATE, HM-ACCEPT-UNCHANGED, HM-ACCEPT-ANY-ORDER
        Source: "Complete algorithm", the check of merge(pre(m)) for every accepted message
        """
        if message.id in self.graph:
            raise HistoryMergeError(
                "duplicate-node", f"a message {message.id!r} is accepted already", [message.id]
            )
        unknown = self.graph.lacks(message.parents)
        if unknown:
            raise unknown_parents(message.id, unknown)
        departed_from = self.merge(message.parents)
        self.graph.add(message)
        return departed_from

    def merge(self, nodes: Iterable[str]) -> S:
        """merge[G](X) of messages of this session, with its cache.

        Errors: as `complete_algorithm.merge`.
        Clauses: HM-ACCEPT-CACHE
        """
        return merge(self.graph, nodes, self.states, self.reading, self.cache)

    def members(self) -> S:
        """The state of the session as it stands.

        Clauses: HM-MEMBERS-HEADS
        """
        return members(self.graph, self.states, self.reading, self.cache)


def session_of(
    messages: Iterable[Node[S]], states: StateType[S], reading: Reading = DOCUMENT
) -> Session[S]:
    """The session that has accepted these messages, which come parents first.

    Errors: as `Session.accept`.
    Clauses: HM-ACCEPT-ANY-ORDER
    """
    session = Session(states, reading)
    for message in messages:
        session.accept(message)
    return session
