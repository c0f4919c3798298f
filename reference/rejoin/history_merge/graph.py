"""The history graph G: nodes with parents and a state, to which nodes are only ever added.

A new node never becomes an ancestor of an older one. Whatever is known about the older nodes, such
as their ancestors or their merge, therefore stays true while the graph grows, and can be cached.
Nothing changes a graph except `add`.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Generic, TypeVar

from attrs import field, frozen

from rejoin.history_merge.errors import (
    HistoryMergeError,
    named,
    unknown_nodes,
    unknown_parents,
)
from rejoin.history_merge.fast_pasts import Pasts

S = TypeVar("S")
"""A state: any immutable value for which there is a 3-way merge."""


@frozen
class Node(Generic[S]):
    """One state-update event of a history; in a session, a message.

    id: names the node; IDs compare as strings, character by character.
    parents: the nodes directly before it, pre(m) of a message m; none for a root.
    state: the whole state at the node (the members of a message), not what it changes.
    """

    id: str
    parents: frozenset[str]
    state: S


@frozen(eq=False, repr=False)
class Graph(Generic[S]):
    """A partial order G of nodes.

    pasts: the ancestors of each node, indexed for the fast evaluation. The literal functions of the
        document's sections do not use them.
    """

    _nodes: dict[str, Node[S]] = field(factory=dict, init=False)
    _heads: dict[str, None] = field(factory=dict, init=False)
    pasts: Pasts = field(factory=Pasts, kw_only=True)

    def __contains__(self, node_id: str) -> bool:
        return node_id in self._nodes

    def __len__(self) -> int:
        return len(self._nodes)

    def __iter__(self) -> Iterator[Node[S]]:
        """The nodes, in the order in which they were added: parents before children."""
        return iter(self._nodes.values())

    def add(self, node: Node[S]) -> None:
        """Add a node whose parents are all there.

        Errors: `duplicate-node`, `unknown-parent`; the graph is then as it was.
        Clauses: HM-ORDER-UNIQUE, HM-ORDER-PARENTS-KNOWN
        Source: "Union of events vs dynamic state"
        """
        if node.id in self._nodes:
            raise HistoryMergeError(
                "duplicate-node", f"the history already holds a node {node.id!r}", [node.id]
            )
        unknown = self.lacks(node.parents)
        if unknown:
            raise unknown_parents(node.id, unknown)
        self._nodes[node.id] = node
        for parent in node.parents:
            self._heads.pop(parent, None)
        self._heads[node.id] = None
        self.pasts.add(node.id, node.parents)

    def copy(self) -> Graph[S]:
        """A graph with the same nodes, to which others can be added."""
        graph: Graph[S] = Graph(pasts=self.pasts.copy())
        graph._nodes.update(self._nodes)
        graph._heads.update(self._heads)
        return graph

    def lacks(self, node_ids: Collection[str]) -> list[str]:
        """The IDs, sorted and each once, of which the graph has no node."""
        if all(map(self._nodes.__contains__, node_ids)):
            return []
        return sorted(set(node_ids).difference(self._nodes))

    def node(self, node_id: str) -> Node[S]:
        """The node with that ID.

        Errors: `unknown-node`.
        """
        node = self._nodes.get(node_id)
        if node is None:
            raise unknown_nodes([node_id])
        return node

    def state(self, node_id: str) -> S:
        """The state at a node.

        Errors: `unknown-node`.
        """
        return self.node(node_id).state

    def heads(self) -> frozenset[str]:
        """max(G): the nodes that no other node has as a parent."""
        return frozenset(self._heads)


def graph_of(nodes: Iterable[Node[S]]) -> Graph[S]:
    """The graph of nodes that are given in any order.

    Errors: `duplicate-node`, `unknown-parent`, `cycle`, naming the nodes.
    Clauses: HM-ERROR-WHOLE, HM-ORDER-UNIQUE, HM-ORDER-PARENTS-KNOWN, HM-ORDER-ACYCLIC,
        HM-ORDER-LISTING
    Source: "Union of events vs dynamic state"
    """
    by_id: dict[str, Node[S]] = {}
    for node in nodes:
        if node.id in by_id:
            raise HistoryMergeError(
                "duplicate-node", f"two nodes have the ID {node.id!r}", [node.id]
            )
        by_id[node.id] = node
    for node in by_id.values():
        unknown = sorted(parent for parent in node.parents if parent not in by_id)
        if unknown:
            raise unknown_parents(node.id, unknown)
    graph: Graph[S] = Graph()
    for node in _parents_first(by_id):
        graph.add(node)
    return graph


def require_known(graph: Graph[S], node_ids: Collection[str]) -> None:
    """Refuse a query about nodes that the history does not hold, naming all of them.

    Errors: `unknown-node`.
    Clauses: HM-ORDER-KNOWN-NODES
    """
    unknown = graph.lacks(node_ids)
    if unknown:
        raise unknown_nodes(unknown)


def _parents_first(by_id: Mapping[str, Node[S]]) -> Iterator[Node[S]]:
    waiting_for = {node.id: len(node.parents) for node in by_id.values()}
    children: dict[str, list[str]] = {node_id: [] for node_id in by_id}
    for node in by_id.values():
        for parent in node.parents:
            children[parent].append(node.id)
    ready = [node_id for node_id, count in waiting_for.items() if count == 0]
    done = 0
    for node_id in ready:  # grows while it is walked
        yield by_id[node_id]
        done += 1
        for child in children[node_id]:
            waiting_for[child] -= 1
            if waiting_for[child] == 0:
                ready.append(child)
    if done < len(by_id):
        cycle = _a_cycle(by_id, {node_id for node_id, count in waiting_for.items() if count})
        message = f"these nodes are each other's ancestors: {named(cycle)}"
        raise HistoryMergeError("cycle", message, cycle)


def _a_cycle(by_id: Mapping[str, Node[S]], waiting: set[str]) -> list[str]:
    """One cycle, from child to parent, beginning with its smallest ID.

    A node that waits for ever has a parent that waits for ever: walking up comes round at last.
    """
    walked: dict[str, None] = {}
    node_id = min(waiting)
    while node_id not in walked:
        walked[node_id] = None
        node_id = min(parent for parent in by_id[node_id].parents if parent in waiting)
    steps = list(walked)
    cycle = steps[steps.index(node_id) :]
    smallest = cycle.index(min(cycle))
    return cycle[smallest:] + cycle[:smallest]
