"""The merges of all sets of nodes of a DAG, for states of any kind of value.

A set of nodes is an anti-chain, and merging it folds its nodes in some order. A merge *in any
order* lets each set that is merged on the way choose an order of its own, and its value is the
union of what all these orders give. The last node of a fold can be any node of the set. With D the
downset (`dags`) of the set, b the last node, and D' the downset of the other nodes:

    merge(D) = the union over b of 3-way-merge(merge(D' & past of b), merge(D'), state of b)

A new node v over some nodes A has their downset as its past, and any merge of A as its state.
Therefore `fold` takes the pasts of the nodes that it merges, and v is given by the downset of A.

For histories of one element, all states of the nodes are evaluated at once. A *pattern* says which
of K nodes have the element: node n has it under pattern p if bit n - 1 of p is set. A set of
patterns is an integer of 2^K bits.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import reduce
from itertools import product
from operator import or_
from typing import Generic, TypeAlias, TypeVar

from attrs import field, frozen

from rejoin.history_merge import SETS, SetMerge
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


Pattern: TypeAlias = int
Bits: TypeAlias = int
"""A set of patterns: bit p stands for pattern p."""

Possible: TypeAlias = tuple[Bits, Bits]
"""The patterns under which the element can be out, and the patterns under which it can be in."""


def every_pattern(nodes: int) -> Bits:
    """Return all patterns of that many nodes."""
    return (1 << (1 << nodes)) - 1


def states_of(nodes: int) -> list[Possible]:
    """Return the state of each node, from the root on, which lacks the element."""
    every = every_pattern(nodes)
    # the patterns with bit n - 1: blocks of 2^(n-1) clear and 2^(n-1) set bits in turn
    having = [every // ((1 << (1 << n)) + 1) << (1 << n) for n in range(nodes)]
    return [(every & ~bits, bits) for bits in (0, *having)]


def patterns_in(bits: Bits) -> Iterator[Pattern]:
    """Yield the patterns whose bits are set, ascending."""
    while bits:
        lowest = bits & -bits
        yield lowest.bit_length() - 1
        bits ^= lowest


def rule_of(name: SetMerge) -> Rule[Possible]:
    """Return a merge of sets for one element: the reference says what each of 8 cases gives."""
    merge, x = SETS.merging_by(name), frozenset("x")
    o_a_b = [[x if bit else frozenset[str]() for bit in case] for case in product((0, 1), repeat=3)]
    given = [bool(merge(*case)) for case in o_a_b]

    def three_way(o: Possible, a: Possible, b: Possible) -> Possible:
        sides = [o_now & a_now for o_now in o for a_now in a]
        found = [0, 0]
        for place, inside in enumerate(given):
            found[inside] |= sides[place >> 1] & b[place & 1]
        return found[0], found[1]

    return Rule(three_way, union)


def union(values: list[Possible]) -> Possible:
    """Return the patterns under which the element can be out, or in, in any of some values."""
    out = inside = 0
    for may_be_out, may_be_in in values:
        out |= may_be_out
        inside |= may_be_in
    return out, inside
