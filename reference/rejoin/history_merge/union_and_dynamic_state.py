"""Two kinds of data that a history of immutable events can carry.

Of the first kind, such as what messages say, the whole is the union of what all events carry: an
event adds to it for good, and no order matters. Of the second kind, such as who the members are,
the whole is an aggregate that events change, and that a merge has to find where a history forks.
"""

from __future__ import annotations

from typing import TypeVar

from rejoin.history_merge.graph import Graph

T = TypeVar("T")


def union_of_events(graph: Graph[frozenset[T]]) -> frozenset[T]:
    """The data of the whole history where its events carry data of the first kind.

    Clauses: HM-UNION-OF-EVENTS
    Source: "Union of events vs dynamic state", type 1
    """
    return frozenset().union(*(node.state for node in graph))
