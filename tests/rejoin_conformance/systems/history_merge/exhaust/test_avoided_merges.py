"""HM-E29: what it saves and what it costs never to merge a fork."""

from __future__ import annotations

import pytest
from attrs import astuple

from rejoin.history_merge import SETS, Node, copies, graph_of, members, unmerged_sessions
from rejoin_conformance.systems.history_merge.exhaust.avoided_merges import avoided_merges
from rejoin_conformance.systems.history_merge.exhaust.check_variants import histories


@pytest.mark.parametrize(
    "counts",
    [
        (1, 1, 2, 0, 2, 1, 1),
        (2, 2, 6, 1, 6, 3, 2),
        (3, 7, 28, 7, 29, 14, 3),
        (4, 40, 200, 64, 219, 104, 4),
        (5, 357, 2_142, 833, 2_508, 1_191, 6),
    ],
)
def test_the_sums_of_all_small_histories(counts: tuple[int, ...]) -> None:
    assert astuple(avoided_merges(counts[0])) == counts


@pytest.mark.parametrize("forks", [1, 2, 50])
def test_each_joined_fork_doubles_the_sessions(forks: int) -> None:
    nodes = [Node("m0", frozenset[str](), None)]
    for fork in range(forks):
        both = frozenset({f"p{fork}", f"q{fork}"})
        nodes += [Node(name, frozenset({f"m{fork}"}), None) for name in both]
        nodes.append(Node(f"m{fork + 1}", both, None))
    graph = graph_of(nodes)
    (last,) = unmerged_sessions(graph)
    assert (last.head, last.copies) == (f"m{forks}", 2**forks)
    assert (len(graph), sum(copies(graph).values())) == (3 * forks + 1, 2 ** (forks + 2) - 3)


def test_a_history_without_forks_is_one_session_and_its_state_is_that_of_the_members() -> None:
    for nodes in histories(3):
        graph = graph_of(nodes)
        sessions = unmerged_sessions(graph)
        if sum(each.copies for each in sessions) == 1:
            assert [each.state for each in sessions] == [members(graph, SETS)]
