"""History merge: what the state of a session is whose history forks and rejoins.

The public names of the system. Each module stands for one section of the document: partial orders,
union and dynamic state, membership, 3-way merge, the simple derivation, operational edges, lcaU,
the complete algorithm, acceptance. `graph`, `index_sets` and `evaluation` carry them.
"""

from __future__ import annotations

from rejoin.history_merge.acceptance import Session, session_of
from rejoin.history_merge.complete_algorithm import merge
from rejoin.history_merge.errors import CODES, HistoryMergeError
from rejoin.history_merge.evaluation import MergeCache
from rejoin.history_merge.graph import Graph, Node, graph_of
from rejoin.history_merge.lcau import lca_u
from rejoin.history_merge.membership import members
from rejoin.history_merge.operational_edges import (
    OperationalEdge,
    operational_edges,
    set_operation,
)
from rejoin.history_merge.partial_orders import (
    ancestors,
    ancestors_of_all,
    before,
    is_anti_chain,
    maximal,
    transitive_reduction,
)
from rejoin.history_merge.readings import (
    DOCUMENT,
    READINGS,
    FoldOrder,
    Reading,
    ascending,
    folding_by,
    ranked,
    ranked_in,
    reducing,
)
from rejoin.history_merge.simple_derivation import (
    lca,
    lca2,
    merge_fold_recurse,
    merge_recurse_fold,
)
from rejoin.history_merge.three_way_merge import (
    BYTE_SETS,
    COUNTERS,
    REGISTERS,
    SETS,
    SetDiff,
    StateType,
    ThreeWayMerge,
    set_apply,
    set_diff,
    set_three_way_merge,
)
from rejoin.history_merge.union_and_dynamic_state import union_of_events

__all__ = [
    "BYTE_SETS",
    "CODES",
    "COUNTERS",
    "DOCUMENT",
    "READINGS",
    "REGISTERS",
    "SETS",
    "FoldOrder",
    "Graph",
    "HistoryMergeError",
    "MergeCache",
    "Node",
    "OperationalEdge",
    "Reading",
    "Session",
    "SetDiff",
    "StateType",
    "ThreeWayMerge",
    "ancestors",
    "ancestors_of_all",
    "ascending",
    "before",
    "folding_by",
    "graph_of",
    "is_anti_chain",
    "lca",
    "lca2",
    "lca_u",
    "maximal",
    "members",
    "merge",
    "merge_fold_recurse",
    "merge_recurse_fold",
    "operational_edges",
    "ranked",
    "ranked_in",
    "reducing",
    "session_of",
    "set_apply",
    "set_diff",
    "set_operation",
    "set_three_way_merge",
    "transitive_reduction",
    "union_of_events",
]
