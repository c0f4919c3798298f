"""HM-MERGE-NO-UNDO: if nothing is ever removed, the merge of a set is the union of its states."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

from rejoin.history_merge import SETS, Node, graph_of, is_anti_chain, merge
from rejoin_conformance.systems.history_merge.exhaust.check_variants import State, histories


def only_grows(nodes: Sequence[Node[State]]) -> bool:
    """Return whether every node has the element if one of its parents has it."""
    states = {node.id: node.state for node in nodes}
    return all(states[parent] <= node.state for node in nodes for parent in node.parents)


def test_seven_histories_of_two_nodes_after_the_root_only_grow() -> None:
    # In a chain the first, the second or no node adds the element; in a fork, any of two nodes.
    assert sum(map(only_grows, histories(2))) == 3 + 4


def test_every_small_history_that_only_grows_merges_to_the_union() -> None:
    growing = [nodes for nodes in histories(4) if only_grows(nodes)]
    for nodes in growing:
        graph = graph_of(nodes)
        for size in range(1, 5):
            for chosen in combinations([node.id for node in nodes], size):
                if is_anti_chain(graph, chosen):
                    union = frozenset[str]().union(*map(graph.state, chosen))
                    assert merge(graph, chosen, SETS) == union
