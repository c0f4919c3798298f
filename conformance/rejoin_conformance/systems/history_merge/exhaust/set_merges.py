"""How often the fold order matters under each of the four merges of sets.

Orders are tried in two ways. Either every merge on the way has an order of its own, or only the
merged set has one, and all merges of origins fold by ascending ID.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Final

from rejoin.history_merge import SetMerge
from rejoin_conformance.kit.json_types import JsonObject
from rejoin_conformance.systems.history_merge.exhaust.bits import (
    ELEMENT_MERGES,
    Bits,
    ElementMerge,
    Possible,
)
from rejoin_conformance.systems.history_merge.exhaust.dags import ROOT, Downset
from rejoin_conformance.systems.history_merge.exhaust.merges import Merges

LARGEST: Final = 6
"""The largest number of nodes besides the root for which the four merges are compared."""


def counts_of_merge(name: SetMerge, nodes: int) -> JsonObject:
    """Return in how many histories of that many nodes besides the root the fold order matters.

    any_set: for some anti-chain of the history. heads: for its heads. heads_alone: for its heads,
    if all merges of origins fold by ascending ID.
    """
    merge = ELEMENT_MERGES[name]
    merges = Merges(nodes, merge.possible)
    any_set = heads = heads_alone = 0
    for everything, dependent in _dags(merges, 1, [ROOT], 0):
        any_set += dependent.bit_count()
        heads += merges.depends_on_order(everything).bit_count()
        heads_alone += _depends_alone(merges, merge, everything).bit_count()
    return {
        "merge": name,
        "nodes": nodes,
        "any_set": any_set,
        "heads": heads,
        "heads_alone": heads_alone,
    }


def _dags(
    merges: Merges, node: int, known: list[Downset], dependent: Bits
) -> Iterator[tuple[Downset, Bits]]:
    """Yield the whole of each DAG that has the first nodes, once these and the others are added.

    known: the downsets of the first nodes. dependent: the patterns under which the merge of one of
    them depends on the order. Yielded with each DAG: the same of all its downsets.
    """
    if node > merges.nodes:
        yield known[-1], dependent
        return
    for before in known:
        added = merges.add(node, before, known)
        found = dependent
        for downset in added:
            found |= merges.depends_on_order(downset)
        yield from _dags(merges, node + 1, known + added, found)


def _depends_alone(merges: Merges, merge: ElementMerge, everything: Downset) -> Bits:
    """Return the patterns under which the order of the heads matters by itself."""

    def certain(state: Bits) -> Possible:
        return merges.every & ~state, state

    @cache
    def ascending(downset: Downset) -> Bits:
        *others, last = merges.chains[downset]
        if not others:
            return merges.states[last]
        rest = merges.without(downset, last)
        origin = ascending(rest & merges.pasts[last])
        return merges.every & merge.certain(~origin, ascending(rest), merges.states[last])

    @cache
    def alone(downset: Downset) -> Possible:
        chain, out, inside = merges.chains[downset], 0, 0
        if len(chain) == 1:
            return certain(merges.states[chain[0]])
        for last in chain:
            rest = merges.without(downset, last)
            origin = certain(ascending(rest & merges.pasts[last]))
            now_out, now_in = merge.possible(origin, alone(rest), certain(merges.states[last]))
            out, inside = out | now_out, inside | now_in
        return out, inside

    may_be_out, may_be_in = alone(everything)
    return may_be_out & may_be_in
