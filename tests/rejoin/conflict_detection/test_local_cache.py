from __future__ import annotations

from collections.abc import Iterable

import pytest
from attrs import evolve

from rejoin import conflict_detection as cd
from rejoin.conflict_detection.clients import (
    with_file,
)
from support.conflict_detection_histories import (
    CONFLICT,
    OVERWRITE,
    SNAPSHOTS,
    STALE,
    edits,
    folder_of,
    foo,
    found,
    in_sync,
    outcome,
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


def texts(folder: cd.Folder[bytes], nickname: str) -> list[str]:
    """The cached snapshots, by their contents."""
    found_texts = []
    for snapshot in foo(folder, nickname).cache.snapshots.values():
        content = None if snapshot.content is None else folder.grid.objects
        assert content is None or snapshot.content is not None
        found_texts.append(
            "deleted" if snapshot.content is None else _content(folder, snapshot.content)
        )
    return sorted(found_texts)


def _content(folder: cd.Folder[bytes], capability: bytes) -> str:
    for layer in folder.grid.objects.layers:
        value = layer.get(capability)
        if isinstance(value, bytes):
            return value.decode()
    raise AssertionError


def test_a_client_keeps_one_snapshot_while_all_agree() -> None:
    folder = in_sync(SNAPSHOTS, "ABC")
    assert [texts(folder, nickname) for nickname in "ABC"] == [["X"], ["X"], ["X"]]


def test_a_client_keeps_what_lies_between_it_and_one_that_lags() -> None:
    folder = polls(edits(in_sync(SNAPSHOTS, "AB"), ("A", "1"), ("A", "2"), ("A", "3")), "AB")
    assert texts(folder, "A") == ["1", "2", "3", "X"]
    caught_up = polls(folder, "BA", "AB")
    assert texts(caught_up, "A") == ["3"]
    assert texts(caught_up, "B") == ["3"]


def test_a_client_keeps_both_sides_of_a_conflict_and_where_they_fork() -> None:
    folder = polls(edits(in_sync(SNAPSHOTS, "AB"), ("A", "a"), ("B", "b1"), ("B", "b2")), "AB")
    assert texts(folder, "A") == ["X", "a", "b1", "b2"]


def test_a_resolution_purges_once_the_other_has_it() -> None:
    folder = polls(edits(in_sync(SNAPSHOTS, "AB"), ("A", "a"), ("B", "b")), "AB")
    folder = cd.resolve(folder, "A", "foo", ["B"], b"ab").folder
    assert texts(folder, "A") == ["ab", "b"]
    assert texts(polls(folder, "BA", "AB"), "A") == ["ab"]


def test_a_deletion_is_cached_after_its_link_is_gone() -> None:
    folder = cd.delete(in_sync(SNAPSHOTS, "AB"), "A", "foo").folder
    folder = polls(folder, "BA", "AB", "BA")
    assert not foo(folder, "A").linked
    assert texts(folder, "A") == ["deleted"]


def test_an_old_version_is_recognised_as_stale_though_it_was_purged() -> None:
    folder = folder_of(SNAPSHOTS, "ABC")
    folder = polls(edits(folder, ("A", "1")), "CA", "BA", "AB", "AB")
    folder = polls(edits(folder, ("A", "2"), ("A", "3")), "BA", "AB")
    assert texts(folder, "A") == ["3"]
    lagging = outcome(folder, "AC")
    assert lagging.classification is STALE
    assert lagging.operations.snapshot_downloads == 2
    assert texts(lagging.folder, "A") == ["1", "2", "3"]


def test_a_stranger_costs_the_whole_history_once() -> None:
    folder = edits(in_sync(SNAPSHOTS, "AB"), ("A", "1"), ("A", "2"))
    folder = polls(folder, "BA", "AB")
    folder = cd.join_folder(folder, "C", {"foo": b"mine"}).folder
    first = outcome(folder, "AC")
    assert first.classification is CONFLICT
    assert first.operations.snapshot_downloads == 3
    again = outcome(edits(first.folder, ("C", "mine too")), "AC")
    assert again.operations.snapshot_downloads == 1


def test_the_client_that_lags_most_decides_what_is_kept() -> None:
    folder = edits(in_sync(SNAPSHOTS, "ABC"), ("A", "1"), ("A", "2"))
    folder = polls(folder, "BA", "AB", "AC")
    assert texts(folder, "A") == ["1", "2", "X"]
    folder = polls(folder, "CA", "AC")
    assert texts(folder, "A") == ["2"]


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


def test_a_late_client_fetches_one_snapshot_of_a_long_history() -> None:
    folder = edits(in_sync(SNAPSHOTS, "AB"), *[("A", str(number)) for number in range(20)])
    folder = cd.join_folder(folder, "C").folder
    first = outcome(folder, "CA")
    assert (first.classification, first.operations.snapshot_downloads) == (OVERWRITE, 1)


def test_a_branch_ends_where_a_snapshot_was_collected() -> None:
    child = cd.Snapshot(b"c", (b"collected",))
    own = cd.Snapshot(b"o", ())
    grid = {b"child": child}
    examined = cd.examine(cd.REPAIRED, cd.Cache({b"own": own}), grid.get, b"own", b"child")
    assert examined.classification is CONFLICT
    assert set(examined.cache.snapshots) == {b"own", b"child"}
    assert examined.downloads == 2
