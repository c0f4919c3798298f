"""Every DAG of a root and K further nodes, numbered.

Node 0 is the root; the nodes 1 .. K come after it, in the order in which they were created. The
parents of a node are any non-empty anti-chain of nodes before it. An anti-chain and the set of all
its ancestors say the same, so parents are given as a *downset*: a set of nodes that holds the
ancestors of each, as an integer whose bit n stands for node n. Nothing is left out as symmetrical.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Final, TypeAlias

Downset: TypeAlias = int
Dag: TypeAlias = tuple[Downset, ...]
"""For each of the nodes 1 .. K all that is before it; its parents are the maximal nodes of that."""

ROOT: Final[Downset] = 1


@cache
def dags(nodes: int) -> tuple[Dag, ...]:
    """Every DAG of a root and that many further nodes, in a fixed order."""
    if nodes == 0:
        return ((),)
    return tuple((*dag, parents) for dag in dags(nodes - 1) for parents in downsets(dag))


def downsets(dag: Dag) -> list[Downset]:
    """Every non-empty downset of a DAG: one for each non-empty anti-chain."""
    found = [ROOT]
    for node, before in enumerate(dag, start=1):
        found += with_node(found, before | 1 << node)
    return found


def with_node(known: Sequence[Downset], past: Downset) -> list[Downset]:
    """The downsets that a new node brings: its own past, alone and together with every other one.

    A downset comes after those that it contains.
    """
    return sorted({past | downset for downset in known})


def maximal(downset: Downset, pasts: Sequence[Downset]) -> tuple[int, ...]:
    """The anti-chain that a downset belongs to, ascending; `pasts[n]` holds n and all before it."""
    nodes = []
    while downset:
        last = downset.bit_length() - 1
        nodes.append(last)
        downset &= ~pasts[last]
    return tuple(reversed(nodes))


def parents_of(dag: Dag) -> tuple[tuple[int, ...], ...]:
    """The parents of the nodes 1 .. K, each ascending."""
    pasts = [ROOT, *(before | 1 << node for node, before in enumerate(dag, start=1))]
    return tuple(maximal(before, pasts) for before in dag)
