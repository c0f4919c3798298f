"""One DAG for every class of isomorphic DAGs: the canonical DAG.

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

from collections.abc import Iterator, Sequence
from functools import cache
from typing import Final

from attrs import define, frozen

from rejoin_conformance.systems.history_merge.exhaust.dags import ROOT, Dag, Downset, downsets

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
    """Return the number of isomorphisms from a DAG to itself, or 0 if it is not canonical."""
    return _Renumbering.of(dag).automorphisms()


@define
class _Renumbering:
    """The search for orders of creation that give a smaller DAG, or the same one.

    Nodes with the same ancestors and the same descendants are *twins*. Exchanging twins changes
    nothing, so only one order of twins is tried.

    above: node -> its descendants. first: node -> the nodes that must be created before it: its
    ancestors, and its last twin with a smaller number. of_twins: the number of ways to exchange
    twins.
    """

    dag: Dag
    above: list[int]
    first: list[int]
    of_twins: int

    @classmethod
    def of(cls, dag: Dag) -> _Renumbering:
        """Return the search for a DAG."""
        above = [0] * (len(dag) + 1)
        for node, before in enumerate(dag, start=1):
            for ancestor in range(1, node):
                if before >> ancestor & 1:
                    above[ancestor] |= 1 << node
        first, of_twins = [0], 1
        twins: dict[tuple[Downset, int], list[int]] = {}
        for node, before in enumerate(dag, start=1):
            smaller = twins.setdefault((before, above[node]), [])
            first.append(before | 1 << smaller[-1] if smaller else before)
            smaller.append(node)
            of_twins *= len(smaller)
        return cls(dag, above, first, of_twins)

    def automorphisms(self) -> int:
        """Return the number of automorphisms, or 0 if some order gives a smaller DAG."""
        number = self._from(1, ROOT, [ROOT] * (len(self.dag) + 1))
        return 0 if number == _SMALLER else number * self.of_twins

    def _from(self, number: int, created: int, renumbered: list[Downset]) -> int:
        """Return how many ways to create the other nodes give the same DAG, or `_SMALLER`.

        number: of the next node. created: the nodes that are created already. renumbered: node ->
        those of its ancestors, under their new numbers.
        """
        if number > len(self.dag):
            return 1
        wanted = self.dag[number - 1]
        equal = []
        for node in range(1, len(self.dag) + 1):
            if created >> node & 1 or self.first[node] & ~created:
                continue
            if renumbered[node] < wanted:
                return _SMALLER
            if renumbered[node] == wanted:
                equal.append(node)
        found = 0
        for node in equal:
            below = renumbered.copy()
            descendants = self.above[node]
            while descendants:
                lowest = descendants & -descendants
                descendants ^= lowest
                below[lowest.bit_length() - 1] |= 1 << number
            ways = self._from(number + 1, created | 1 << node, below)
            if ways == _SMALLER:
                return _SMALLER
            found += ways
        return found
