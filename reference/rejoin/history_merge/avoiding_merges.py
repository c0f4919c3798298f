"""Avoiding merges: the sessions that a history becomes if forks are never merged.

The document rejects this proposal. Every head is then the last message of sessions of its own,
which never meet again. A message that would join branches has to be written once in each of them.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Generic

from attrs import frozen

from rejoin.history_merge.any_size import transitive_reduction
from rejoin.history_merge.graph import Graph, S


@frozen
class UnmergedSessions(Generic[S]):
    """The sessions that end with the same head.

    head: the last message. copies: how many sessions end with it. state: the state of all of them.
    """

    head: str
    copies: int
    state: S


def copies(graph: Graph[S]) -> Mapping[str, int]:
    """Return for each node the number of sessions in which it has to be written.

    It is the number of chains of parents that lead to the node from a node without parents. A
    parent that is before another parent does not count.

    Clauses: HM-UNMERGED-COPIES
    Source: "Avoiding merges"
    """
    found: dict[str, int] = {}
    for node in transitive_reduction(graph):
        found[node.id] = sum(found[parent] for parent in node.parents) if node.parents else 1
    return found


def unmerged_sessions(graph: Graph[S]) -> tuple[UnmergedSessions[S], ...]:
    """Return the sessions that a history becomes if forks are never merged, by ascending head.

    Clauses: HM-UNMERGED-SESSIONS, HM-UNMERGED-NOT-MEMBERS
    Source: "Avoiding merges"
    """
    written = copies(graph)
    return tuple(
        UnmergedSessions(head, written[head], graph.state(head)) for head in sorted(graph.heads())
    )
