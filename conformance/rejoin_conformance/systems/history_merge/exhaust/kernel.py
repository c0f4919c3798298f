"""The merges of all sets of nodes of a DAG, for states of any kind of value.

A set of nodes is an anti-chain, and merging it folds its nodes in some order. A merge *in any
order* lets each set that is merged on the way choose an order of its own, and its value is the
union of what all these orders give. The last node of a fold can be any node of the set. With D the
downset (`dags`) of the set, b the last node, and D' the downset of the other nodes:

    merge(D) = the union over b of 3-way-merge(merge(D' & past of b), merge(D'), state of b)

A new node v over some nodes A has their downset as its past, and any merge of A as its state.
Therefore `fold` takes the pasts of the nodes that it merges, and v is given by the downset of A.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import reduce
from operator import or_
from typing import Generic, TypeVar

from attrs import field, frozen

from rejoin_conformance.systems.history_merge.exhaust.dags import (
    ROOT,
    Downset,
    downsets_added,
    maximal,
)

V = TypeVar("V")


@frozen
class Rule(Generic[V]):
    """How values merge. three_way: of an origin and two sides. union: whatever any of some is."""

    three_way: Callable[[V, V, V], V]
    union: Callable[[list[V]], V]


@frozen
class Merges(Generic[V]):
    """The first nodes of a DAG with the values of their states, and the merges known so far.

    pasts, states: node -> its downset, and its state.
    chains: downset -> the pasts of its maximal nodes, ascending. Each downset comes after those
        that it contains, and the last one has all nodes.
    """

    rule: Rule[V]
    states: tuple[V, ...]
    pasts: tuple[Downset, ...] = (ROOT,)
    chains: dict[Downset, tuple[Downset, ...]] = field(factory=lambda: {ROOT: (ROOT,)})
    known: dict[Downset, V] = field(factory=dict, eq=False)
    folded: dict[tuple[Downset, ...], V] = field(factory=dict, eq=False)

    def then(self, before: Downset, state: V) -> Merges[V]:
        """Return the same with one more node. before: the downset of its parents."""
        past = before | 1 << len(self.pasts)
        pasts, chains = (*self.pasts, past), self.chains.copy()
        for downset in downsets_added(self.chains, past):
            chains[downset] = tuple([pasts[node] for node in maximal(downset, pasts)])
        states, known, folded = (*self.states, state), self.known.copy(), self.folded.copy()
        return Merges(self.rule, states, pasts, chains, known, folded)

    def of(self, downset: Downset) -> V:
        """Return the merge of the maximal nodes of a downset, in any order."""
        found = self.known.get(downset)
        if found is None:
            chain = self.chains[downset]
            alone = len(chain) == 1
            found = self.states[downset.bit_length() - 1] if alone else self.fold(chain)
            self.known[downset] = found
        return found

    def fold(self, pasts: tuple[Downset, ...]) -> V:
        """Return the merge of nodes with these pasts, ascending, in any order."""
        if len(pasts) == 1:
            return self.of(pasts[0])
        found = self.folded.get(pasts)
        if found is None:
            values = []
            for place, last in enumerate(pasts):
                others = pasts[:place] + pasts[place + 1 :]
                origin = self.of(together(others) & last)
                values.append(self.rule.three_way(origin, self.fold(others), self.of(last)))
            found = self.folded[pasts] = self.rule.union(values)
        return found

    def ascending(self) -> dict[Downset, V]:
        """Return the merge of each downset if every set is folded by ascending number."""
        found: dict[Downset, V] = {}
        for downset, (*others, last) in self.chains.items():
            rest, state = together(others), self.of(last)
            found[downset] = (
                self.rule.three_way(found[rest & last], found[rest], state) if others else state
            )
        return found


def together(downsets: Iterable[Downset]) -> Downset:
    """Return the union of downsets."""
    return reduce(or_, downsets, 0)
