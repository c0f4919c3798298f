"""The search: one canonical DAG of each class, all its histories at once.

A history is a DAG and the state of each of its nodes. An author changed the element at a node whose
state is not the merge of its parents. Isomorphic DAGs differ in the order in which their nodes are
created, and parents merge by ascending number, so a node can be an operation in only one of them.
Everything else that is counted depends on the DAG and the states alone. So the orders of creation
are grouped by the merges of the parents of each node; most DAGs have one group.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import TypeAlias

from attrs import frozen

from rejoin_conformance.systems.history_merge.exhaust.dags import (
    ROOT,
    Canonical,
    Downset,
    with_one_more,
)
from rejoin_conformance.systems.history_merge.exhaust.kernel import (
    Bits,
    Merges,
    Possible,
    rule_of,
    states_of,
    together,
)

ParentMerges: TypeAlias = tuple[Bits, ...]
"""For each of the nodes 1 .. K, the patterns under which the merge of its parents is in."""


@frozen
class BrokenClaims:
    """The broken claims for the anti-chains among the first nodes of a DAG.

    dependent: the patterns under which the merge of some anti-chain depends on the fold order.
    dependent_sets: the number of pairs of a pattern and such an anti-chain.
    not_associative: the patterns under which associativity fails for some A and B.
    splits: the number of triples of a pattern, A and B for which it fails.
    """

    dependent: Bits = 0
    dependent_sets: int = 0
    not_associative: Bits = 0
    splits: int = 0

    def among(self, merges: Merges[Possible], downset: Downset) -> BrokenClaims:
        """Return the same with one more downset.

        The merge of X depends on the order if it can be out and in. Associativity fails for A and B
        if the merges of A + B and of {v} + B together can be both.
        """
        may_be_out, may_be_in = merges.of(downset)
        dependent, not_associative, splits = may_be_out & may_be_in, self.not_associative, 0
        for pasts in over_new_node(merges.chains[downset]):
            over_out, over_in = merges.fold(pasts)
            differing = (may_be_out | over_out) & (may_be_in | over_in)
            not_associative |= differing
            splits += differing.bit_count()
        return BrokenClaims(
            self.dependent | dependent,
            self.dependent_sets + dependent.bit_count(),
            not_associative,
            self.splits + splits,
        )


def over_new_node(chain: tuple[Downset, ...]) -> Iterator[tuple[Downset, ...]]:
    """Yield the pasts of {v} + B for each split of an anti-chain into A and B, v being over A.

    A has at least two nodes and B at least one. A new node over one node merges like that node.
    """
    for chosen in range(3, (1 << len(chain)) - 1):
        if chosen & (chosen - 1):
            a = [past for place, past in enumerate(chain) if chosen >> place & 1]
            b = [past for place, past in enumerate(chain) if not chosen >> place & 1]
            yield tuple(sorted([together(a), *b]))


@frozen
class ClassHistories:
    """All histories of a class of isomorphic DAGs.

    claims: the broken claims of its histories.
    creations: the merges of the parents -> the number of orders of creation that lead to them. Each
        DAG of the class has as many orders of creation as its canonical DAG has automorphisms.
    """

    canonical: Canonical
    merges: Merges[Possible]
    claims: BrokenClaims
    creations: Mapping[ParentMerges, int]


def histories_below(prefix: Canonical, nodes: int) -> Iterator[ClassHistories]:
    """Yield the histories of each class of a size whose canonical DAG starts with this one."""
    states = states_of(nodes)
    merges, claims = Merges(rule_of("idempotent"), (states[0],)), BrokenClaims()
    for before in prefix.dag:
        merges, claims = _with_node(merges, claims, before, states)
    yield from _below(prefix, states, merges, claims)


def _below(
    canonical: Canonical, states: Sequence[Possible], merges: Merges[Possible], claims: BrokenClaims
) -> Iterator[ClassHistories]:
    if len(merges.states) == len(states):
        yield ClassHistories(canonical, merges, claims, creations(merges, canonical.dag))
        return
    for larger in with_one_more(canonical.dag, [*merges.chains]):
        more = _with_node(merges, claims, larger.dag[-1], states)
        yield from _below(larger, states, *more)


def _with_node(
    merges: Merges[Possible], claims: BrokenClaims, before: Downset, states: Sequence[Possible]
) -> tuple[Merges[Possible], BrokenClaims]:
    larger = merges.then(before, states[len(merges.states)])
    for downset in [*larger.chains][len(merges.chains) :]:
        claims = claims.among(larger, downset)
    return larger, claims


def creations(merges: Merges[Possible], dag: Sequence[Downset]) -> Mapping[ParentMerges, int]:
    """Return the number of orders of creation with each combination of merges of the parents.

    The orders are followed from downset to downset: an order of a downset is an order of it without
    one of its maximal nodes, and then this node. That node ends the sets in which it is the newest.
    """
    undecided = {downset: place for place, downset in enumerate(_undecided(merges, dag))}
    found = {ROOT: Counter({(0,) * len(undecided): 1})}

    def ascending(downset: Downset, values: Sequence[Bits]) -> Bits:
        place = undecided.get(downset)
        return merges.of(downset)[1] if place is None else values[place]

    for downset, chain in [*merges.chains.items()][1:]:
        found[downset] = groups = Counter[tuple[Bits, ...]]()
        for last in chain:
            node = last.bit_length() - 1
            ended = [
                (place, together(past for past in merges.chains[each] if past != last))
                for each, place in undecided.items()
                if not each & ~downset and last in merges.chains[each]
            ]
            for before, orders in found[downset ^ 1 << node].items():
                values = [*before]
                for place, rest in ended:
                    o, a = ascending(rest & last, values), ascending(rest, values)
                    merged = merges.rule.three_way((~o, o), (~a, a), merges.states[node])
                    values[place] = merged[1]
                groups[tuple(values)] += orders
    parents = Counter[ParentMerges]()
    for known, orders in found[downset].items():
        parents[tuple([ascending(before, known) for before in dag])] += orders
    return parents


def _undecided(merges: Merges[Possible], dag: Sequence[Downset]) -> list[Downset]:
    """Return the downsets whose merges depend on the order and are part of merges of parents.

    They are sorted, so a downset comes after those that it contains.
    """
    found: set[Downset] = set()
    waiting = list(dag)
    while waiting:
        downset = waiting.pop()
        may_be_out, may_be_in = merges.of(downset)
        if downset not in found and may_be_out & may_be_in:
            found.add(downset)
            chain = merges.chains[downset]
            for last in chain:
                rest = together(past for past in chain if past != last)
                waiting += (rest, rest & last)
    return sorted(found)
