"""What it saves and what it costs never to merge a fork, over all small histories (HM-E29)."""

from __future__ import annotations

from attrs import frozen

from rejoin.history_merge import Graph, Node, copies, graph_of, unmerged_sessions
from rejoin_conformance.systems.history_merge.exhaust.dags import Dag, dags, parents_of


@frozen
class AvoidedMerges:
    """The sums over all histories of a root and `nodes` further nodes, whatever their states.

    histories: their number. messages: those of the histories. merges: the 3-way merges of the
    parents of each message and of the heads, without the merges of origins. written: the messages
    that have to be written if forks are never merged. sessions: the sessions at the end; with
    merges, each history has one. most: the most sessions of one history.
    """

    nodes: int
    histories: int
    messages: int
    merges: int
    written: int
    sessions: int
    most: int


def avoided_merges(nodes: int) -> AvoidedMerges:
    """Return the sums for histories of that many nodes besides the root."""
    graphs = [_graph(dag) for dag in dags(nodes)]
    sessions = [sum(each.copies for each in unmerged_sessions(graph)) for graph in graphs]
    return AvoidedMerges(
        nodes=nodes,
        histories=len(graphs),
        messages=sum(map(len, graphs)),
        merges=sum(map(_merges, graphs)),
        written=sum(sum(copies(graph).values()) for graph in graphs),
        sessions=sum(sessions),
        most=max(sessions),
    )


def _merges(graph: Graph[None]) -> int:
    joined = [node.parents for node in graph if node.parents] + [graph.heads()]
    return sum(len(nodes) - 1 for nodes in joined)


def _graph(dag: Dag) -> Graph[None]:
    return graph_of(
        Node(str(number), frozenset(map(str, parents)), None)
        for number, parents in enumerate(((), *parents_of(dag)))
    )
