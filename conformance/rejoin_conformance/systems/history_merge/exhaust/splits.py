"""Whether the claims hold for an anti-chain: that its merge has one result, however it is grouped.

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

from rejoin_conformance.systems.history_merge.exhaust.dags import Downset
from rejoin_conformance.systems.history_merge.exhaust.merges import Merges
from rejoin_conformance.systems.history_merge.exhaust.patterns import (
    Bits,
    Possible,
    possible_three_way,
)


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
