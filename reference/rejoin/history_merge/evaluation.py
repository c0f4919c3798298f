"""How a recursive merge is carried out without recursion.

The document's `merge` calls itself for the origin of every 3-way merge, and warns that extreme
histories overflow the stack, while an iterative form would be hard to read. Here the algorithms
keep their recursive form, except that "merge these ancestors first" is a `yield`: a merge is a
generator that yields the set of nodes whose merged state it needs, and is sent that state. The
merges that wait for another are kept in a list, which is as deep as memory; and what has been
merged once is remembered, without which wide criss-crosses cost exponential time.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Generator
from typing import Generic, TypeAlias, TypeVar

from attrs import field, frozen

S = TypeVar("S")

Merging: TypeAlias = Generator[frozenset[str], S, S]
"""A merge under way: yields a set of nodes, is sent their merged state, returns a state."""

MergeSteps: TypeAlias = Callable[[frozenset[str]], Merging[S]]
"""Begins the merge of a set of nodes."""


@frozen(eq=False)
class MergeCache(Generic[S]):
    """The merged states of sets of nodes, those forgotten first that were not used for longest.

    A graph only grows above the nodes that it has, so an entry never becomes wrong; dropping one
    costs time and changes nothing else. One cache serves one graph, one type of state and one
    reading. Sets of fewer than two nodes are not kept: their merge costs nothing.

    capacity: how many sets are kept, None for all of them.

    Clauses: HM-ACCEPT-CACHE
    Source: "Complete algorithm", note on the LRU cache
    """

    capacity: int | None = None
    _states: OrderedDict[frozenset[str], S] = field(factory=OrderedDict, init=False)

    def __len__(self) -> int:
        return len(self._states)

    def __contains__(self, nodes: object) -> bool:
        return nodes in self._states

    def recall(self, nodes: frozenset[str]) -> S:
        """The state that was kept for a set of nodes that the cache contains."""
        self._states.move_to_end(nodes)
        return self._states[nodes]

    def keep(self, nodes: frozenset[str], state: S) -> None:
        """Remember a merged state."""
        if len(nodes) < 2:
            return
        self._states[nodes] = state
        self._states.move_to_end(nodes)
        if self.capacity is not None and len(self._states) > self.capacity:
            self._states.popitem(last=False)


def evaluate(
    nodes: frozenset[str], merge_steps: MergeSteps[S], cache: MergeCache[S] | None = None
) -> S:
    """The merged state of a set of nodes, with every merge that it needs.

    Whatever the steps raise is passed on. Within one evaluation nothing is merged twice, however
    little the cache holds.

    Clauses: HM-MERGE-DEEP, HM-MERGE-WIDE
    Source: "Complete algorithm", note on stack overflow
    """
    if cache is not None and nodes in cache:
        return cache.recall(nodes)
    found: dict[frozenset[str], S] = {}
    answer: list[S] = []  # the state that the last merge of `waiting` asked for, once it is there
    waiting = [(nodes, merge_steps(nodes))]
    while waiting:
        merged, merging = waiting[-1]
        try:
            wanted = merging.send(answer.pop()) if answer else next(merging)
        except StopIteration as finished:
            state: S = finished.value
            found[merged] = state
            if cache is not None:
                cache.keep(merged, state)
            answer.append(state)
            waiting.pop()
            continue
        if wanted in found:
            answer.append(found[wanted])
        elif cache is not None and wanted in cache:
            answer.append(cache.recall(wanted))
        else:
            waiting.append((wanted, merge_steps(wanted)))
    return found[nodes]
