"""Membership: the members of a session, even while its history is forked.

There is always exactly one set of members, because the author of the next message must know who
receives it. It is the merge of all heads: the state of a message that joins them and changes
nothing.
"""

from __future__ import annotations

from rejoin.history_merge.any_size import merge
from rejoin.history_merge.fast_complete_algorithm import MergeCache
from rejoin.history_merge.graph import Graph, S
from rejoin.history_merge.reading import DOCUMENT, Reading
from rejoin.history_merge.three_way_merge import StateType


def members(
    graph: Graph[S],
    states: StateType[S],
    reading: Reading = DOCUMENT,
    cache: MergeCache[S] | None = None,
) -> S:
    """Return members(G) = merge[G](max(G)): the state of the session after all of its messages.

    The state of a history without messages is the default state.

    cache: as in `any_size.merge`.

    Errors: any refusal by the 3-way merge. The history then has no state.
    Clauses: HM-MEMBERS-HEADS, HM-MEMBERS-CONFLICT, HM-MEMBERS-ONE-HEAD, HM-MEMBERS-EMPTY,
        HM-MEMBERS-NO-MERGE-NODE, HM-DYNAMIC-STATE
    Source: "Union of events vs dynamic state", members(G)
    """
    return merge(graph, graph.heads(), states, reading, cache)
