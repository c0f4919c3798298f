"""Examples: each public name of `rejoin.history_merge`, in one session.

Histories and the order of their nodes. The functions `fast_...` answer the same for any size:

>>> from rejoin import history_merge as hm
>>> nodes = [hm.Node("o", [], {"ann", "bob"}), hm.Node("p", ["o"], {"ann"})]
>>> nodes += [hm.Node("q", ["o"], {"ann", "bob", "eve"})]
>>> graph: hm.Graph = hm.graph_of(nodes)
>>> hm.before(graph, "o", "p"), hm.fast_before(graph, "p", "q")
(True, False)
>>> sorted(hm.ancestors(graph, "p"))
['o', 'p']
>>> sorted(hm.ancestors_of_all(graph, ["p", "q"])), sorted(hm.fast_ancestors_of_all(graph, ["o"]))
(['o', 'p', 'q'], ['o'])
>>> sorted(hm.maximal(graph, ["o", "p"])), sorted(hm.fast_maximal(graph, ["o", "q"]))
(['p'], ['q'])
>>> hm.is_anti_chain(graph, ["p", "q"]), hm.fast_is_anti_chain(graph, ["o", "p"])
(True, False)
>>> sorted(hm.lca(graph, ["p", "q"])), sorted(hm.fast_lca(graph, ["p", "q"]))
(['o'], ['o'])
>>> sorted(hm.lca2(graph, "p", "q")), sorted(hm.fast_lca2(graph, "p", "p"))
(['o'], ['p'])
>>> sorted(hm.lca_u(graph, ["p"], "q")), sorted(hm.fast_lca_u(graph, ["p"], "q"))
(['o'], ['o'])
>>> longer = hm.graph_of([*nodes, hm.Node("r", ["o", "p"], {"ann"})])
>>> [sorted(each.parents) for each in hm.transitive_reduction(longer)]
[[], ['o'], ['o'], ['p']]
>>> hm.fast_transitive_reduction(longer) == hm.transitive_reduction(longer)
True
>>> len(graph) <= hm.LITERAL_NODES, hm.is_literal(graph)
(True, True)

The merge, and what it is made of:

>>> sorted(hm.merge(graph, ["p", "q"], hm.SETS)), sorted(hm.members(graph, hm.SETS))
(['ann', 'eve'], ['ann', 'eve'])
>>> cache: hm.MergeCache = hm.MergeCache()
>>> sorted(hm.fast_merge(graph, ["p", "q"], hm.SETS, hm.DOCUMENT, cache))
['ann', 'eve']
>>> sorted(hm.merge_fold_recurse(graph, ["p", "q"], hm.SETS))
['ann', 'eve']
>>> sorted(hm.fast_merge_fold_recurse(graph, ["p", "q"], hm.SETS))
['ann', 'eve']
>>> sorted(hm.merge_recurse_fold(graph, ["p", "q"], hm.SETS))
['ann', 'eve']
>>> sorted(hm.fast_merge_recurse_fold(graph, ["p", "q"], hm.SETS))
['ann', 'eve']
>>> sorted(hm.union_of_events(graph))
['ann', 'bob', 'eve']
>>> edges: tuple[hm.OperationalEdge, ...] = hm.operational_edges(graph, hm.SETS)
>>> [(edge.node, sorted(hm.set_operation(edge).inserted)) for edge in edges]
[('p', []), ('q', ['eve'])]
>>> hm.checked_answer(100)
100
>>> session: hm.Session = hm.session_of(nodes, hm.SETS)
>>> sorted(session.members())
['ann', 'eve']
>>> dict(hm.copies(longer))
{'o': 1, 'p': 1, 'q': 1, 'r': 1}
>>> alone: hm.UnmergedSessions = hm.unmerged_sessions(graph)[0]
>>> alone.head, alone.copies, sorted(alone.state)
('p', 1, ['ann'])
>>> try:
...     hm.merge(graph, ["z"], hm.SETS)
... except hm.HistoryMergeError as error:
...     error.code in hm.CODES
True

Types of states, and their 3-way merges:

>>> states: hm.StateType = hm.SETS
>>> merging: hm.ThreeWayMerge = states.three_way_merge
>>> sorted(merging({"a"}, {"a", "b"}, set()))
['b']
>>> sorted(hm.set_three_way_merge({"a"}, {"a", "b"}, set()))
['b']
>>> sorted(hm.symmetric_set_three_way_merge({"a"}, {"a", "b"}, {"a", "b"}))
['a', 'b']
>>> hm.element_three_way_merge(True, True, False)
False
>>> change: hm.SetDiff = hm.set_diff({"a"}, {"b"})
>>> sorted(hm.set_apply({"a", "c"}, change))
['b', 'c']
>>> hm.counter_three_way_merge(1, 3, 5), hm.COUNTERS.default_state
(7, 0)
>>> text: hm.Lines = hm.lines_three_way_merge(["a", "b"], ["x", "a", "b"], ["a", "c"])
>>> text, hm.LINES.default_state
(('x', 'a', 'c'), ())
>>> hm.REGISTERS.three_way_merge("old", "new", "old"), hm.BYTE_SETS.default_state
('new', frozenset())

Readings and fold orders:

>>> reading: hm.Reading = hm.READINGS["document"]
>>> reading == hm.DOCUMENT
True
>>> order: hm.FoldOrder = hm.ascending
>>> order(frozenset({"q", "p"})), hm.FOLD_ORDERS["ascending"] is reading.fold_order
(('p', 'q'), True)
>>> hm.folding_by(hm.ranked(["q", "p"])).fold_order(frozenset({"p", "q"}))
('q', 'p')
>>> hm.ranked_in(graph, ["q", "p", "o"])(frozenset({"p", "q"}))
('q', 'p')
>>> check: hm.AntiChainCheck = "reduce"
>>> hm.checking_by(check).anti_chain_check == hm.reducing().anti_chain_check
True
>>> rule: hm.SetMerge = hm.SET_MERGES[0]
>>> hm.merging_sets_by(rule).set_merge
'idempotent'
"""
