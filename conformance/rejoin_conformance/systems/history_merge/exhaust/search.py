"""The search: every canonical DAG that starts with a prefix, all its histories at once.

It asks of every anti-chain whether its merge has one result, however it is folded and grouped.
For v a new node over A whose state is any possible result of merging A, the last node of {v} + B is
v or a node of B:

    possible({v} + B) = 3-way-merge(possible(lcaU(B, v)), possible(B), possible(A)), and
                        3-way-merge(possible(lcaU(A + B - {b}, b)), possible({v} + B - {b}),
                                    state of b), b in B

The merge of X depends on the order if possible(X) has two members. Associativity fails for A and B
if the union of possible(A + B) and possible({v} + B) has two members.
"""

from __future__ import annotations

from collections.abc import Iterator

from attrs import define, field, frozen

from rejoin_conformance.systems.history_merge.exhaust.bits import Bits, Possible, possible_three_way
from rejoin_conformance.systems.history_merge.exhaust.creation import (
    ParentMerges,
    orders_of_creation,
)
from rejoin_conformance.systems.history_merge.exhaust.dags import (
    ROOT,
    Canonical,
    Dag,
    Downset,
    with_one_more,
)
from rejoin_conformance.systems.history_merge.exhaust.merges import Merges
from rejoin_conformance.systems.history_merge.exhaust.premises import Fault, Happened


@frozen
class BrokenClaims:
    """The broken claims for the anti-chains among the first nodes of a DAG, as sets of patterns.

    dependent: the patterns under which the merge of some anti-chain depends on the fold order.
    dependent_sets: the number of pairs of a pattern and such an anti-chain.
    not_associative: the patterns under which associativity fails for some A and B.
    splits: the number of triples of a pattern, A and B for which it fails.
    """

    dependent: Bits = 0
    dependent_sets: int = 0
    not_associative: Bits = 0
    splits: int = 0


@define
class Splits:
    """The splits of the anti-chains of a DAG that grows.

    over: two sets of nodes A and B -> the possible merges of {v} + B.
    """

    merges: Merges
    _over: dict[tuple[int, int], Possible] = field(init=False, factory=dict)

    def examine(self, downset: Downset, before: BrokenClaims) -> BrokenClaims:
        """Return the broken claims, with those of one more downset."""
        may_be_out, may_be_in = self.merges.possible[downset]
        dependent = may_be_out & may_be_in
        chain = self.merges.chains[downset]
        if len(chain) < 3 and not dependent:
            return before
        not_associative, splits = before.not_associative, before.splits
        for a, b in splits_of(chain):
            over_out, over_in = self._over_new_node(a, b)
            differing = (may_be_out | over_out) & (may_be_in | over_in)
            if differing:
                not_associative |= differing
                splits += differing.bit_count()
        return BrokenClaims(
            before.dependent | dependent,
            before.dependent_sets + dependent.bit_count(),
            not_associative,
            splits,
        )

    def _over_new_node(self, a: int, b: int) -> Possible:
        """Return the possible merges of {v} + B, with v a new node over A; kept for larger B."""
        closures, possible = self.merges.closures, self.merges.possible
        a_past, b_past = closures[a], closures[b]
        may_be_out, may_be_in = possible_three_way(
            possible[a_past & b_past], possible[b_past], possible[a_past]
        )
        rest = b
        while rest:
            last = rest & -rest
            rest ^= last
            others = b ^ last
            before = closures[a ^ others]
            past = closures[last]
            now_out, now_in = possible_three_way(
                possible[before & past],
                self._over[a, others] if others else possible[a_past],
                possible[past],
            )
            may_be_out |= now_out
            may_be_in |= now_in
        self._over[a, b] = over = (may_be_out, may_be_in)
        return over


def splits_of(chain: tuple[int, ...]) -> Iterator[tuple[int, int]]:
    """Yield every split of an anti-chain into A, of at least two nodes, and B, of at least one.

    If A has one node, the new node over it merges like that node, so there is nothing to check. The
    same holds if B is empty.
    """
    together = sum(1 << node for node in chain)
    b = together & (together - 1)
    while b:
        a = together ^ b
        if a & (a - 1):
            yield a, b
        b = (b - 1) & together


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
