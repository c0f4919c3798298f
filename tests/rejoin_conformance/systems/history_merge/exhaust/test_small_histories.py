"""What the errata and clauses say about all small histories, counted by the reference."""

from __future__ import annotations

from itertools import combinations, permutations

import pytest

from rejoin.history_merge import (
    SETS,
    AntiChainCheck,
    Graph,
    Node,
    checking_by,
    copies,
    folding_by,
    graph_of,
    is_anti_chain,
    merge,
    ranked,
    reducing,
    unmerged_sessions,
)
from rejoin_conformance.systems.history_merge.exhaust.literal import State, every_dag
from support.history_merge_claims import histories, met_by


def _differs(variant: AntiChainCheck, graph: Graph[State]) -> bool:
    """Return whether a set that is no anti-chain merges otherwise than its maximal nodes."""
    names = [node.id for node in graph]
    for size in range(2, len(names) + 1):
        for order in permutations(names, size):
            if not is_anti_chain(graph, order):
                folding = folding_by(ranked(order))
                state = merge(graph, order, SETS, checking_by(variant, folding))
                if state != merge(graph, order, SETS, reducing(folding)):
                    return True
    return False


@pytest.mark.parametrize(
    ("variant", "counts"), [("return-as", (1, 6, 49)), ("continue", (0, 0, 3))]
)
def test_a_variant_of_check_is_not_enough_in_so_many_histories(
    variant: AntiChainCheck, counts: tuple[int, ...]
) -> None:
    """HM-E14. If CHECK continues, an addition is concurrent with a removal in all of them."""
    for nodes, count in enumerate(counts, start=1):
        found = [each for each in map(graph_of, histories(nodes)) if _differs(variant, each)]
        assert len(found) == count
        premise = [met_by(each)["no-concurrent-opposites"] for each in found]
        assert variant != "continue" or not any(premise)


def test_every_small_history_that_only_grows_merges_to_the_union() -> None:
    """HM-MERGE-NO-UNDO."""
    growing = 0
    for nodes in histories(4):
        graph = graph_of(nodes)
        if any(not graph.state(above) <= node.state for node in nodes for above in node.parents):
            continue
        growing += 1
        for size in range(1, 5):
            for chosen in combinations([node.id for node in nodes], size):
                if is_anti_chain(graph, chosen):
                    union = frozenset[str]().union(*map(graph.state, chosen))
                    assert merge(graph, chosen, SETS) == union
    assert growing == 357


@pytest.mark.parametrize(
    "counts",
    [
        (1, 2, 0, 2, 1, 1),
        (2, 6, 1, 6, 3, 2),
        (7, 28, 7, 29, 14, 3),
        (40, 200, 64, 219, 104, 4),
        (357, 2_142, 833, 2_508, 1_191, 6),
    ],
)
def test_what_it_saves_and_costs_never_to_merge_a_fork(counts: tuple[int, ...]) -> None:
    """HM-E29: histories, messages, merges, messages written, sessions, most sessions of one."""
    nodes = {1: 1, 2: 2, 7: 3, 40: 4, 357: 5}[counts[0]]
    graphs = [
        graph_of(
            Node(str(number), frozenset(map(str, above)), None)
            for number, above in enumerate(((), *parents))
        )
        for parents in every_dag(nodes)
    ]
    merged = [
        [each.parents for each in graph if each.parents] + [graph.heads()] for graph in graphs
    ]
    sessions = [sum(each.copies for each in unmerged_sessions(graph)) for graph in graphs]
    assert counts == (
        len(graphs),
        sum(map(len, graphs)),
        sum(len(chosen) - 1 for each in merged for chosen in each),
        sum(sum(copies(graph).values()) for graph in graphs),
        sum(sessions),
        max(sessions),
    )
