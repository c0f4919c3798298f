"""The ancestors of every node of a history, indexed for the fast evaluation.

The literal functions find ancestors by walking from children to parents. The fast functions look
them up here. Each history has one `Pasts`, which grows with it.
"""

from __future__ import annotations

from collections.abc import Iterable

from attrs import field, frozen

from rejoin.history_merge.errors import unknown_nodes
from rejoin.history_merge.index_sets import (
    NOTHING,
    IndexSet,
    difference,
    highest,
    integers,
    single,
)


@frozen(eq=False, repr=False)
class Pasts:
    """anc(v) for every node v of a history.

    Nodes are numbered from 0 in the order in which they are added, parents before children. A past
    is a set of nodes that contains the ancestors of each of its nodes. It is stored as an
    `IndexSet` of their numbers.
    """

    _ids: list[str] = field(factory=list, init=False)
    _pasts: dict[str, IndexSet] = field(factory=dict, init=False)

    def add(self, node_id: str, parents: Iterable[str]) -> None:
        """Add a new node whose parents were added before."""
        past = single(len(self._ids))
        for parent in parents:
            past |= self._pasts[parent]
        self._pasts[node_id] = past
        self._ids.append(node_id)

    def copy(self) -> Pasts:
        """Return the same pasts, to which other nodes can be added."""
        pasts = Pasts()
        pasts._ids.extend(self._ids)
        pasts._pasts.update(self._pasts)
        return pasts

    def of(self, node_id: str) -> IndexSet:
        """Return anc(v): the numbers of a node and of all its ancestors.

        Errors: `unknown-node`.
        """
        past = self._pasts.get(node_id)
        if past is None:
            raise unknown_nodes([node_id])
        return past

    def of_all(self, node_ids: Iterable[str]) -> IndexSet:
        """Return anc*(V): the union of the pasts of all nodes of a set.

        Errors: `unknown-node`.
        """
        past = NOTHING
        for node_id in node_ids:
            past |= self.of(node_id)
        return past

    def number(self, node_id: str) -> int:
        """Return the number of a node, which is the highest number in its own past.

        Errors: `unknown-node`.
        """
        return highest(self.of(node_id))

    def nodes(self, past: IndexSet) -> frozenset[str]:
        """Return the IDs of the nodes in a past."""
        return frozenset(self._ids[index] for index in integers(past))

    def maximal(self, past: IndexSet) -> frozenset[str]:
        """Return max(V): the IDs of the nodes of a past that are not before any other node of it.

        The node with the highest number cannot be before another one. The search removes the whole
        past of this node, and continues with the rest.
        """
        maximal = []
        while past:
            last = self._ids[highest(past)]
            maximal.append(last)
            past = difference(past, self._pasts[last])
        return frozenset(maximal)
