from __future__ import annotations

import pytest

from rejoin import conflict_detection as cd
from support.conflict_detection_histories import (
    MAPS,
    SNAPSHOTS,
    STALE,
    V,
    directory,
    edits,
    folder_of,
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
