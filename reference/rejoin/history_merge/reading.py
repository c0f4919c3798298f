"""The choice points of the history merge.

The document leaves open which element `choose_any_element` takes, because it claims that the result
is always the same. The claim is false, so the reference fixes the order and lets a caller change
it. The document also names four ways to treat a set that is not an anti-chain: a group session
refuses it, a version-control system may merge only its maximal nodes, and two variants of CHECK are
not enough. Finally, it calls the merge unique, but its laws hold for four 3-way merges of sets.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType
from typing import Final, Literal, TypeAlias

from attrs import evolve, field, frozen

from rejoin.history_merge.errors import HistoryMergeError, named, repeated
from rejoin.history_merge.graph import Graph, S
from rejoin.history_merge.three_way_merge import SET_MERGES, SetMerge, StateType

AntiChainCheck: TypeAlias = Literal["reject", "reduce", "continue", "return-as"]
"""The treatment of a set in which one node is before another.

`reject` refuses it, and `reduce` first reduces it to its maximal nodes. `continue` ignores the
failed check, and `return-as` leaves the state as it is. The document says of the last two that they
are not enough.
"""

FoldOrder: TypeAlias = Callable[[frozenset[str]], tuple[str, ...]]
"""The order in which the nodes of a set are folded; each node occurs exactly once.

The order of a subset must be the order of the whole set without the missing nodes. The reason is
that the literal merge asks again for the remaining nodes, and the fast merge asks once for all.
"""


def ascending(nodes: frozenset[str]) -> tuple[str, ...]:
    """Return the nodes in the default fold order: ascending node ID.

    Clauses: HM-FOLD-ASCENDING
    Source: "Complete algorithm", choose_any_element
    """
    return tuple(sorted(nodes))


def descending(nodes: frozenset[str]) -> tuple[str, ...]:
    """Return the nodes in the opposite fold order: descending node ID."""
    return tuple(sorted(nodes, reverse=True))


FOLD_ORDERS: Final[Mapping[str, FoldOrder]] = MappingProxyType(
    {"ascending": ascending, "descending": descending}
)
"""Name -> fold order; the default comes first."""


@frozen
class Ranked:
    """A fold order: first the ranked nodes in their order, then all others by ascending ID.

    Clauses: HM-FOLD-RANKED
    Source: "Complete algorithm", choose_any_element
    """

    ranking: tuple[str, ...]
    _ranks: Mapping[str, int] = field(init=False, eq=False, repr=False)

    @_ranks.default
    def _ranks_of_ranking(self) -> Mapping[str, int]:
        return {node: rank for rank, node in enumerate(self.ranking)}

    def __call__(self, nodes: frozenset[str]) -> tuple[str, ...]:
        """Return the nodes in this order; ranked nodes that are not in the set cost nothing."""
        first = sorted(self._ranks.keys() & nodes, key=self._ranks.__getitem__)
        return (*first, *sorted(nodes.difference(first)))


def ranked(ranking: Iterable[str]) -> Ranked:
    """Return the fold order that takes the given nodes first, in the given order.

    Errors: `not-a-fold-order` if a node occurs twice.
    Clauses: HM-FOLD-RANKED, HM-FOLD-INVALID
    """
    order = tuple(ranking)
    double = repeated(order)
    if double:
        message = f"the fold order names these nodes more than once: {named(double)}"
        raise HistoryMergeError("not-a-fold-order", message, double)
    return Ranked(order)


def ranked_in(graph: Graph[S], ranking: Iterable[str]) -> Ranked:
    """Return the fold order `ranked`, after checking that the history contains all given nodes.

    Errors: `not-a-fold-order` if a node occurs twice, or if the history does not contain it.
    Clauses: HM-FOLD-RANKED, HM-FOLD-INVALID
    """
    order = ranked(ranking)
    unknown = sorted(node for node in order.ranking if node not in graph)
    if unknown:
        message = f"the fold order names nodes that the history does not contain: {named(unknown)}"
        raise HistoryMergeError("not-a-fold-order", message, unknown)
    return order


@frozen(repr=False)
class Reading:
    """One way to read the document.

    fold_order: the node that `choose_any_element` takes next.
    anti_chain_check: the treatment of a set in which one node is before another.
    set_merge: the 3-way merge of sets. States of other types have one 3-way merge each.
    """

    name: str
    fold_order: FoldOrder
    anti_chain_check: AntiChainCheck
    set_merge: SetMerge = "idempotent"

    def __repr__(self) -> str:
        return f"<Reading {self.name}>"

    def three_way_merge(self, states: StateType[S], o: S, a: S, b: S) -> S:
        """Return 3-way-merge(o, a, b) of states of a type.

        Errors: any refusal by the 3-way merge.
        Clauses: HM-3WAY-SET-OTHERS, HM-MERGE-ANY-TYPE
        """
        return states.merging_by(self.set_merge)(o, a, b)

    def folded(self, nodes: frozenset[str]) -> tuple[str, ...]:
        """Return the nodes in fold order.

        Errors: `not-a-fold-order` if the fold order does not return each node once.
        Clauses: HM-FOLD-INVALID
        """
        order = self.fold_order(nodes)
        if len(order) != len(nodes) or set(order) != nodes:
            wrong = sorted(nodes.symmetric_difference(order)) or list(order)
            message = f"the fold order omits, repeats or adds nodes: {named(wrong)}"
            raise HistoryMergeError("not-a-fold-order", message, wrong)
        return order


DOCUMENT: Final = Reading(name="document", fold_order=ascending, anti_chain_check="reject")


def merging_sets_by(set_merge: SetMerge, reading: Reading = DOCUMENT) -> Reading:
    """Return the reading with another 3-way merge of sets; the merge gives it its name.

    Clauses: HM-3WAY-SET-OTHERS
    """
    return evolve(reading, name=set_merge, set_merge=set_merge)


READINGS: Final[Mapping[str, Reading]] = MappingProxyType(
    {
        reading.name: reading
        for reading in (
            DOCUMENT,
            *(merging_sets_by(each) for each in SET_MERGES if each != DOCUMENT.set_merge),
        )
    }
)
"""Name -> reading; the document's comes first."""


def folding_by(fold_order: FoldOrder, reading: Reading = DOCUMENT) -> Reading:
    """Return the reading with another fold order."""
    return evolve(reading, name=f"{reading.name}, other fold order", fold_order=fold_order)


def reducing(reading: Reading = DOCUMENT) -> Reading:
    """Return the reading that merges the maximal nodes of any set instead of refusing it.

    Clauses: HM-MERGE-REDUCED
    Source: "Complete algorithm", footnote 2
    """
    return evolve(reading, name=f"{reading.name}, reducing", anti_chain_check="reduce")


def checking_by(anti_chain_check: AntiChainCheck, reading: Reading = DOCUMENT) -> Reading:
    """Return the reading with another treatment of a set that is not an anti-chain.

    Clauses: HM-MERGE-CHECK-CONTINUES, HM-MERGE-CHECK-RETURNS
    Source: "Complete algorithm", footnote 2
    """
    return evolve(reading, name=f"{reading.name}, loose", anti_chain_check=anti_chain_check)
