"""The history graph G: nodes with parents and a state. Nodes can be added, but not removed.

A new node is never an ancestor of an older one. The ancestors and the merges of the older nodes
therefore stay the same while the graph grows, and can be cached. Only `add` changes a graph.
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
from rejoin.plain import frozen_state, node_ids

S = TypeVar("S")
"""A state: any immutable value with a 3-way merge."""


@frozen
class Node(Generic[S]):
    """One state-update event of a history; in a session, a message.

    id: the name of the node; IDs compare as strings, character by character.
    parents: the nodes directly before it, pre(m) of a message m; empty for a root.
    state: the whole state at the node (the members of a message), not a change.
    Parents may be given as a set or a list. A state may be given as a set, or as a list of lines.
    """

    id: str
    parents: frozenset[str] = field(converter=node_ids)
    state: S = field(converter=frozen_state)


@frozen(eq=False, repr=False)
class Graph(Generic[S]):
    """A partial order G of nodes.

    pasts: the ancestors of each node, indexed for the fast evaluation. The literal functions of the
        document's sections do not use them.
    """

    _nodes: dict[str, Node[S]] = field(factory=dict, init=False)
    _heads: dict[str, None] = field(factory=dict, init=False)
    pasts: Pasts = field(factory=Pasts, kw_only=True)

    def __repr__(self) -> str:
        return f"<Graph of size {len(self)}>"

    def __contains__(self, node_id: str) -> bool:
        return node_id in self._nodes

    def __len__(self) -> int:
        return len(self._nodes)

    def __iter__(self) -> Iterator[Node[S]]:
        """Yield the nodes in the order in which they were added: parents before children."""
        return iter(self._nodes.values())

    def add(self, node: Node[S]) -> None:
        """Add a node whose parents are in the graph.

        Errors: `duplicate-node`, `unknown-parent`. After an error, the graph is unchanged.
        Clauses: HM-ORDER-UNIQUE, HM-ORDER-PARENTS-KNOWN
        Source: "Union of events vs dynamic state"
        """
        if node.id in self._nodes:
            raise HistoryMergeError(
                "duplicate-node", f"the history already has a node {node.id!r}", [node.id]
            )
        unknown = self.lacks(node.parents)
        if unknown:
            raise unknown_parents(node.id, unknown)
        self.append(node)

    def append(self, node: Node[S]) -> None:
        """Add a new node whose parents are in the graph, without checking this."""
        self._nodes[node.id] = node
        for parent in node.parents:
            self._heads.pop(parent, None)
        self._heads[node.id] = None
        self.pasts.add(node.id, node.parents)

    def copy(self) -> Graph[S]:
        """Return a graph with the same nodes, to which others can be added."""
        graph: Graph[S] = Graph(pasts=self.pasts.copy())
        graph._nodes.update(self._nodes)
        graph._heads.update(self._heads)
        return graph

    def lacks(self, node_ids: Collection[str]) -> list[str]:
        """Return those of the IDs that no node of the graph has, sorted and without repetition."""
        if all(map(self._nodes.__contains__, node_ids)):
            return []
        return sorted(set(node_ids).difference(self._nodes))

    def node(self, node_id: str) -> Node[S]:
        """Return the node with this ID.

        Errors: `unknown-node`.
        """
        node = self._nodes.get(node_id)
        if node is None:
            raise unknown_nodes([node_id])
        return node

    def state(self, node_id: str) -> S:
        """Return the state at a node.

        Errors: `unknown-node`.
        """
        return self.node(node_id).state

    def heads(self) -> frozenset[str]:
        """Return max(G): the nodes that are not a parent of any other node."""
        return frozenset(self._heads)


def graph_of(nodes: Iterable[Node[S]]) -> Graph[S]:
    """Return the graph of the given nodes, which may be in any order.

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
        graph.append(node)
    return graph


def require_known(graph: Graph[S], node_ids: Collection[str]) -> None:
    """Refuse a query about nodes that the history does not contain; the error names all of them.

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
    for node_id in ready:  # the loop appends to this list
        yield by_id[node_id]
        done += 1
        for child in children[node_id]:
            waiting_for[child] -= 1
            if waiting_for[child] == 0:
                ready.append(child)
    if done < len(by_id):
        cycle = _a_cycle(by_id, {node_id for node_id, count in waiting_for.items() if count})
        message = f"these nodes form a cycle of parents: {named(cycle)}"
        raise HistoryMergeError("cycle", message, cycle)


def _a_cycle(by_id: Mapping[str, Node[S]], waiting: set[str]) -> list[str]:
    """Return one cycle, from child to parent, starting with its smallest ID.

    Every node in `waiting` has a parent in `waiting`, so a walk from parent to parent reaches a
    node again.
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
