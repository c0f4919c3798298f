"""Every DAG of a root and K further nodes, and one DAG for every class of isomorphic ones.

Node 0 is the root. The nodes 1 .. K come after it, in the order of their creation. The parents of a
node are any non-empty anti-chain of nodes before it. An anti-chain and its *downset* determine each
other. The downset is the set of the nodes and all their ancestors, as an integer whose bit n stands
for node n. Parents are given as a downset.

Two DAGs are isomorphic if one of them, with its nodes created in another order and numbered in that
order, is the other. The *canonical* DAG of a class is the least one, compared as a tuple of
downsets.

- The first nodes of a canonical DAG are a canonical DAG: with a smaller numbering of the first
  nodes, the whole DAG would be smaller. So all canonical DAGs are found by adding one node to
  smaller ones, and no two DAGs have to be compared.
- The downsets before the nodes of a canonical DAG never decrease. If the one of node n + 1 was
  smaller than that of node n, node n would not be its ancestor, and exchanging the two would make
  the DAG smaller.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from typing import Final, TypeAlias

from attrs import frozen

Downset: TypeAlias = int
Dag: TypeAlias = tuple[Downset, ...]
"""For each of the nodes 1 .. K the downset before it. Its parents are the maximal nodes of this."""

ROOT: Final[Downset] = 1


@cache
def dags(nodes: int) -> tuple[Dag, ...]:
    """Return every DAG of a root and that many further nodes, in a fixed order."""
    if nodes == 0:
        return ((),)
    return tuple((*dag, parents) for dag in dags(nodes - 1) for parents in downsets(dag))


def downsets(dag: Dag) -> list[Downset]:
    """Return every non-empty downset of a DAG: one for each non-empty anti-chain."""
    found = [ROOT]
    for node, before in enumerate(dag, start=1):
        found += downsets_added(found, before | 1 << node)
    return found


def downsets_added(known: Iterable[Downset], past: Downset) -> list[Downset]:
    """Return the downsets that a new node adds: its past, alone and joined with each known one.

    A downset comes after the downsets that it contains.
    """
    return sorted({past | downset for downset in known})


def maximal(downset: Downset, pasts: Sequence[Downset]) -> tuple[int, ...]:
    """Return the anti-chain of a downset, ascending. pasts: node n -> the downset of n."""
    nodes = []
    while downset:
        last = downset.bit_length() - 1
        nodes.append(last)
        downset &= ~pasts[last]
    return tuple(reversed(nodes))


def parents_of(dag: Dag) -> tuple[tuple[int, ...], ...]:
    """Return the parents of each of the nodes 1 .. K, ascending."""
    pasts = [ROOT, *(before | 1 << node for node, before in enumerate(dag, start=1))]
    return tuple(maximal(before, pasts) for before in dag)


# Canonical DAGs.

_SMALLER: Final = -1


@frozen
class Canonical:
    """A canonical DAG. automorphisms: the number of isomorphisms from it to itself."""

    dag: Dag
    automorphisms: int


@cache
def canonical_dags(nodes: int) -> tuple[Canonical, ...]:
    """Return the canonical DAG of every class of a root and that many further nodes, in order."""
    if nodes == 0:
        return (Canonical((), 1),)
    return tuple(
        larger
        for smaller in canonical_dags(nodes - 1)
        for larger in with_one_more(smaller.dag, downsets(smaller.dag))
    )


def with_one_more(dag: Dag, known: Sequence[Downset]) -> Iterator[Canonical]:
    """Yield the canonical DAGs that have one node more than this one. known: all its downsets."""
    least = dag[-1] if dag else ROOT
    for before in known:
        if before >= least:
            larger = (*dag, before)
            if number := automorphisms(larger):
                yield Canonical(larger, number)


def automorphisms(dag: Dag) -> int:
    """Return the number of isomorphisms from a DAG to itself, or 0 if it is not canonical.

    Nodes with the same ancestors and the same descendants are twins. Exchanging twins changes
    nothing, so they are created in ascending order only, and the exchanges are multiplied.
    """
    above = [0] * (len(dag) + 1)
    for node, before in enumerate(dag, start=1):
        for ancestor in range(1, node):
            above[ancestor] |= (before >> ancestor & 1) << node
    first, of_twins = [0], 1
    twins: dict[tuple[Downset, int], list[int]] = {}
    for node, before in enumerate(dag, start=1):
        smaller = twins.setdefault((before, above[node]), [])
        first.append(before | 1 << smaller[-1] if smaller else before)
        smaller.append(node)
        of_twins *= len(smaller)
    number = _renumbered(dag, above, first, 1, ROOT, [ROOT] * (len(dag) + 1))
    return 0 if number == _SMALLER else number * of_twins


def _renumbered(
    dag: Dag,
    above: Sequence[int],
    first: Sequence[int],
    number: int,
    created: int,
    below: Sequence[Downset],
) -> int:
    """Return how many ways to create the other nodes give the same DAG, or `_SMALLER`.

    above: node -> its descendants. first: node -> the nodes that must be created before it: its
    ancestors, and its last twin with a smaller number. number: of the next node. created: the nodes
    that are created already. below: node -> those of its ancestors, under their new numbers.
    """
    if number > len(dag):
        return 1
    wanted, equal = dag[number - 1], []
    for node in range(1, len(dag) + 1):
        if created >> node & 1 or first[node] & ~created:
            continue
        if below[node] < wanted:
            return _SMALLER
        if below[node] == wanted:
            equal.append(node)
    found = 0
    for node in equal:
        over = [
            numbers | (above[node] >> other & 1) << number for other, numbers in enumerate(below)
        ]
        ways = _renumbered(dag, above, first, number + 1, created | 1 << node, over)
        if ways == _SMALLER:
            return _SMALLER
        found += ways
    return found
