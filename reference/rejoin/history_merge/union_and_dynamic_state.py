"""The two kinds of data in a history of immutable events.

Type 1 data of a history, such as the contents of messages, is the union of the data of all its
events. An event adds to it permanently, and the order of events has no effect. Type 2 data, such as
the members of a session, is an aggregate that events change. In a forked history, a merge computes
it.
"""

from __future__ import annotations

from typing import TypeVar

from rejoin.history_merge.graph import Graph

T = TypeVar("T")


def union_of_events(graph: Graph[frozenset[T]]) -> frozenset[T]:
    """Return the data of the whole history, if its nodes carry type 1 data.

    Clauses: HM-UNION-OF-EVENTS
    Source: "Union of events vs dynamic state", type 1
    """
    return frozenset().union(*(node.state for node in graph))
