from __future__ import annotations

from collections.abc import Iterable

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


def test_a_complete_history_is_not_fetched_again() -> None:
    found = cd.fetch_for_poll({"xa", "x"}, Fetching(FORK), "xa", "r")
    assert found.downloaded == ("r",)
