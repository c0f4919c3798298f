from __future__ import annotations

from collections.abc import Iterable

import pytest
from attrs import evolve

from rejoin import conflict_detection as cd
from rejoin.conflict_detection.clients import (
    with_file,
)
from support.conflict_detection_histories import (
    SNAPSHOTS,
    edits,
    foo,
    found,
    in_sync,
    polls,
)

CHAIN = {0: (), 1: (0,), 2: (1,), 3: (2,)}
CROSSED = {"x": (), "a": ("x",), "b": ("x",), "ab": ("a", "b"), "ba": ("b", "a")}


def demanded(graph: dict[str, tuple[str, ...]], currents: Iterable[str]) -> frozenset[str]:
    common = cd.most_recent_common_ancestors(graph.__getitem__, list(currents))
    return cd.snapshots_to_keep(graph.__getitem__, list(currents), common)


def test_the_lagging_snapshot_of_a_chain_is_the_common_ancestor() -> None:
    assert cd.most_recent_common_ancestors(CHAIN.__getitem__, [1, 3]) == {1}
    assert cd.snapshots_to_keep(CHAIN.__getitem__, [1, 3], [1]) == {1, 2, 3}


def test_synchronised_clients_keep_one_snapshot() -> None:
    assert demanded(CROSSED, ["ab", "ab"]) == {"ab"}


def test_histories_that_crossed_have_two_most_recent_common_ancestors() -> None:
    assert cd.most_recent_common_ancestors(CROSSED.__getitem__, ["ab", "ba"]) == {"a", "b"}
    assert demanded(CROSSED, ["ab", "ba"]) == {"a", "b", "ab", "ba"}


def test_histories_that_never_met_are_kept_whole() -> None:
    graph = {"x": (), "a": ("x",), "r": (), "s": ("r",)}
    assert cd.most_recent_common_ancestors(graph.__getitem__, ["a", "s"]) == frozenset()
    assert demanded(graph, ["a", "s"]) == {"x", "a", "r", "s"}


def test_a_side_branch_that_leads_around_the_common_ancestor_is_not_kept() -> None:
    graph = {"r": (), "x": (), "a": ("x", "r")}
    assert demanded(graph, ["a", "x"]) == {"a", "x"}


@pytest.mark.parametrize("pair", ["AB", "AC"])
def test_an_empty_cache_changes_the_cost_and_not_the_classification(pair: str) -> None:
    folder = polls(edits(in_sync(SNAPSHOTS, "ABC"), ("A", "1"), ("B", "2")), "CB", "AC")
    folder = edits(folder, ("C", "3"))
    forgetful = folder.clients["A"]
    own = foo(folder, "A").version
    assert own is not None
    bare = evolve(
        foo(folder, "A"),
        cache=cd.Cache({own: cd.fetch_snapshot(folder.grid, own)}),
    )
    clients = {**folder.clients, "A": with_file(forgetful, "foo", bare)}
    assert found(evolve(folder, clients=clients), pair) is found(folder, pair)
