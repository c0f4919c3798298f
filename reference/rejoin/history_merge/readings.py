"""The choice points of the history merge, as fields of a value that is passed down.

The document leaves open which element `choose_any_element` takes, because it holds the result to be
the same; it is not, so the order is pinned here and can be changed. And it names two things to do
with a set that is not an anti-chain: refuse it, as a group session must, or merge its maximal nodes
only, as a version-control system may.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType
from typing import Final, Literal, TypeAlias

from attrs import evolve, field, frozen

from rejoin.history_merge.errors import HistoryMergeError, named, repeated
from rejoin.history_merge.graph import Graph, S

FoldOrder: TypeAlias = Callable[[frozenset[str]], tuple[str, ...]]
"""In which order the nodes of a set are folded: each of them exactly once.

The order of a subset must be the order of the whole set without the missing nodes: the literal
merge asks again for the nodes that are left, the fast one asks once for all of them.
"""


def ascending(nodes: frozenset[str]) -> tuple[str, ...]:
    """The default fold order: ascending node ID.

    Clauses: HM-FOLD-ASCENDING
    Source: "Complete algorithm", choose_any_element
    """
    return tuple(sorted(nodes))


def descending(nodes: frozenset[str]) -> tuple[str, ...]:
    """The opposite fold order: descending node ID."""
    return tuple(sorted(nodes, reverse=True))


FOLD_ORDERS: Final[Mapping[str, FoldOrder]] = MappingProxyType(
    {"ascending": ascending, "descending": descending}
)
"""The fold orders that have a name, the default first."""


@frozen
class Ranked:
    """A fold order: the ranked nodes in their order, then all others by ascending ID.

    Clauses: HM-FOLD-RANKED
    Source: "Complete algorithm", choose_any_element
    """

    ranking: tuple[str, ...]
    _ranks: Mapping[str, int] = field(init=False, eq=False, repr=False)

    @_ranks.default
    def _ranks_of_ranking(self) -> Mapping[str, int]:
        return {node: rank for rank, node in enumerate(self.ranking)}

    def __call__(self, nodes: frozenset[str]) -> tuple[str, ...]:
        """The nodes of a set in this order; what the set lacks costs nothing."""
        first = sorted(self._ranks.keys() & nodes, key=self._ranks.__getitem__)
        return (*first, *sorted(nodes.difference(first)))


def ranked(ranking: Iterable[str]) -> Ranked:
    """The fold order that takes the given nodes first, in the given order.

    Errors: `not-a-fold-order` where a node stands twice.
    Clauses: HM-FOLD-RANKED, HM-FOLD-INVALID
    """
    order = tuple(ranking)
    double = repeated(order)
    if double:
        message = f"the fold order names more than once: {named(double)}"
        raise HistoryMergeError("not-a-fold-order", message, double)
    return Ranked(order)


def ranked_in(graph: Graph[S], ranking: Iterable[str]) -> Ranked:
    """The same, for nodes of one history only.

    Errors: `not-a-fold-order` where a node stands twice, or the history does not hold it.
    Clauses: HM-FOLD-RANKED, HM-FOLD-INVALID
    """
    order = ranked(ranking)
    unknown = sorted(node for node in order.ranking if node not in graph)
    if unknown:
        message = f"the fold order names nodes that are not there: {named(unknown)}"
        raise HistoryMergeError("not-a-fold-order", message, unknown)
    return order


@frozen
class Reading:
    """One way to read the document.

    fold_order: which node `choose_any_element` takes next.
    anti_chain_check: what CHECK does with a set of which one node is before another: `reject`, or
        `reduce` the set to its maximal nodes before anything else.
    """

    name: str
    fold_order: FoldOrder
    anti_chain_check: Literal["reject", "reduce"]

    def folded(self, nodes: frozenset[str]) -> tuple[str, ...]:
        """The nodes in fold order.

        Errors: `not-a-fold-order` where that is not each node once.
        Clauses: HM-FOLD-INVALID
        """
        order = self.fold_order(nodes)
        if len(order) != len(nodes) or set(order) != nodes:
            wrong = sorted(nodes.symmetric_difference(order)) or list(order)
            message = f"the fold order leaves out, repeats or adds nodes: {named(wrong)}"
            raise HistoryMergeError("not-a-fold-order", message, wrong)
        return order


DOCUMENT: Final = Reading(name="document", fold_order=ascending, anti_chain_check="reject")

READINGS: Final[Mapping[str, Reading]] = MappingProxyType({DOCUMENT.name: DOCUMENT})
"""The readings that have a name."""


def folding_by(fold_order: FoldOrder, reading: Reading = DOCUMENT) -> Reading:
    """A reading with another fold order."""
    return evolve(reading, name=f"{reading.name}, other fold order", fold_order=fold_order)


def reducing(reading: Reading = DOCUMENT) -> Reading:
    """A reading that merges the maximal nodes of any set instead of refusing it.

    Clauses: HM-MERGE-REDUCED
    Source: "Complete algorithm", footnote 2
    """
    return evolve(reading, name=f"{reading.name}, reducing", anti_chain_check="reduce")
