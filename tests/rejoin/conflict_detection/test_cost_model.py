"""The document's figures: what each change costs in remote operations."""

from __future__ import annotations

import pytest

from rejoin import conflict_detection as cd
from rejoin.conflict_detection.cost_model import (
    plus,
)
from support.conflict_detection_histories import (
    MAPS,
    SNAPSHOTS,
    V,
    edits,
    folder_of,
    in_sync,
    outcome,
    polls,
)


def test_the_polling_itself_is_not_in_the_sum() -> None:
    assert cd.total(cd.Operations(directory_reads=5, content_uploads=1)) == 1


def test_operations_add_up_kind_by_kind() -> None:
    one = cd.Operations(content_uploads=1, snapshot_downloads=2, directory_reads=1)
    assert plus(one, one) == cd.Operations(
        content_uploads=2, snapshot_downloads=4, directory_reads=2
    )


def test_a_local_change_takes_content_snapshot_and_directory() -> None:
    operations = cd.edit(in_sync(SNAPSHOTS, "AB"), "A", "foo", b"a").operations
    assert operations == cd.Operations(content_uploads=1, snapshot_uploads=1, directory_updates=1)


def test_an_overwrite_takes_snapshot_content_and_directory() -> None:
    operations = outcome(edits(in_sync(SNAPSHOTS, "AB"), ("A", "a")), "BA").operations
    assert operations == cd.Operations(
        snapshot_downloads=1, content_downloads=1, directory_updates=1, directory_reads=1
    )


def test_a_conflict_takes_snapshot_and_content() -> None:
    folder = edits(in_sync(SNAPSHOTS, "AB"), ("A", "a"), ("B", "b"))
    operations = outcome(folder, "AB").operations
    assert operations == cd.Operations(snapshot_downloads=1, content_downloads=1, directory_reads=1)


def test_each_snapshot_in_between_takes_one_more() -> None:
    folder = edits(in_sync(SNAPSHOTS, "AB"), ("A", "1"), ("A", "2"), ("A", "3"))
    assert cd.total(outcome(folder, "BA").operations) == 5


def test_the_first_version_takes_as_much_as_any_overwrite() -> None:
    folder = edits(folder_of(SNAPSHOTS, "AB"), ("A", "1"), ("A", "2"))
    assert cd.total(outcome(folder, "BA").operations) == 3


@pytest.mark.parametrize("design", [SNAPSHOTS, MAPS], ids=lambda each: each.name)
def test_the_same_and_a_stale_version_take_nothing(design: cd.Design[V]) -> None:
    folder = in_sync(design, "AB")
    assert cd.total(outcome(folder, "AB").operations) == 0
    assert cd.total(outcome(edits(folder, ("A", "a")), "AB").operations) == 0


@pytest.mark.parametrize("design", [SNAPSHOTS, MAPS], ids=lambda each: each.name)
def test_a_conflict_that_is_held_already_takes_nothing(design: cd.Design[V]) -> None:
    folder = polls(edits(in_sync(design, "ABC"), ("A", "a"), ("B", "b")), "AB", "CB")
    assert cd.total(outcome(folder, "AB").operations) == 0
    assert cd.total(outcome(folder, "AC").operations) == 0


def test_a_deletion_has_no_content_to_upload_or_download() -> None:
    deletion = cd.delete(in_sync(SNAPSHOTS, "AB"), "A", "foo")
    assert cd.total(deletion.operations) == 2
    assert cd.total(outcome(deletion.folder, "BA").operations) == 2


def test_version_maps_save_the_snapshots() -> None:
    folder = in_sync(MAPS, "AB")
    change = cd.edit(folder, "A", "foo", b"a")
    assert cd.total(change.operations) == 2
    assert cd.total(outcome(change.folder, "BA").operations) == 2
    conflict = outcome(edits(change.folder, ("B", "b")), "AB")
    assert cd.total(conflict.operations) == 1
    assert cd.total(cd.delete(folder, "A", "foo").operations) == 1
