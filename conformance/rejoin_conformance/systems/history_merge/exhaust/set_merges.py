"""How often the fold order matters under each of the four merges of sets.

The histories are those of the search: a pattern says at which nodes the author flips the element.
Under another 3-way merge, the merges of the parents differ, and so do the states. Orders are tried
in two ways. Either every merge on the way has an order of its own, or only the merged set has one,
and all merges of origins fold by ascending ID.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import reduce
from operator import or_
from typing import Final

from attrs import frozen

from rejoin.history_merge import SetMerge
from rejoin_conformance.systems.history_merge.exhaust.dags import (
    ROOT,
    Dag,
    Downset,
    dags,
    maximal,
    with_node,
)
from rejoin_conformance.systems.history_merge.exhaust.patterns import (
    ELEMENT_MERGES,
    Bits,
    ElementMerge,
    Possible,
    every_pattern,
    flips,
)

LARGEST: Final = 6
"""The largest number of nodes besides the root for which the four merges are compared."""


@frozen
class SetMergeCounts:
    """The histories in which the fold order matters, under one 3-way merge of sets.

    nodes: the number of nodes besides the root.
    any_set: for some anti-chain of the history. heads: for its heads.
    heads_alone: for its heads, if all merges of origins fold by ascending ID.
    """

    merge: SetMerge
    nodes: int
    any_set: int
    heads: int
    heads_alone: int


def counts_of_merge(name: SetMerge, nodes: int) -> SetMergeCounts:
    """Return the counts of one merge over all histories of that many nodes besides the root."""
    merge = ELEMENT_MERGES[name]
    any_set = heads = heads_alone = 0
    for dag in dags(nodes):
        folds = list(_Folds(merge, nodes).of(dag))
        any_set += reduce(or_, (free for free, _ in folds)).bit_count()
        free, alone = folds[-1]
        heads += free.bit_count()
        heads_alone += alone.bit_count()
    return SetMergeCounts(name, nodes, any_set, heads, heads_alone)


class _Folds:
    """All merges of one DAG.

    states: node -> the patterns under which it has the element. The other values are by downset:
    ascending: its merge by ascending ID; free, alone: its possible merges if every merge on the
    way, or only its own, has an order of its own.
    """

    def __init__(self, merge: ElementMerge, nodes: int) -> None:
        self._merge = merge
        self._every = every = every_pattern(nodes)
        self._flips = flips(nodes)
        self._pasts: list[Downset] = [ROOT]
        self._states: list[Bits] = [0]
        self._ascending: dict[Downset, Bits] = {ROOT: 0}
        self._free: dict[Downset, Possible] = {ROOT: (every, 0)}
        self._alone: dict[Downset, Possible] = {ROOT: (every, 0)}

    def of(self, dag: Dag) -> Iterator[tuple[Bits, Bits]]:
        """Yield for each new downset the patterns under which its merge depends on the order.

        The last one is the whole DAG, whose maximal nodes are the heads.
        """
        known = [ROOT]
        for node, before in enumerate(dag, start=1):
            past = before | 1 << node
            state = self._ascending[before] ^ self._flips[node]
            self._pasts.append(past)
            self._states.append(state)
            added = with_node(known, past)
            for downset in added:
                yield self._fold(downset, maximal(downset, self._pasts))
            known = known + added

    def _fold(self, downset: Downset, chain: tuple[int, ...]) -> tuple[Bits, Bits]:
        if len(chain) == 1:
            state = self._states[chain[0]]
            self._ascending[downset] = state
            self._free[downset] = self._alone[downset] = self._certain(state)
            return 0, 0
        free_out = free_in = alone_out = alone_in = 0
        for last in chain:
            rest, past = self._without(chain, last), self._pasts[last]
            origin = rest & past
            out, inside = self._merge.possible(
                self._free[origin], self._free[rest], self._free[past]
            )
            free_out, free_in = free_out | out, free_in | inside
            out, inside = self._merge.possible(
                self._certain(self._ascending[origin]), self._alone[rest], self._free[past]
            )
            alone_out, alone_in = alone_out | out, alone_in | inside
        self._free[downset] = free_out, free_in
        self._alone[downset] = alone_out, alone_in
        # the last iteration leaves `last`, `rest` and `origin` of the ascending order
        self._ascending[downset] = self._every & self._merge.three_way(
            ~self._ascending[origin], self._ascending[rest], self._states[last]
        )
        return free_out & free_in, alone_out & alone_in

    def _without(self, chain: tuple[int, ...], last: int) -> Downset:
        rest = 0
        for node in chain:
            if node != last:
                rest |= self._pasts[node]
        return rest

    def _certain(self, state: Bits) -> Possible:
        return self._every & ~state, state
