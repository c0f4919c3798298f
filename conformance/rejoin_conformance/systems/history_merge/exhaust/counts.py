"""Counts over all histories of some DAGs, as numbers that add up, and the smallest counterexamples.

dags, histories: their number. Isomorphic DAGs all count.
order_dependent: histories with an anti-chain whose merge depends on the fold order.
order_dependent_sets: pairs of a history and such an anti-chain.
not_associative: histories in which associativity fails for some A and B.
failing_splits: triples of a history, A and B for which it fails.
not_associative_pinned: histories in which it fails although every fold order is ascending. These
    are all histories in which it fails (search-rules.md).
only_not_associative: histories in which it fails although no merge depends on the fold order.
premise:P:X: the count X of the histories that meet the premise P.

The search takes one canonical DAG of each class, and all its histories at once. A history is a DAG
and the state of each of its nodes. An author changed the element at a node whose state is not the
merge of its parents. Isomorphic DAGs differ in the order in which their nodes are created, and
parents merge by ascending number, so a node can be an operation in only one of them. Everything
else that is counted depends on the DAG and the states alone. So the orders of creation are grouped
by the merges of the parents of each node; most DAGs have one group.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final, TypeAlias

from attrs import frozen

from rejoin_conformance.systems.history_merge.exhaust.dags import (
    ROOT,
    Canonical,
    Downset,
    canonical_dags,
    parents_of,
    with_one_more,
)
from rejoin_conformance.systems.history_merge.exhaust.kernel import (
    Bits,
    Merges,
    Possible,
    every_pattern,
    patterns_in,
    rule_of,
    states_of,
    together,
)
from rejoin_conformance.systems.history_merge.exhaust.literal import Case, canonical
from rejoin_conformance.systems.history_merge.exhaust.premises import (
    ORDER_INDEPENDENT,
    PREMISES,
    faults_of,
    faulty,
    shapes_of,
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


FURTHER: Final = 3
"""The number of last nodes in which the canonical DAGs of a unit can differ."""

COUNTS: Final = (
    "dags",
    "histories",
    "order_dependent",
    "order_dependent_sets",
    "not_associative",
    "failing_splits",
    "not_associative_pinned",
    "only_not_associative",
)
OF_PREMISE: Final = ("histories", "order_dependent", "not_associative")
"""The counts of each premise."""


QUESTIONS: Final = {**{each.name: each for each in PREMISES}, ORDER_INDEPENDENT: PREMISES[0]}
"""Name of a question -> the premise that a wanted counterexample meets.

The merge of some set depends on the fold order in it. In the answers to the last question, no merge
depends on it, and associativity fails.
"""

Answers: TypeAlias = dict[str, set[Case]]
"""Name of a question -> its smallest counterexamples."""


def units_of(nodes: int) -> int:
    """Return the number of units of a size: of canonical DAGs of the first nodes."""
    return len(canonical_dags(max(0, nodes - FURTHER)))


def examined(nodes: int, unit: int, questions: Sequence[str]) -> tuple[Counter[str], Answers]:
    """Return the counts over the classes of a unit, and the answers to questions.

    In a smallest answer, no merge of parents depends on the fold order, so every order of creation
    gives the same answers. questions: their names.
    """
    counts: Counter[str] = Counter()
    answers: Answers = {}
    prefix = canonical_dags(max(0, nodes - FURTHER))[unit]
    for histories in histories_below(prefix, nodes):
        dag, merges = histories.canonical.dag, histories.merges
        shapes = shapes_of(merges, dag)
        faults = [
            (orders, faults_of(merges, dag, parents, shapes))
            for parents, orders in histories.creations.items()
        ]
        _count(counts, nodes, histories, faults)
        (merged, *_), (_, first) = histories.creations, faults[0]
        claims = histories.claims
        only = claims.not_associative & ~claims.dependent
        changed = [s ^ before for (_, s), before in zip(merges.states[1:], merged, strict=True)]
        for name in questions:
            broken = only if name == ORDER_INDEPENDENT else claims.dependent
            for pattern in patterns_in(broken & ~faulty(first, QUESTIONS[name])):
                changes = tuple(bool(each >> pattern & 1) for each in changed)
                answers.setdefault(name, set()).add(canonical(Case(parents_of(dag), changes)))
    return counts, answers


def counts_of(nodes: int) -> Counter[str]:
    """Return the counts over all histories of a size."""
    return sum((examined(nodes, unit, ())[0] for unit in range(units_of(nodes))), Counter())


def _count(
    counts: Counter[str],
    nodes: int,
    histories: ClassHistories,
    faults: Iterable[tuple[int, Mapping[str, Bits]]],
) -> None:
    """Add the counts of a class. Each DAG has as many orders of creation as automorphisms.

    faults: the number of orders of creation with these faults.
    """
    claims, automorphisms = histories.claims, histories.canonical.automorphisms
    dags = sum(histories.creations.values()) // automorphisms
    failing = claims.not_associative
    numbers = (
        1,
        1 << nodes,
        claims.dependent.bit_count(),
        claims.dependent_sets,
        failing.bit_count(),
        claims.splits,
        failing.bit_count(),
        (failing & ~claims.dependent).bit_count(),
    )
    for name, number in zip(COUNTS, numbers, strict=True):
        counts[name] += dags * number
    every = every_pattern(nodes)
    for premise in PREMISES:
        meets = [0, 0, 0]
        for orders, found in faults:
            meeting = every & ~faulty(found, premise)
            if meeting:
                for place, breaking in enumerate((every, claims.dependent, failing)):
                    meets[place] += orders * (meeting & breaking).bit_count()
        for what, number in zip(OF_PREMISE, meets, strict=True):
            counts[f"premise:{premise.name}:{what}"] += number // automorphisms
