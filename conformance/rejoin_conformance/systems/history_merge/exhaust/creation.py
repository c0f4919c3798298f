"""The orders in which the nodes of a DAG can be created, by the merges of the parents.

Isomorphic DAGs differ in the order of creation, which numbers the nodes. Parents are merged by
ascending number, so a node that has the same state in both can be an operation in only one of them.
Everything else that is counted depends on the DAG and the states alone. So the orders of creation
are grouped by the merges of the parents of every node. Most DAGs have one group, because the merges
of their parents do not depend on the fold order.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TypeAlias

from attrs import frozen

from rejoin_conformance.systems.history_merge.exhaust.bits import Bits, three_way
from rejoin_conformance.systems.history_merge.exhaust.dags import ROOT, Dag, Downset
from rejoin_conformance.systems.history_merge.exhaust.merges import Merges

ParentMerges: TypeAlias = tuple[Bits, ...]
"""For each of the nodes 1 .. K, the patterns under which the merge of its parents is in."""

_Ascending: TypeAlias = tuple[Bits, ...]
"""The ascending merges of the downsets that depend on the order, 0 for those not yet complete."""


def orders_of_creation(
    merges: Merges, dag: Dag, known: list[Downset]
) -> Mapping[ParentMerges, int]:
    """Return the number of orders of creation with each combination of merges of the parents.

    known: all downsets of the DAG, each after those that it contains.
    """
    certain = [merges.possible[before][1] for before in dag]
    undecided = _undecided(merges, dag)
    if not undecided:
        return {tuple(certain): merges.orders[known[-1]]}
    place = {downset: number for number, downset in enumerate(undecided)}
    groups: dict[ParentMerges, int] = {}
    for ascending, orders in _by_ascending(merges, known, place).items():
        parents = tuple(
            [
                ascending[place[before]] if before in place else merge
                for before, merge in zip(dag, certain, strict=True)
            ]
        )
        groups[parents] = groups.get(parents, 0) + orders
    return groups


def _undecided(merges: Merges, dag: Dag) -> list[Downset]:
    """Return the downsets whose merges depend on the order and are part of merges of parents.

    They are sorted, so a downset comes after those that it contains.
    """
    found: set[Downset] = set()
    waiting = list(dag)
    while waiting:
        downset = waiting.pop()
        if downset not in found and merges.depends_on_order(downset):
            found.add(downset)
            for last in merges.chains[downset]:
                rest = merges.without(downset, last)
                waiting += (rest, rest & merges.pasts[last])
    return sorted(found)


def _by_ascending(
    merges: Merges, known: list[Downset], place: Mapping[Downset, int]
) -> Mapping[_Ascending, int]:
    """Return the number of orders of creation with each combination of ascending merges.

    The orders are followed from downset to downset: an order of a downset is an order of it without
    one of its maximal nodes, and then this node.
    """
    found: dict[Downset, dict[_Ascending, int]] = {ROOT: {(0,) * len(place): 1}}
    for downset in known[1:]:
        groups: dict[_Ascending, int] = {}
        for last in merges.chains[downset]:
            folds = list(_completed(merges, place, downset, last))
            for ascending, orders in found[downset ^ 1 << last].items():
                after = _folded(ascending, folds, merges.states[last])
                groups[after] = groups.get(after, 0) + orders
        found[downset] = groups
    return found[known[-1]]


@frozen
class _Fold:
    """The last 3-way merge of a downset: its place, and the two sides besides the last node.

    origin, rest: a place, or -1 if the merge does not depend on the order and is given.
    """

    place: int
    origin: int
    certain_origin: Bits
    rest: int
    certain_rest: Bits


def _completed(
    merges: Merges, place: Mapping[Downset, int], downset: Downset, last: int
) -> Iterator[_Fold]:
    """Yield the last folds of the downsets in `place` that a last node completes.

    downset: the nodes created so far, with the last one.
    """
    for each, number in place.items():
        if each >> last & 1 and not each & ~downset and last in merges.chains[each]:
            rest = merges.without(each, last)
            origin = rest & merges.pasts[last]
            yield _Fold(
                number,
                place.get(origin, -1),
                merges.possible[origin][1],
                place.get(rest, -1),
                merges.possible[rest][1],
            )


def _folded(ascending: _Ascending, folds: list[_Fold], state: Bits) -> _Ascending:
    """Return the ascending merges after a node with this state completed some downsets."""
    if not folds:
        return ascending
    known = list(ascending)
    for fold in folds:
        origin = fold.certain_origin if fold.origin < 0 else known[fold.origin]
        rest = fold.certain_rest if fold.rest < 0 else known[fold.rest]
        known[fold.place] = three_way(~origin, rest, state)
    return tuple(known)
