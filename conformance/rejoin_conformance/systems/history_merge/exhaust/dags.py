"""Every DAG of a root and K further nodes, numbered.

Node 0 is the root. The nodes 1 .. K come after it, in the order of their creation. The parents of a
node are any non-empty anti-chain of nodes before it. An anti-chain and its *downset* determine each
other. The downset is the set of the nodes and all their ancestors, as an integer whose bit n stands
for node n. Parents are given as a downset. Isomorphic DAGs are all enumerated.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Final, TypeAlias

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
        found += with_node(found, before | 1 << node)
    return found


def with_node(known: Sequence[Downset], past: Downset) -> list[Downset]:
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
