"""The messages of a history, and every way to merge them, by the reference.

The oracle has a class with the same methods (conformance/ports/oracle/src/merges.rs). A run takes
one of the two, and the laws ask the run.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from copy import copy
from typing import Final, Self

from attrs import define, field, frozen

from rejoin.history_merge import (
    LITERAL_NODES,
    SETS,
    Graph,
    MergeCache,
    Node,
    Reading,
    Session,
    SetMerge,
    StateType,
    ThreeWayMerge,
    complete_algorithm,
    counter_three_way_merge,
    element_three_way_merge,
    fast_lca_u,
    fast_merge,
    fast_merge_fold_recurse,
    fast_merge_recurse_fold,
    folding_by,
    graph_of,
    lca_u,
    maximal,
    operational_edges,
    ranked,
    reducing,
    simple_derivation,
    transitive_reduction,
)

State = frozenset[str]
Pair = tuple[bool, int]


def _merging_elements_by(element_merge: ThreeWayMerge[bool]) -> ThreeWayMerge[Pair]:
    def three_way_merge(o: Pair, a: Pair, b: Pair) -> Pair:
        return element_merge(o[0], a[0], b[0]), counter_three_way_merge(o[1], a[1], b[1])

    return three_way_merge


def _of_one_element(set_merge: SetMerge) -> ThreeWayMerge[bool]:
    """Return a 3-way merge of sets for one element; its state is whether the set has it."""
    merge_sets = SETS.merging_by(set_merge)

    def three_way_merge(*states: bool) -> bool:
        o, a, b = (frozenset("x" if state else "") for state in states)
        return bool(merge_sets(o, a, b))

    return three_way_merge


PAIRS: Final = StateType[Pair](
    "one element and a counter",
    (False, 0),
    _merging_elements_by(element_three_way_merge),
    {each: _merging_elements_by(_of_one_element(each)) for each in SETS.other_merges},
)
"""The type of a pair state: one element alone and a counter, merged together."""


@frozen
class Posted(Node[State]):
    """A node that a run or a law makes. Its constructor does not check types."""

    id: str
    parents: State
    state: State


def _read_in(order: Sequence[str], reading: Reading) -> Reading:
    return folding_by(ranked(order), reading) if order else reading


@define
class Alone:
    """The same messages, with one element of their states and a counter."""

    graph: Graph[Pair]
    reading: Reading
    literal: bool

    def merge(self, ids: Iterable[str], order: Sequence[str] = ()) -> Pair:
        """Return the merge of some messages. order: the fold order, if it is not the reading's."""
        merge = complete_algorithm.merge if self.literal else fast_merge
        return merge(self.graph, ids, PAIRS, _read_in(order, self.reading))


@define
class Merges:
    """Messages, and their merges under a reading.

    literal: whether the literal evaluation merges, and not the fast one.
    """

    reading: Reading
    literal: bool = False
    reducing: Reading = field(init=False)
    session: Session[State] = field(init=False)
    graph: Graph[State] = field(init=False)

    def __attrs_post_init__(self) -> None:
        """Start the session that accepts messages."""
        self.session = Session(SETS, self.reading, None if self.literal else MergeCache())
        self.graph = self.session.graph
        self.reducing = reducing(self.reading)

    def fresh(self, capacity: int | None = None) -> Self:
        """Return the same without messages. capacity: the most states in its cache."""
        other = copy(self)
        other.session = Session(SETS, self.reading, None if self.literal else MergeCache(capacity))
        other.graph = other.session.graph
        return other

    def of(self, nodes: Iterable[Node[State]]) -> Self:
        """Return the same with other messages, in any order. They are not merged one by one."""
        other = self.fresh()
        other.graph = graph_of(nodes)
        return other

    def also(self, node: Node[State]) -> Self:
        """Return the same with one more message."""
        other = self.fresh()
        other.graph = self.graph.copy()
        other.graph.add(node)
        return other

    def __len__(self) -> int:
        return len(self.graph)

    def accept(self, node: Node[State]) -> State:
        """Accept a message, and return the merge of its parents."""
        return self.session.accept(node)

    def members(self) -> State:
        """Return the merge of the heads of the session."""
        return self.session.members()

    def merge(self, ids: Iterable[str]) -> State:
        """Return the merge of some messages, from the cache of the session."""
        return self.session.merge(ids)

    def merge_anew(
        self, ids: Iterable[str], order: Sequence[str] = (), *, reduced: bool = False
    ) -> State:
        """Return the merge of some messages without a cache.

        order: the fold order, if it is not the reading's. reduced: whether the maximal messages of
        any set are merged.
        """
        reading = self.reducing if reduced else _read_in(order, self.reading)
        merge = complete_algorithm.merge if self.literal else fast_merge
        return merge(self.graph, ids, SETS, reading)

    def literally(self, ids: Iterable[str], past: Iterable[Node[State]]) -> State:
        """Return the merge of some messages by the literal evaluation.

        past: the messages and those before them. Among more, the evaluation takes too long.
        """
        graph = self.graph if len(self.graph) <= LITERAL_NODES else graph_of(past)
        return complete_algorithm.merge(graph, ids, SETS, self.reading)

    def with_temporary_nodes(self, ids: Iterable[str]) -> State:
        """Return the merge of some messages with temporary nodes."""
        literal = simple_derivation.merge_fold_recurse
        merge = literal if self.literal else fast_merge_fold_recurse
        return merge(self.graph, ids, SETS, self.reading)

    def by_recurse_fold(self, ids: Iterable[str]) -> State:
        """Return the merge of some messages by recurse-fold, the variant that is wrong."""
        literal = simple_derivation.merge_recurse_fold
        merge = literal if self.literal else fast_merge_recurse_fold
        return merge(self.graph, ids, SETS, self.reading)

    def heads(self) -> State:
        """Return the messages without a child."""
        return self.graph.heads()

    def maximal(self, ids: Iterable[str]) -> State:
        """Return those of some messages that are not before another one of them."""
        return maximal(self.graph, ids)

    def lca_u(self, ids: Iterable[str], other: str) -> State:
        """Return lcaU(A, b) of some messages."""
        return (lca_u if self.literal else fast_lca_u)(self.graph, ids, other)

    def reduction(self) -> dict[str, State]:
        """Return ID -> the parents that the transitive reduction leaves."""
        return {node.id: node.parents for node in transitive_reduction(self.graph)}

    def edges(self) -> dict[str, tuple[bool, State, State]]:
        """Return ID -> whether its operational edge is virtual, and the states at both ends."""
        edges = operational_edges(self.graph, SETS, self.reading, self.session.cache)
        return {edge.node: (edge.virtual, edge.before, edge.after) for edge in edges}

    def alone(self, element: str, counts: Sequence[int]) -> Alone:
        """Return the messages for one element. counts: the counter of each, in their order."""
        graph: Graph[Pair] = Graph()
        for node, count in zip(self.graph, counts, strict=True):
            graph.add(Node(node.id, node.parents, (element in node.state, count)))
        return Alone(graph, self.reading, self.literal)
