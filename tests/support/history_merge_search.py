"""A second way to count the histories of history merge: each DAG on its own, isomorphic or not.

Patterns say which nodes *flip* the element, and the states come from merges by ascending ID. So
nothing is assumed about isomorphic DAGs. The suite counts one DAG of each class instead; tests
compare the two. The definitions of possible merges are those of `exhaust.merges` and
`exhaust.splits`, whose results `exhaust.by_reference` repeats for each history.
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
from rejoin_conformance.systems.history_merge.exhaust.search import ClassHistories
from rejoin_conformance.systems.history_merge.exhaust.splits import BrokenClaims


@frozen
class DagHistories(ClassHistories):
    """All histories of one DAG, one for each pattern.

    pinned: the patterns under which associativity fails even if every merge folds in ascending
        order, with the new node v last.
    """

    pinned: Bits


@frozen
class _Findings:
    claims: BrokenClaims = field(factory=BrokenClaims)
    pinned: Bits = 0


@define
class DagSearch:
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
        findings, happened = _Findings(), Happened()
        for node, before in enumerate(prefix, start=1):
            added, findings, happened = self._with_node(node, before, known, findings, happened)
            known = known + added
        yield from self._extend(prefix, known, findings, happened)

    def _extend(
        self, dag: Dag, known: list[Downset], findings: _Findings, happened: Happened
    ) -> Iterator[DagHistories]:
        if len(dag) == self.nodes:
            yield DagHistories(dag, 1, findings.claims, ((1, happened),), findings.pinned)
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
        findings: _Findings,
        happened: Happened,
    ) -> tuple[list[Downset], _Findings, Happened]:
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

    def _examine(self, downset: Downset, chain: tuple[int, ...], findings: _Findings) -> _Findings:
        """Compare the possible merges of an anti-chain and of every split of it."""
        together = self._possible[downset]
        dependent = together[0] & together[1]
        if len(chain) < 3 and not dependent:
            return findings
        claims, pinned = findings.claims, findings.pinned
        not_associative, splits = claims.not_associative, claims.splits
        for a, b in _splits(chain):
            over = self._over_new_node(a, b)
            differing = (together[0] | over[0]) & (together[1] | over[1])
            not_associative |= differing
            splits += differing.bit_count()
            pinned |= self._ascending[downset] ^ self._ascending_over_new_node(a, b)
        claims = BrokenClaims(
            claims.dependent | dependent,
            claims.dependent_sets + dependent.bit_count(),
            not_associative,
            splits,
        )
        return _Findings(claims, pinned)

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
    b = together & (together - 1)
    while b:
        a = together ^ b
        if a & (a - 1):
            yield a, b
        b = (b - 1) & together


def class_of(dag: Dag) -> set[Dag]:
    """Return every DAG that is isomorphic to this one."""
    return set(_renumbered(dag, (), [ROOT] * len(dag)))


def _renumbered(dag: Dag, renumbered: Dag, ancestors: list[Downset]) -> Iterator[Dag]:
    """Yield the DAG with its nodes created in every order that starts with some nodes.

    renumbered: the DAG of these nodes. ancestors: for each node of `dag` those of its ancestors
    that are created, by their new numbers, or 0 if it is created itself.
    """
    if len(renumbered) == len(dag):
        yield renumbered
        return
    for place, before in enumerate(ancestors):
        if before.bit_count() == dag[place].bit_count():
            new = 1 << len(renumbered) + 1
            after = [
                old | new if below >> place + 1 & 1 and old else old
                for below, old in zip(dag, ancestors, strict=True)
            ]
            after[place] = 0
            yield from _renumbered(dag, (*renumbered, before), after)
