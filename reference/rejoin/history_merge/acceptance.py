"""A session: the messages that one member has accepted.

A session accepts a message if it has accepted all parents of the message and these are causally
independent of each other. To find out, it merges the parents. The merged state is the state from
which the author of the message started. The session caches it, because later merges need it as an
origin. A message that joins two branches may still need a recursion over the whole history
(HM-E03).

A `Session` is a builder. Apart from its graph and its cache, it is the only mutable value of the
reference, and only `accept` changes it. A refused message does not change it.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Generic

from attrs import field, frozen

from rejoin.history_merge.any_size import merge
from rejoin.history_merge.errors import HistoryMergeError, unknown_parents
from rejoin.history_merge.fast_complete_algorithm import MergeCache
from rejoin.history_merge.fast_membership import HeadsFold
from rejoin.history_merge.graph import Graph, Node, S
from rejoin.history_merge.membership import members
from rejoin.history_merge.reading import DOCUMENT, Reading, ascending
from rejoin.history_merge.three_way_merge import StateType
from rejoin.plain import require_kind


@frozen(eq=False)
class Session(Generic[S]):
    """The knowledge of one member: a growing history, and a cache of its merges.

    states: the type of the messages' states.
    cache: the merged states of the session, for the fast evaluation; its capacity may be bounded.
        Without a cache, every merge starts from nothing, and is literal while the history is small.
    """

    states: StateType[S]
    reading: Reading = DOCUMENT
    cache: MergeCache[S] | None = field(factory=MergeCache, repr=False)
    graph: Graph[S] = field(factory=Graph, init=False, repr=False)
    _heads: HeadsFold[S] = field(factory=HeadsFold, init=False, repr=False)

    def accept(self, message: Node[S]) -> S:
        """Add a message to the history, and return the state from which its author started.

        Errors, each naming the nodes: `duplicate-node` if the history has a message with this ID,
        whether the same message or another one; `unknown-parent`; `not-an-anti-chain` if a parent
        is before another parent; and any refusal by the 3-way merge. TypeError if the state is of
        another type than the states of the session. After an error, the session is unchanged.
        Clauses: HM-ACCEPT-DUPLICATE, HM-ACCEPT-PARENTS, HM-ACCEPT-ANTI-CHAIN, HM-ACCEPT-ROOT,
            HM-ACCEPT-STATE, HM-ACCEPT-UNCHANGED, HM-ACCEPT-ANY-ORDER
        Source: "Complete algorithm", the check of merge(pre(m)) for every accepted message
        """
        if message.id in self.graph:
            raise HistoryMergeError(
                "duplicate-node", f"the message {message.id!r} was accepted before", [message.id]
            )
        unknown = self.graph.lacks(message.parents)
        if unknown:
            raise unknown_parents(message.id, unknown)
        name = f"the state of node {message.id!r}"
        require_kind(name, message.state, self.states.default_state)
        departed_from = self.merge(message.parents)
        self.graph.add(message)
        self._heads.add(message, self.graph.pasts.of(message.id))
        return departed_from

    def merge(self, nodes: Iterable[str]) -> S:
        """Return merge[G](X): the merged state of some messages of this session.

        Errors: as `merge`.
        Clauses: HM-ACCEPT-CACHE
        """
        return merge(self.graph, nodes, self.states, self.reading, self.cache)

    def members(self) -> S:
        """Return the current state of the session.

        Errors: any refusal by the 3-way merge of the heads. The session then has no state, and
        accepts further messages as before.
        Clauses: HM-MEMBERS-HEADS, HM-MEMBERS-CONFLICT
        """
        if self.cache is not None and self.reading.fold_order is ascending:
            return self._heads.merged(self.graph, self.states, self.reading, self.cache)
        return members(self.graph, self.states, self.reading, self.cache)


def session_of(
    messages: Iterable[Node[S]], states: StateType[S], reading: Reading = DOCUMENT
) -> Session[S]:
    """Return a session that has accepted these messages, which are given parents first.

    Errors: as `Session.accept`.
    Clauses: HM-ACCEPT-ANY-ORDER
    """
    session = Session(states, reading)
    for message in messages:
        session.accept(message)
    return session
