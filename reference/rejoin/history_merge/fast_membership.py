"""The merge of a session's heads, continued from message to message.

A new message replaces some heads by itself. The fold by ascending ID takes the heads before the
first difference in the same order as before, so their merged state is still known. If each new head
has the highest ID, a session with n heads therefore merges two states for each message instead of
n.
"""

from __future__ import annotations

from bisect import bisect_left
from typing import Generic

from attrs import field, frozen

from rejoin.history_merge.fast_complete_algorithm import MergeCache, fast_merge
from rejoin.history_merge.fast_partial_orders import fast_lca_u_of_past
from rejoin.history_merge.graph import Graph, Node, S
from rejoin.history_merge.index_sets import IndexSet
from rejoin.history_merge.reading import Reading
from rejoin.history_merge.three_way_merge import StateType


@frozen(eq=False)
class HeadsFold(Generic[S]):
    """The heads of a growing history, and their fold by ascending ID.

    _heads: the IDs of the heads, ascending. _states, _pasts: the merged state of the first heads,
    and their ancestors, after each of them; shorter than `_heads` after a change.
    """

    _heads: list[str] = field(factory=list, init=False)
    _states: list[S] = field(factory=list, init=False)
    _pasts: list[IndexSet] = field(factory=list, init=False)

    def add(self, node: Node[S]) -> None:
        """Add a new head, which replaces those of its parents that are heads."""
        for parent in node.parents:
            place = bisect_left(self._heads, parent)
            if place < len(self._heads) and self._heads[place] == parent:
                del self._heads[place]
                self._forget_from(place)
        place = bisect_left(self._heads, node.id)
        self._heads.insert(place, node.id)
        self._forget_from(place)

    def merged(
        self, graph: Graph[S], states: StateType[S], reading: Reading, cache: MergeCache[S]
    ) -> S:
        """Return the merge of the heads, folded by ascending ID.

        Errors: any refusal by the 3-way merge.
        Clauses: HM-MEMBERS-HEADS, HM-FOLD-ASCENDING, HM-ACCEPT-CACHE
        """
        for b in self._heads[len(self._states) :]:
            state, past = graph.state(b), graph.pasts.of(b)
            if self._states:
                a_state, a_past = self._states[-1], self._pasts[-1]
                origins = fast_lca_u_of_past(graph, a_past, b)
                o = (
                    graph.state(*origins)
                    if len(origins) == 1
                    else fast_merge(graph, origins, states, reading, cache)
                )
                state = reading.three_way_merge(states, o, a_state, state)
                past = a_past | past
            self._states.append(state)
            self._pasts.append(past)
        return self._states[-1] if self._states else states.default_state

    def _forget_from(self, place: int) -> None:
        del self._states[place:], self._pasts[place:]
