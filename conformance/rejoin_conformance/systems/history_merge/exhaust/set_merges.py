"""How often the fold order matters under each of the four merges of sets.

The histories are those of the search: a pattern says at which nodes the author flips the element.
Under another 3-way merge, the merges of the parents differ, and so do the states. Orders are tried
in two ways. Either every merge on the way has an order of its own, or only the merged set has one,
and all merges of origins fold by ascending ID.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, TypeAlias

from attrs import frozen

from rejoin.history_merge import SetMerge
from rejoin_conformance.systems.history_merge.exhaust.dags import (
    ROOT,
    Downset,
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
    any_set = heads = heads_alone = 0
    for in_any_set, in_heads, in_heads_alone in _Folds(ELEMENT_MERGES[name], nodes).dependent():
        any_set += in_any_set.bit_count()
        heads += in_heads.bit_count()
        heads_alone += in_heads_alone.bit_count()
    return SetMergeCounts(name, nodes, any_set, heads, heads_alone)


Dependent: TypeAlias = tuple[Bits, Bits, Bits]
"""The patterns under which the order matters: for any set, for the heads, for the heads alone."""


class _Folds:
    """All merges of one DAG after another. DAGs with the same first nodes share their merges.

    states: node -> the patterns under which it has the element. The other values are by downset:
    ascending: its merge by ascending ID; free, alone: its possible merges if every merge on the
    way, or only its own, has an order of its own. A new DAG replaces the values of its last nodes.
    """

    def __init__(self, merge: ElementMerge, nodes: int) -> None:
        self._merge = merge
        self._nodes = nodes
        self._every = every = every_pattern(nodes)
        self._flips = flips(nodes)
        self._pasts: list[Downset] = [ROOT] * (nodes + 1)
        self._states: list[Bits] = [0] * (nodes + 1)
        self._ascending: dict[Downset, Bits] = {ROOT: 0}
        self._free: dict[Downset, Possible] = {ROOT: (every, 0)}
        self._alone: dict[Downset, Possible] = {ROOT: (every, 0)}

    def dependent(self) -> Iterator[Dependent]:
        """Yield for each DAG the patterns under which its merges depend on the order."""
        return self._below(1, [ROOT], (0, 0, 0))

    def _below(self, node: int, known: list[Downset], so_far: Dependent) -> Iterator[Dependent]:
        """Yield the same for each DAG with the current first nodes, and all others from `node` on.

        known: the downsets of the first nodes. so_far: the patterns of the DAG of the first nodes.
        """
        if node > self._nodes:
            yield so_far
            return
        for before in known:
            past = self._pasts[node] = before | 1 << node
            self._states[node] = self._ascending[before] ^ self._flips[node]
            added = with_node(known, past)
            any_set, free, alone = so_far
            for downset in added:  # the last one is the whole DAG: its maximal nodes are the heads
                free, alone = self._fold(downset, maximal(downset, self._pasts))
                any_set |= free
            yield from self._below(node + 1, known + added, (any_set, free, alone))

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
