"""The search: every canonical DAG that starts with a prefix, all its histories at once."""

from __future__ import annotations

from collections.abc import Iterator

from attrs import define, field, frozen

from rejoin_conformance.systems.history_merge.exhaust.classes import Canonical, with_one_more
from rejoin_conformance.systems.history_merge.exhaust.creation import (
    ParentMerges,
    orders_of_creation,
)
from rejoin_conformance.systems.history_merge.exhaust.dags import ROOT, Dag, Downset
from rejoin_conformance.systems.history_merge.exhaust.merges import Merges
from rejoin_conformance.systems.history_merge.exhaust.premises import Fault, Happened
from rejoin_conformance.systems.history_merge.exhaust.splits import BrokenClaims, Splits


@frozen
class ClassHistories:
    """All histories of a class of isomorphic DAGs.

    dag, automorphisms: the canonical DAG, and the number of isomorphisms from it to itself.
    findings: the broken claims of its histories.
    happened: the faults of its histories, with the number of orders of creation that lead to them.
        Each DAG of the class has as many orders of creation as there are automorphisms.
    """

    dag: Dag
    automorphisms: int
    findings: BrokenClaims
    happened: tuple[tuple[int, Happened], ...]


@define
class Search:
    """A walk over the canonical DAGs of K nodes, depth first.

    happened: number of nodes -> merges of their parents -> what happened in these nodes.
    """

    nodes: int
    _merges: Merges = field(init=False)
    _splits: Splits = field(init=False)
    _happened: list[dict[ParentMerges, Happened]] = field(init=False)

    def __attrs_post_init__(self) -> None:
        """Start with the root."""
        self._merges = Merges(self.nodes)
        self._splits = Splits(self._merges)
        self._happened = [{(): Happened()}, *({} for _ in range(self.nodes))]

    def below(self, prefix: Canonical) -> Iterator[ClassHistories]:
        """Yield the histories of every class whose canonical DAG starts with this one."""
        known, findings = [ROOT], BrokenClaims()
        for node, before in enumerate(prefix.dag, start=1):
            known, findings = self._with_node(node, before, known, findings)
        yield from self._extend(prefix, known, findings)

    def _extend(
        self, canonical: Canonical, known: list[Downset], findings: BrokenClaims
    ) -> Iterator[ClassHistories]:
        dag = canonical.dag
        if len(dag) == self.nodes:
            yield ClassHistories(
                dag,
                canonical.automorphisms,
                findings,
                tuple(
                    (orders, self._happened_in(dag, parents))
                    for parents, orders in orders_of_creation(self._merges, dag, known).items()
                ),
            )
            return
        for larger in with_one_more(dag, known):
            more = self._with_node(len(larger.dag), larger.dag[-1], known, findings)
            yield from self._extend(larger, *more)

    def _with_node(
        self, node: int, before: Downset, known: list[Downset], findings: BrokenClaims
    ) -> tuple[list[Downset], BrokenClaims]:
        """Return the downsets and the broken claims with one more node."""
        for happened in self._happened[node:]:
            happened.clear()
        added = self._merges.add(node, before, known)
        for downset in added[1:]:
            findings = self._splits.examine(downset, findings)
        return known + added, findings

    def _happened_in(self, dag: Dag, parents: ParentMerges) -> Happened:
        """Return what happened in the first nodes, whose parents have these merges."""
        node = len(parents)
        found = self._happened[node].get(parents)
        if found is None:
            before = self._happened_in(dag, parents[:-1])
            found = self._happened[node][parents] = self._then(before, node, dag, parents[-1])
        return found

    def _then(self, happened: Happened, node: int, dag: Dag, merged: int) -> Happened:
        """Return the same with one more node, whose parents have this merge."""
        merges, before = self._merges, dag[node - 1]
        state, is_merge = merges.states[node], merges.is_wide(before)
        return happened.then(
            past=merges.pasts[node],
            addition=state & ~merged,
            removal=merged & ~state,
            shapes={
                Fault.CHANGED_AT_MERGE: state ^ merged if is_merge else 0,
                Fault.SEVERAL_PARENTS: -1 if is_merge else 0,
                Fault.SEVERAL_ORIGINS: -1 if merges.several_origins[node] else 0,
                Fault.THREE_HEADS: -1 if merges.widest[node] > 2 else 0,
            },
        )
