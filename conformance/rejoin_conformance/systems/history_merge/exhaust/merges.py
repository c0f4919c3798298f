"""The merges of every anti-chain of a DAG that grows, for all states of its nodes at once.

A history is a DAG and the state of each of its nodes (`bits`). An author changed the element if the
state of a node is not the merge of its parents.

merge(X) of an anti-chain X folds its nodes in some order. The *possible* results are the results of
all fold orders of X, with every inner merge choosing its own order, independently of the others.
The last node b of a fold is any node of X, and the fold processes X - {b} before it in any order:

    possible(X) = 3-way-merge(possible(lcaU(X - {b}, b)), possible(X - {b}), state of b), b in X

All data of an anti-chain is stored under its downset. lcaU is a downset too: the common ancestors
of A and b are the intersection of two downsets. When the last node of a downset gets other parents,
the entries of the downset are rewritten before they are read.
"""

from __future__ import annotations

from typing import Final

from attrs import define, field

from rejoin_conformance.systems.history_merge.exhaust.bits import (
    Bits,
    Possible,
    PossibleMerge,
    every_pattern,
    possible_three_way,
    with_element,
)
from rejoin_conformance.systems.history_merge.exhaust.dags import ROOT, Downset, maximal, with_node

_ONLY_ROOT: Final = (0,)


@define
class Merges:
    """The downsets of a DAG that grows up to `nodes` nodes besides the root.

    merge: the 3-way merge of one element.
    pasts, states: node -> its downset, and the patterns under which it has the element.
    closures: anti-chain, as a set of nodes -> its downset.
    chains, possible, orders: downset -> its anti-chain, ascending; the possible merges of it; and
        the number of orders in which its nodes can be created.
    several_origins, widest: node n -> among the nodes up to n, whether the origin of some merge
        consists of several nodes, and the largest size of an anti-chain.
    """

    nodes: int
    merge: PossibleMerge = possible_three_way
    every: Bits = field(init=False)
    pasts: list[Downset] = field(init=False)
    states: tuple[Bits, ...] = field(init=False)
    closures: list[Downset] = field(init=False)
    chains: list[tuple[int, ...]] = field(init=False)
    possible: list[Possible] = field(init=False)
    orders: list[int] = field(init=False)
    several_origins: list[bool] = field(init=False)
    widest: list[int] = field(init=False)

    def __attrs_post_init__(self) -> None:
        """Create the entries of the root, which lacks the element."""
        self.every = every_pattern(self.nodes)
        self.states = with_element(self.nodes)
        self.pasts = [ROOT] * (self.nodes + 1)
        subsets = 1 << (self.nodes + 1)
        self.closures = [ROOT] * subsets
        self.chains = [_ONLY_ROOT] * subsets
        self.possible = [(self.every, 0)] * subsets
        self.orders = [1] * subsets
        self.several_origins = [False] * (self.nodes + 1)
        self.widest = [1] * (self.nodes + 1)

    def add(self, node: int, before: Downset, known: list[Downset]) -> list[Downset]:
        """Add a node and return the downsets that it adds; the first has no other maximal node.

        known: the downsets of the nodes before it.
        """
        past, state = before | 1 << node, self.states[node]
        self.pasts[node] = self.closures[1 << node] = past
        self.chains[past] = (node,)
        self.possible[past] = (self.every & ~state, state)
        self.orders[past] = self.orders[before]
        several_origins, widest = self.several_origins[node - 1], self.widest[node - 1]
        added = with_node(known, past)
        for downset in added[1:]:
            chain = self.chains[downset] = maximal(downset, self.pasts)
            widest = max(widest, len(chain))
            several_origins |= self._fold(downset, chain)
        self.several_origins[node], self.widest[node] = several_origins, widest
        return added

    def _fold(self, downset: Downset, chain: tuple[int, ...]) -> bool:
        """Merge an anti-chain in every order; return whether an origin has several nodes."""
        pasts, closures, possible, orders = self.pasts, self.closures, self.possible, self.orders
        merge = self.merge
        together = sum([1 << node for node in chain])
        closures[together] = downset
        may_be_out = may_be_in = number = 0
        several_origins = False
        for last in chain:
            rest, past = closures[together ^ 1 << last], pasts[last]
            origin = rest & past
            several_origins |= len(self.chains[origin]) > 1
            now_out, now_in = merge(possible[origin], possible[rest], possible[past])
            may_be_out |= now_out
            may_be_in |= now_in
            number += orders[downset ^ 1 << last]
        possible[downset] = (may_be_out, may_be_in)
        orders[downset] = number
        return several_origins

    def is_wide(self, downset: Downset) -> bool:
        """Return whether the anti-chain of a downset has several nodes."""
        return len(self.chains[downset]) > 1

    def depends_on_order(self, downset: Downset) -> Bits:
        """Return the patterns under which the merge of a downset depends on the fold order."""
        may_be_out, may_be_in = self.possible[downset]
        return may_be_out & may_be_in

    def without(self, downset: Downset, node: int) -> Downset:
        """Return the downset of an anti-chain of several nodes without one of them."""
        chain = self.chains[downset]
        return self.closures[sum([1 << other for other in chain if other != node])]
