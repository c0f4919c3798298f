"""The merge of a session's heads, continued from message to message.

A new message replaces some heads by itself, and the fold meets the others again. The heads are
therefore the leaves of a balanced tree, in ascending order of their IDs, and each part of the tree
remembers what it last made of the state before it. It makes the same again if that state and its
common past with the heads before it are the same. So a message costs a 3-way merge for each head
at which the state of the fold changes, and otherwise a time that grows with the logarithm of the
number of heads.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Generic

from attrs import define, field, frozen

from rejoin.history_merge.fast_complete_algorithm import MergeCache, fast_merge
from rejoin.history_merge.graph import Graph, Node, S
from rejoin.history_merge.index_sets import NOTHING, IndexSet, difference
from rejoin.history_merge.reading import Reading
from rejoin.history_merge.three_way_merge import StateType


@frozen(eq=False)
class Made(Generic[S]):
    """What a part of the fold made of a state: before it, and after it.

    shared: the ancestors that the part shares with the heads before it.
    """

    before: S
    shared: IndexSet
    after: S


@define(eq=False)
class Part(Generic[S]):
    """Some heads that follow each other in the fold: one head, or a lower and an upper part.

    first: the lowest ID. size: the number of its heads. made: what the fold last made of this part.
    A new head before the first of all heads makes new parts of those that begin with it. So a part
    that has been folded without a head before it is never folded after one.
    """

    first: str
    _past: IndexSet | None = None
    size: int = 1
    parts: tuple[Part[S], Part[S]] | None = None
    made: Made[S] | None = field(default=None, init=False)

    @property
    def past(self) -> IndexSet:
        """Return the ancestors of all heads of the part, which only a fold needs."""
        if self._past is None and self.parts is not None:
            lower, upper = self.parts
            self._past = lower.past | upper.past
        return NOTHING if self._past is None else self._past

    def heads(self) -> Iterator[Part[S]]:
        """Yield the parts that are one head, in ascending order."""
        if self.parts is None:
            yield self
        else:
            for part in self.parts:
                yield from part.heads()


@define(eq=False)
class HeadsFold(Generic[S]):
    """The heads of a growing history, and their fold by ascending ID."""

    _all: Part[S] | None = field(default=None, init=False)

    def add(self, node: Node[S], past: IndexSet) -> None:
        """Add a new head, which replaces those of its parents that are heads.

        past: the ancestors of the new head.
        """
        for parent in node.parents:
            self._all = self._all and _without(self._all, parent)
        head: Part[S] = Part(node.id, past)
        self._all = head if self._all is None else _with(self._all, head)

    def merged(
        self, graph: Graph[S], states: StateType[S], reading: Reading, cache: MergeCache[S]
    ) -> S:
        """Return the merge of the heads, folded by ascending ID.

        Errors: any refusal by the 3-way merge.
        Clauses: HM-MEMBERS-HEADS, HM-FOLD-ASCENDING, HM-ACCEPT-CACHE
        """

        def folded(part: Part[S], a_state: S, a_past: IndexSet) -> S:
            if not a_past and part.parts is None:
                return graph.state(part.first)
            shared = a_past & part.past
            made = part.made
            if made and made.before == a_state and _equal(made.shared, shared):
                return made.after
            if part.parts is not None:
                lower, upper = part.parts
                between = folded(lower, a_state, a_past)
                after = folded(upper, between, a_past | lower.past)
            else:
                origins = graph.pasts.maximal(shared)
                o = (
                    graph.state(*origins)
                    if len(origins) == 1
                    else fast_merge(graph, origins, states, reading, cache)
                )
                after = reading.three_way_merge(states, o, a_state, graph.state(part.first))
            part.made = Made(a_state, shared, after)
            return after

        if self._all is None:
            return states.default_state
        return folded(self._all, states.default_state, NOTHING)


def _with(part: Part[S], head: Part[S]) -> Part[S]:
    if part.parts is None:
        return _balanced(part, head) if part.first < head.first else _balanced(head, part)
    lower, upper = part.parts
    if head.first < upper.first:
        return _balanced(_with(lower, head), upper)
    return _balanced(lower, _with(upper, head))


def _without(part: Part[S], node_id: str) -> Part[S] | None:
    """Return the part without a node; the same part if the node is none of its heads."""
    if part.parts is None:
        return None if part.first == node_id else part
    lower, upper = part.parts
    if node_id < upper.first:
        rest = _without(lower, node_id)
        return part if rest is lower else upper if rest is None else _balanced(rest, upper)
    rest = _without(upper, node_id)
    return part if rest is upper else lower if rest is None else _balanced(lower, rest)


def _balanced(lower: Part[S], upper: Part[S]) -> Part[S]:
    """Return both parts as one, in which no way to a head is much longer than another."""
    if max(lower.size, upper.size) > 3 * min(lower.size, upper.size):
        return _tree([*lower.heads(), *upper.heads()])
    return _both(lower, upper)


def _tree(heads: list[Part[S]]) -> Part[S]:
    """Return heads, in ascending order, as a part in which all ways to a head are equally long."""
    if len(heads) == 1:
        return heads[0]
    middle = len(heads) // 2
    return _both(_tree(heads[:middle]), _tree(heads[middle:]))


def _both(lower: Part[S], upper: Part[S]) -> Part[S]:
    return Part(lower.first, size=lower.size + upper.size, parts=(lower, upper))


def _equal(one: IndexSet, other: IndexSet) -> bool:
    return one is other or not (difference(one, other) or difference(other, one))
