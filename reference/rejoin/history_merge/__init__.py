"""History merge: the state of a session whose history forks and rejoins.

This package exports the public names of the system. Each module covers one section of the document:
partial orders, union and dynamic state, membership, 3-way merge, lists of lines, the simple
derivation, operational edges, lcaU, the complete algorithm, and acceptance. All of them use `graph`
and `reading`.

There are two evaluations. The modules of the sections are literal: they follow the document's
pseudo-code step by step. The modules and functions with `fast_` in their names give the same
results for histories of any size. `any_size` chooses between the two: `merge`,
`merge_fold_recurse`, `merge_recurse_fold`, `lca` and `transitive_reduction` are exported from
there. `examples` shows each exported name in use. An argument of a wrong type is a TypeError that
names it.

>>> from rejoin import history_merge as hm
>>> start = hm.Node("start", [], {"ann", "bob"})
>>> left = hm.Node("left", ["start"], {"ann"})
>>> right = hm.Node("right", ["start"], {"ann", "bob", "eve"})
>>> history = hm.graph_of([start, left, right])
>>> sorted(hm.merge(history, ["left", "right"], hm.SETS))
['ann', 'eve']
>>> sorted(hm.members(history, hm.SETS))
['ann', 'eve']
"""

from __future__ import annotations

from rejoin.faces import check_arguments
from rejoin.history_merge.acceptance import Session, session_of
from rejoin.history_merge.answer_size import checked_answer
from rejoin.history_merge.any_size import (
    LITERAL_NODES,
    is_literal,
    lca,
    merge,
    merge_fold_recurse,
    merge_recurse_fold,
    transitive_reduction,
)
from rejoin.history_merge.avoiding_merges import UnmergedSessions, copies, unmerged_sessions
from rejoin.history_merge.errors import CODES, HistoryMergeError
from rejoin.history_merge.fast_complete_algorithm import MergeCache, fast_merge
from rejoin.history_merge.fast_partial_orders import (
    fast_ancestors_of_all,
    fast_before,
    fast_is_anti_chain,
    fast_lca,
    fast_lca2,
    fast_lca_u,
    fast_maximal,
    fast_transitive_reduction,
)
from rejoin.history_merge.fast_simple_derivation import (
    fast_merge_fold_recurse,
    fast_merge_recurse_fold,
)
from rejoin.history_merge.graph import Graph, Node, graph_of
from rejoin.history_merge.lcau import lca_u
from rejoin.history_merge.lines import LINES, Lines, lines_three_way_merge
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
)
from rejoin.history_merge.reading import (
    DOCUMENT,
    FOLD_ORDERS,
    READINGS,
    AntiChainCheck,
    FoldOrder,
    Reading,
    ascending,
    checking_by,
    folding_by,
    merging_sets_by,
    ranked,
    ranked_in,
    reducing,
)
from rejoin.history_merge.simple_derivation import lca2
from rejoin.history_merge.three_way_merge import (
    BYTE_SETS,
    COUNTERS,
    REGISTERS,
    SET_MERGES,
    SETS,
    SetDiff,
    SetMerge,
    StateType,
    ThreeWayMerge,
    counter_three_way_merge,
    element_three_way_merge,
    set_apply,
    set_diff,
    set_three_way_merge,
    symmetric_set_three_way_merge,
)
from rejoin.history_merge.union_and_dynamic_state import union_of_events

__all__ = [
    "BYTE_SETS",
    "CODES",
    "COUNTERS",
    "DOCUMENT",
    "FOLD_ORDERS",
    "LINES",
    "LITERAL_NODES",
    "READINGS",
    "REGISTERS",
    "SETS",
    "SET_MERGES",
    "AntiChainCheck",
    "FoldOrder",
    "Graph",
    "HistoryMergeError",
    "Lines",
    "MergeCache",
    "Node",
    "OperationalEdge",
    "Reading",
    "Session",
    "SetDiff",
    "SetMerge",
    "StateType",
    "ThreeWayMerge",
    "UnmergedSessions",
    "ancestors",
    "ancestors_of_all",
    "ascending",
    "before",
    "checked_answer",
    "checking_by",
    "copies",
    "counter_three_way_merge",
    "element_three_way_merge",
    "fast_ancestors_of_all",
    "fast_before",
    "fast_is_anti_chain",
    "fast_lca",
    "fast_lca2",
    "fast_lca_u",
    "fast_maximal",
    "fast_merge",
    "fast_merge_fold_recurse",
    "fast_merge_recurse_fold",
    "fast_transitive_reduction",
    "folding_by",
    "graph_of",
    "is_anti_chain",
    "is_literal",
    "lca",
    "lca2",
    "lca_u",
    "lines_three_way_merge",
    "maximal",
    "members",
    "merge",
    "merge_fold_recurse",
    "merge_recurse_fold",
    "merging_sets_by",
    "operational_edges",
    "ranked",
    "ranked_in",
    "reducing",
    "session_of",
    "set_apply",
    "set_diff",
    "set_operation",
    "set_three_way_merge",
    "symmetric_set_three_way_merge",
    "transitive_reduction",
    "union_of_events",
    "unmerged_sessions",
]

check_arguments(
    globals(), made={"MergeCache", "Node", "Reading", "Session", "StateType"}, values={"ascending"}
)
