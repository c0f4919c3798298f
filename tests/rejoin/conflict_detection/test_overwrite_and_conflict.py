from __future__ import annotations

from collections.abc import Iterable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rejoin import conflict_detection as cd
from rejoin.conflict_detection.overwrite_and_conflict import (
    walk,
)

FORK = {"x": (), "xa": ("x",), "xb": ("x",), "ab": ("xa", "xb"), "r": (), "abr": ("ab", "r")}


class Fetching:
    """The parents of snapshots, and which of them were asked for, in order."""

    def __init__(self, graph: dict[str, tuple[str, ...]]) -> None:
        self.graph = graph
        self.fetched: list[str] = []

    def __call__(self, snapshot: str) -> Iterable[str]:
        self.fetched.append(snapshot)
        return self.graph[snapshot]


def diamonds(count: int) -> dict[int, tuple[int, ...]]:
    graph: dict[int, tuple[int, ...]] = {0: ()}
    for top in range(0, 3 * count, 3):
        graph |= {top + 1: (top,), top + 2: (top,), top + 3: (top + 1, top + 2)}
    return graph


@pytest.mark.parametrize(
    ("local", "remote", "repaired", "literal"),
    [
        (None, "x", "overwrite", "overwrite"),
        ("x", "xa", "overwrite", "overwrite"),
        ("x", "abr", "overwrite", "overwrite"),
        ("ab", "ab", "same", "same"),
        ("ab", "x", "stale", "conflict"),
        ("xa", "xb", "conflict", "conflict"),
        ("ab", "r", "conflict", "conflict"),
    ],
)
def test_snapshots_are_classified_in_each_reading(
    local: str | None, remote: str, repaired: str, literal: str
) -> None:
    assert cd.classify_by_graph(cd.REPAIRED, FORK.__getitem__, local, remote) == repaired
    assert cd.classify_by_graph(cd.LITERAL, FORK.__getitem__, local, remote) == literal


def test_a_snapshot_is_not_its_own_descendant() -> None:
    assert not cd.is_descendant(FORK.__getitem__, "ab", "ab")


def test_diamonds_of_any_length_are_classified_without_walking_twice() -> None:
    graph = diamonds(20_000)
    top = max(graph)
    visits: list[int] = []

    def parents_of(snapshot: int) -> tuple[int, ...]:
        visits.append(snapshot)
        return graph[snapshot]

    assert cd.classify_by_graph(cd.REPAIRED, parents_of, 0, top) == "overwrite"
    assert len(visits) == len(set(visits))
    assert cd.classify_by_graph(cd.REPAIRED, graph.__getitem__, top, 0) == "stale"
    assert cd.classify_by_graph(cd.REPAIRED, graph.__getitem__, top - 1, top - 2) == "conflict"


@given(st.lists(st.integers(min_value=0), min_size=1, max_size=8), st.data())
def test_repaired_snapshots_agree_with_the_follows_relation(
    masks: list[int], data: st.DataObject
) -> None:
    dag = {
        version: tuple(each for each in range(version) if mask >> each & 1)
        for version, mask in enumerate(masks)
    }
    ours = data.draw(st.none() | st.sampled_from(sorted(dag)))
    theirs = data.draw(st.sampled_from(sorted(dag)))
    expected = cd.desired_classification(dag, ours, theirs)
    assert cd.classify_by_graph(cd.REPAIRED, dag.__getitem__, ours, theirs) is expected


def test_a_walk_fetches_each_snapshot_once_and_stops_at_known_ones() -> None:
    fetching = Fetching(FORK)
    found = walk({"xa"}, fetching, ["ab"])
    assert sorted(found.downloaded) == ["ab", "x", "xb"]
    assert sorted(fetching.fetched) == ["ab", "x", "xb"]
    assert found.met_root


def test_a_walk_from_a_known_snapshot_fetches_nothing() -> None:
    found = walk({"ab"}, Fetching(FORK), ["ab"])
    assert (found.downloaded, found.met_root) == ((), False)


def test_a_client_without_a_version_fetches_one_snapshot() -> None:
    fetching = Fetching(FORK)
    assert cd.fetch_for_poll((), fetching, None, "abr").downloaded == ("abr",)
    assert fetching.fetched == ["abr"]


def test_a_client_without_a_version_fetches_nothing_that_is_cached() -> None:
    fetching = Fetching(FORK)
    assert cd.fetch_for_poll({"abr"}, fetching, None, "abr").downloaded == ()
    assert fetching.fetched == []


def test_a_child_of_our_snapshot_costs_one_fetch() -> None:
    assert cd.fetch_for_poll(
        {"xa"}, Fetching({"xa": ("x",), "c": ("xa",)}), "xa", "c"
    ).downloaded == ("c",)


def test_a_walk_all_of_whose_branches_meet_the_cache_meets_no_root() -> None:
    assert not walk({"xa", "xb"}, Fetching(FORK), ["ab"]).met_root


def test_a_walk_that_comes_to_a_root_fetches_the_rest_of_the_history() -> None:
    found = cd.fetch_for_poll({"ab"}, Fetching(FORK), "ab", "r")
    assert sorted(found.downloaded) == ["r", "x", "xa", "xb"]


def test_a_complete_history_is_not_fetched_again() -> None:
    found = cd.fetch_for_poll({"xa", "x"}, Fetching(FORK), "xa", "r")
    assert found.downloaded == ("r",)
