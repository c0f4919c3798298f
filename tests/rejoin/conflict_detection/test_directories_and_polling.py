from __future__ import annotations

import pytest
from attrs import evolve

from rejoin import conflict_detection as cd
from rejoin.conflict_detection.clients import with_file
from rejoin.conflict_detection.grid import update_directory, update_subscriptions
from support.conflict_detection_histories import (
    MAPS,
    SNAPSHOTS,
    STALE,
    V,
    directory,
    edits,
    folder_of,
    foo,
    found,
    in_sync,
    outcome,
    polls,
)

both_designs = pytest.mark.parametrize("design", [SNAPSHOTS, MAPS], ids=lambda each: each.name)


def refused(code: str) -> pytest.RaisesExc[cd.ConflictDetectionError]:
    return pytest.raises(cd.ConflictDetectionError, check=lambda error: error.code == code)


@both_designs
def test_a_poll_that_finds_no_news_leaves_the_folder_as_it_is(design: cd.Design[V]) -> None:
    folder = polls(edits(in_sync(design, "ABC"), ("A", "second")), "AB")
    again = outcome(folder, "AB")
    assert again.classification is STALE
    assert again.folder is folder


@both_designs
def test_a_poll_changes_no_directory_but_ones_own(design: cd.Design[V]) -> None:
    folder = edits(in_sync(design, "ABC"), ("A", "a"))
    polled = polls(folder, "BA")
    for other in "AC":
        assert directory(polled, other) == directory(folder, other)


def test_a_design_cannot_read_the_entries_of_the_other() -> None:
    snapshots = edits(folder_of(SNAPSHOTS, "AB"), ("A", "1"))
    maps = edits(folder_of(MAPS, "AB"), ("A", "1"))
    with refused("missing-object"):
        cd.poll(cd.Folder(MAPS, snapshots.grid, maps.clients), "B", "A", "foo")
    with refused("missing-object"):
        cd.poll(cd.Folder(SNAPSHOTS, maps.grid, snapshots.clients), "B", "A", "foo")


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


def test_only_the_write_capability_of_a_directory_lets_one_write_to_it() -> None:
    grid = update_subscriptions(cd.Grid(), b"w" * 32, {})
    with refused("no-write-capability"):
        update_directory(grid, cd.read_capability(b"w" * 32), {"a": cd.Entry(b"1")})
