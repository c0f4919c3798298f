"""What the fold order decides if states can conflict: every history of registers with four nodes.

States are numbers, and 0 is the state of the root. The n-th new state of a history is n, because
only the equality of states matters.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import cache
from itertools import combinations
from typing import Any

import pytest

from rejoin.history_merge import (
    REGISTERS,
    Graph,
    HistoryMergeError,
    Node,
    folding_by,
    merge,
    ranked,
)
from rejoin_conformance.systems.history_merge.exhaust.check import EXHAUSTIVE
from rejoin_conformance.systems.history_merge.exhaust.dags import (
    ROOT,
    Dag,
    Downset,
    dags,
    maximal,
    parents_of,
)
from rejoin_conformance.systems.history_merge.exhaust.registers import register_counts
from rejoin_conformance.systems.history_merge.exhaust.report_text import render
from support.spreads import HERE

CONFLICT = -1


def three_way(o: int, a: int, b: int) -> int:
    """Return the merge of registers, or CONFLICT."""
    if CONFLICT in (o, a, b):
        return CONFLICT
    if a in (o, b):
        return b
    return a if b == o else CONFLICT


def states_of(nodes: int, states: tuple[int, ...] = (0,)) -> Iterator[tuple[int, ...]]:
    """Yield the states of the root and that many nodes, up to renaming."""
    if nodes == 0:
        yield states
        return
    for state in range(max(states) + 2):
        yield from states_of(nodes - 1, (*states, state))


class History:
    """A history, and the results of its merges in all fold orders, by downset."""

    def __init__(self, dag: Dag, states: tuple[int, ...]) -> None:
        self.pasts = [ROOT, *(before | 1 << node for node, before in enumerate(dag, start=1))]
        self.states = states
        self.results = cache(self._results)

    def _results(self, downset: Downset) -> frozenset[int]:
        chain = maximal(downset, self.pasts)
        if len(chain) == 1:
            return frozenset([self.states[chain[0]]])
        found = set()
        for last in chain:
            rest = self.past_of(node for node in chain if node != last)
            origins = self.results(rest & self.pasts[last])
            found |= {
                three_way(o, a, self.states[last]) for o in origins for a in self.results(rest)
            }
        return frozenset(found)

    def past_of(self, nodes: Iterator[int]) -> Downset:
        """Return the nodes and all their ancestors."""
        past = 0
        for node in nodes:
            past |= self.pasts[node]
        return past

    def last_states(self, dag: Dag) -> frozenset[int]:
        """Return the states of the last operations."""
        operations = [0]
        for node, before in enumerate(dag, start=1):
            if self.results(before) != {self.states[node]}:
                operations.append(node)
        last = [
            node
            for node in operations
            if not any(self.pasts[other] >> node & 1 for other in operations if other != node)
        ]
        return frozenset(self.states[node] for node in last)


def counted(nodes: int) -> Counter[str]:
    """Return how often the fold order decides something about the heads."""
    counts: Counter[str] = Counter()
    every = (1 << (nodes + 1)) - 1
    for dag in dags(nodes):
        for states in states_of(nodes):
            history = History(dag, states)
            counts["histories"] += 1
            if any(CONFLICT in found or len(found) > 1 for found in map(history.results, dag)):
                continue
            counts["certain parents"] += 1
            heads = maximal(every, history.pasts)
            if len(heads) == 1:
                continue
            found = history.results(every)
            merged = found - {CONFLICT}
            pairs = [history.results(history.past_of(iter(two))) for two in combinations(heads, 2)]
            last = history.last_states(dag)
            decides = bool(merged) and CONFLICT in found
            counts["order decides about a conflict"] += decides
            counts["although each two merge"] += decides and not any(CONFLICT in p for p in pairs)
            counts["no conflict, but two states"] += len(merged) > 1 and CONFLICT not in found
            counts["last agree, some order conflicts"] += len(last) == 1 and decides
            counts["last agree, every order conflicts"] += len(last) == 1 and not merged
            counts["last agree, another state"] += len(last) == 1 and not merged <= last
            counts["last differ, every order merges"] += len(last) > 1 and CONFLICT not in found
    return +counts


@pytest.mark.parametrize("nodes", [1, 2, 3])
def test_the_order_decides_nothing_with_fewer_than_four_nodes(nodes: int) -> None:
    counts = counted(nodes)
    assert counts["order decides about a conflict"] == 0
    assert counts["no conflict, but two states"] == 0
    assert counts["last agree, some order conflicts"] == 0


def test_with_four_nodes_the_order_decides_in_44_histories() -> None:
    assert counted(4) == {
        "histories": 2_080,
        "certain parents": 1_796,
        "order decides about a conflict": 44,
        "although each two merge": 4,
        "no conflict, but two states": 12,
        "last agree, some order conflicts": 8,
        "last differ, every order merges": 191,
    }


def test_the_reference_merges_the_heads_in_the_same_ways() -> None:
    """In a sample: each history of a few DAGs, in the orders that begin with each head."""
    for dag in dags(4)[3::6]:
        for states in states_of(4):
            history = History(dag, states)
            graph: Graph[str] = Graph()
            for number, above in enumerate([(), *parents_of(dag)]):
                graph.add(Node(str(number), frozenset(map(str, above)), str(states[number])))
            heads = sorted(graph.heads())
            for first in heads:
                assert _merged(graph, heads, first) in history.results((1 << 5) - 1)


def _merged(graph: Graph[str], heads: list[str], first: str) -> int:
    try:
        return int(merge(graph, heads, REGISTERS, folding_by(ranked([first]))))
    except HistoryMergeError:
        return CONFLICT


@pytest.mark.parametrize("nodes", [1, 2, 3, 4])
def test_the_report_counts_what_is_counted_here(nodes: int) -> None:
    here, reported = counted(nodes), register_counts(nodes)
    assert reported.histories == here["certain parents"]
    assert reported.order_decides == here["order decides about a conflict"]
    assert reported.order_decides - reported.two_conflict == here["although each two merge"]
    assert reported.agree_in_vain == here["last agree, every order conflicts"]


def test_the_report_lists_the_registers() -> None:
    report: Any = EXHAUSTIVE.run({"nodes": 1, "registers": 4}, HERE)
    last = report["registers"][-1]
    assert (last["histories"], last["order_decides"], last["two_conflict"]) == (1_796, 44, 40)
    assert "      4      1,796             44           40" in render(report)


@pytest.mark.long
def test_registers_with_six_nodes() -> None:
    counts = register_counts(6)
    assert (counts.histories, counts.order_decides) == (2_223_018, 228_107)
    assert (counts.agree_in_vain, counts.agree_on_another) == (353, 49)
