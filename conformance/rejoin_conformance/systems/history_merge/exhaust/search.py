"""The search: every DAG that starts with a prefix, all its patterns at once.

Definitions, for one history. merge(X) of an anti-chain X folds its nodes in some order. The
*possible* results are the results of all fold orders of X, with every inner merge choosing its own
order, independently of the others. The last node b of a fold is any node of X, and the fold
processes X - {b} before it in any order:

    possible(X) = 3-way-merge(possible(lcaU(X - {b}, b)), possible(X - {b}), state of b), b in X

For v a new node over A whose state is any possible result of merging A, the last node is v or a
node of B:

    possible({v} + B) = 3-way-merge(possible(lcaU(B, v)), possible(B), possible(A)), and
                        3-way-merge(possible(lcaU(A + B - {b}, b)), possible({v} + B - {b}),
                                    state of b), b in B

The merge of X depends on the order if possible(X) has two members. Associativity fails for A and B
if the union of possible(A + B) and possible({v} + B) has two members. The states of the nodes
themselves come from merges by ascending ID.

All data of an anti-chain is stored under its downset. lcaU is a downset too: the common ancestors
of A and b are the intersection of two downsets. When the last node of a downset gets other parents,
the search rewrites the entries of the downset before it reads them.
"""

from __future__ import annotations

from collections.abc import Iterator

from attrs import define, field, frozen

from rejoin_conformance.systems.history_merge.exhaust.dags import (
    ROOT,
    Dag,
    Downset,
    maximal,
    with_node,
)
from rejoin_conformance.systems.history_merge.exhaust.patterns import (
    Bits,
    Possible,
    every_pattern,
    flips,
    possible_three_way,
    three_way,
)
from rejoin_conformance.systems.history_merge.exhaust.premises import Fault, Happened


@frozen
class BrokenClaims:
    """The broken claims for the anti-chains among the first nodes of a DAG, as sets of patterns.

    dependent: the patterns under which the merge of some anti-chain depends on the fold order.
    dependent_sets: the number of pairs of a pattern and such an anti-chain.
    not_associative: the patterns under which associativity fails for some A and B.
    splits: the number of triples of a pattern, A and B for which it fails.
    pinned: the patterns under which it fails even if every merge folds in ascending order, with the
        new node v last.
    """

    dependent: Bits = 0
    dependent_sets: int = 0
    not_associative: Bits = 0
    splits: int = 0
    pinned: Bits = 0


@frozen
class DagHistories:
    """All histories of one DAG, one for each pattern, with their broken claims and their faults."""

    dag: Dag
    findings: BrokenClaims
    happened: Happened


@define
class Search:
    """A walk over the DAGs of K nodes, depth first. Lists are indexed by node, node set or downset.

    pasts, states: node -> its downset, and the patterns under which it has the element.
    closures: anti-chain, as a set of nodes -> its downset.
    widths, ascending, possible: downset -> the number of nodes of its anti-chain, their merge by
        ascending ID, and their possible merges.
    over: two sets of nodes A and B -> the possible merges of {v} + B.
    """

    nodes: int
    _every: Bits = field(init=False)
    _flips: tuple[Bits, ...] = field(init=False)
    _pasts: list[Downset] = field(init=False)
    _states: list[Bits] = field(init=False)
    _closures: list[Downset] = field(init=False)
    _widths: list[int] = field(init=False)
    _ascending: list[Bits] = field(init=False)
    _possible: list[Possible] = field(init=False)
    _over: dict[tuple[int, int], Possible] = field(init=False, factory=dict)

    def __attrs_post_init__(self) -> None:
        """Create the entries of the root, which lacks the element."""
        self._every = every_pattern(self.nodes)
        self._flips = flips(self.nodes)
        self._pasts = [ROOT] * (self.nodes + 1)
        self._states = [0] * (self.nodes + 1)
        subsets = 1 << (self.nodes + 1)
        self._closures = [ROOT] * subsets
        self._widths = [1] * subsets
        self._ascending = [0] * subsets
        self._possible = [(self._every, 0)] * subsets

    def below(self, prefix: Dag) -> Iterator[DagHistories]:
        """Yield the histories of every DAG that starts with this one."""
        known = [ROOT]
        findings, happened = BrokenClaims(), Happened()
        for node, before in enumerate(prefix, start=1):
            added, findings, happened = self._with_node(node, before, known, findings, happened)
            known = known + added
        yield from self._extend(prefix, known, findings, happened)

    def _extend(
        self, dag: Dag, known: list[Downset], findings: BrokenClaims, happened: Happened
    ) -> Iterator[DagHistories]:
        if len(dag) == self.nodes:
            yield DagHistories(dag, findings, happened)
            return
        for before in known:
            added, now_found, now_happened = self._with_node(
                len(dag) + 1, before, known, findings, happened
            )
            yield from self._extend((*dag, before), known + added, now_found, now_happened)

    def _with_node(
        self,
        node: int,
        before: Downset,
        known: list[Downset],
        findings: BrokenClaims,
        happened: Happened,
    ) -> tuple[list[Downset], BrokenClaims, Happened]:
        """Give a node its parents; return the new downsets and the updated findings and faults."""
        flip = self._flips[node]
        state = self._ascending[before] ^ flip
        past = before | 1 << node
        self._pasts[node] = self._closures[1 << node] = past
        self._states[node] = self._ascending[past] = state
        self._possible[past] = (self._every & ~state, state)
        self._widths[past] = 1
        changed_at_merge = flip if self._widths[before] > 1 else 0
        several_origins = False
        widest = 1
        added = with_node(known, past)
        for downset in added[1:]:
            chain = maximal(downset, self._pasts)
            widest = max(widest, len(chain))
            several_origins |= self._fold(downset, chain)
            findings = self._examine(downset, chain, findings)
        happened = happened.then(
            past=past,
            addition=flip & state,
            removal=flip & ~state,
            shapes={
                Fault.CHANGED_AT_MERGE: changed_at_merge,
                Fault.SEVERAL_PARENTS: -1 if self._widths[before] > 1 else 0,
                Fault.SEVERAL_ORIGINS: -1 if several_origins else 0,
                Fault.THREE_HEADS: -1 if widest > 2 else 0,
            },
        )
        return added, findings, happened

    def _fold(self, downset: Downset, chain: tuple[int, ...]) -> bool:
        """Merge an anti-chain in every order; return whether an origin has several nodes."""
        pasts, closures, possible, ascending = (
            self._pasts,
            self._closures,
            self._possible,
            self._ascending,
        )
        together = sum(1 << node for node in chain)
        closures[together] = downset
        self._widths[downset] = len(chain)
        may_be_out = may_be_in = 0
        several_origins = False
        for last in chain:
            rest, past = closures[together ^ 1 << last], pasts[last]
            origin = rest & past
            several_origins |= self._widths[origin] > 1
            now_out, now_in = possible_three_way(possible[origin], possible[rest], possible[past])
            may_be_out |= now_out
            may_be_in |= now_in
        possible[downset] = (may_be_out, may_be_in)
        # the last iteration leaves `last`, `rest` and `origin` of the ascending order
        ascending[downset] = three_way(~ascending[origin], ascending[rest], self._states[last])
        return several_origins

    def _examine(
        self, downset: Downset, chain: tuple[int, ...], findings: BrokenClaims
    ) -> BrokenClaims:
        """Compare the possible merges of an anti-chain and of every split of it."""
        together = self._possible[downset]
        dependent = together[0] & together[1]
        if len(chain) < 3 and not dependent:
            return findings
        not_associative, splits, pinned = findings.not_associative, findings.splits, findings.pinned
        for a, b in _splits(chain):
            over = self._over_new_node(a, b)
            differing = (together[0] | over[0]) & (together[1] | over[1])
            not_associative |= differing
            splits += differing.bit_count()
            pinned |= self._ascending[downset] ^ self._ascending_over_new_node(a, b)
        return BrokenClaims(
            findings.dependent | dependent,
            findings.dependent_sets + dependent.bit_count(),
            not_associative,
            splits,
            pinned,
        )

    def _over_new_node(self, a: int, b: int) -> Possible:
        """Return the possible merges of {v} + B, with v a new node over A; kept for larger B."""
        closures, possible = self._closures, self._possible
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

    def _ascending_over_new_node(self, a: int, b: int) -> Bits:
        """Return the merge of {v} + B by ascending ID, in which v comes last."""
        a_past, b_past = self._closures[a], self._closures[b]
        return three_way(
            ~self._ascending[a_past & b_past], self._ascending[b_past], self._ascending[a_past]
        )


def _splits(chain: tuple[int, ...]) -> Iterator[tuple[int, int]]:
    """Yield every split of an anti-chain into A, of at least two nodes, and B, of at least one.

    If A has one node, the new node over it merges like that node, so there is nothing to check. The
    same holds if B is empty.
    """
    together = sum(1 << node for node in chain)
    b = (b - 1) & together if (b := together) else 0
    while b:
        a = together ^ b
        if a & (a - 1):
            yield a, b
        b = (b - 1) & together
