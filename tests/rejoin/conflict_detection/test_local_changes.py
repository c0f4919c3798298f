from __future__ import annotations

import pytest

from rejoin import conflict_detection as cd
from support.conflict_detection_histories import (
    CONFLICT,
    MAPS,
    OVERWRITE,
    SNAPSHOTS,
    STALE,
    directory,
    edits,
    files,
    foo,
    found,
    in_sync,
    polls,
)


def refused(code: str) -> pytest.RaisesExc[cd.ConflictDetectionError]:
    return pytest.raises(cd.ConflictDetectionError, check=lambda error: error.code == code)


def parents(folder: cd.Folder[bytes], nickname: str) -> tuple[bytes, ...]:
    version = foo(folder, nickname).version
    assert version is not None
    return cd.fetch_snapshot(folder.grid, version).parents


def in_conflict() -> cd.Folder[bytes]:
    """A and B have changed `foo`, and A holds B's version."""
    return polls(edits(in_sync(SNAPSHOTS, "AB"), ("A", "a"), ("B", "b")), "AB")


def test_an_edit_has_one_parent() -> None:
    folder = in_sync(SNAPSHOTS, "AB")
    before = foo(folder, "A").version
    assert parents(edits(folder, ("A", "new")), "A") == (before,)


def test_an_edit_while_a_conflict_is_held_does_not_follow_it() -> None:
    folder = edits(in_conflict(), ("A", "a2"))
    assert len(parents(folder, "A")) == 1
    assert found(folder, "BA") is CONFLICT


def test_writing_into_a_conflict_file_stays_local() -> None:
    folder = in_conflict()
    touched = cd.edit(folder, "A", "foo.conflict-B", b"touched")
    assert files(touched.folder, "A") == {"foo": "a", "foo.conflict-B": "touched"}
    assert touched.folder.grid == folder.grid
    assert cd.total(touched.operations) == 0
    assert files(polls(touched.folder, "AB"), "A")["foo.conflict-B"] == "touched"


def test_a_conflict_file_that_is_not_there_cannot_be_written() -> None:
    with refused("no-file"):
        cd.edit(in_conflict(), "A", "foo.conflict-C", b"text")


def test_renaming_a_conflict_file_into_place_takes_its_content() -> None:
    folder = in_conflict()
    ours, theirs = foo(folder, "A").version, foo(folder, "B").version
    renamed = cd.rename(folder, "A", "foo.conflict-B", "foo").folder
    assert files(renamed, "A") == {"foo": "b"}
    assert parents(renamed, "A") == (ours, theirs)
    assert found(renamed, "BA") is OVERWRITE


def test_renaming_a_touched_conflict_file_takes_what_the_user_wrote() -> None:
    folder = cd.edit(in_conflict(), "A", "foo.conflict-B", b"touched").folder
    assert files(cd.rename(folder, "A", "foo.conflict-B", "foo").folder, "A") == {"foo": "touched"}


def test_renaming_a_conflict_file_away_resolves_and_makes_a_new_file() -> None:
    renamed = cd.rename(in_conflict(), "A", "foo.conflict-B", "bar").folder
    assert files(renamed, "A") == {"bar": "b", "foo": "a"}
    assert found(renamed, "BA") is OVERWRITE
    assert files(polls(polls(renamed, "BA"), "BA", path="bar"), "B") == {"bar": "b", "foo": "a"}


def test_renaming_a_file_deletes_it_and_makes_a_new_one() -> None:
    folder = in_sync(SNAPSHOTS, "AB")
    renamed = cd.rename(folder, "A", "foo", "bar")
    assert files(renamed.folder, "A") == {"bar": "X"}
    assert renamed.operations.directory_updates == 1
    taken = polls(polls(renamed.folder, "BA"), "BA", path="bar")
    assert files(taken, "B") == {"bar": "X"}


def test_a_rename_does_not_overwrite_another_file() -> None:
    folder = edits(in_conflict(), ("A", "other"), path="bar")
    for name in ("foo", "foo.conflict-B"):
        with refused("file-exists"):
            cd.rename(folder, "A", name, "bar")


def test_a_file_cannot_be_renamed_to_itself_or_to_a_conflict_file() -> None:
    with refused("file-exists"):
        cd.rename(in_conflict(), "A", "foo", "foo")
    with refused("bad-path"):
        cd.rename(in_conflict(), "A", "foo", "foo.conflict-C")


def test_what_is_not_there_cannot_be_renamed() -> None:
    for name in ("bar", "foo.conflict-C"):
        with refused("no-file"):
            cd.rename(in_conflict(), "A", name, "baz")


def test_an_offline_client_sees_nothing_and_changes_only_its_files() -> None:
    folder = edits(in_sync(SNAPSHOTS, "AB"), ("B", "b"))
    folder = cd.go_offline(folder, "A").folder
    before = directory(folder, "A")
    assert found(folder, "AB") is None
    folder = edits(folder, ("A", "a1"), ("A", "a2"))
    assert files(folder, "A") == {"foo": "a2"}
    assert directory(folder, "A") == before
    assert found(folder, "BA") is STALE


def test_coming_back_uploads_one_version_for_all_that_was_changed() -> None:
    folder = cd.go_offline(in_sync(SNAPSHOTS, "AB"), "A").folder
    before = foo(folder, "A").version
    folder = edits(folder, ("A", "a1"), ("A", "a2"))
    back = cd.come_back(folder, "A")
    assert parents(back.folder, "A") == (before,)
    assert files(polls(back.folder, "BA"), "B") == {"foo": "a2"}
    assert cd.total(back.operations) == 3


def test_several_files_come_back_with_one_update_of_the_directory() -> None:
    folder = cd.go_offline(in_sync(SNAPSHOTS, "AB"), "A").folder
    folder = edits(edits(folder, ("A", "a")), ("A", "new"), path="bar")
    operations = cd.come_back(folder, "A").operations
    assert (operations.snapshot_uploads, operations.directory_updates) == (2, 1)


def test_a_resolution_made_offline_follows_what_it_resolved() -> None:
    folder = cd.go_offline(in_conflict(), "A").folder
    folder = cd.resolve(folder, "A", "foo", ["B"], b"ab").folder
    assert files(folder, "A") == {"foo": "ab"}
    assert found(cd.come_back(folder, "A").folder, "BA") is OVERWRITE


def test_a_file_that_came_and_went_offline_is_not_uploaded() -> None:
    folder = cd.go_offline(in_sync(SNAPSHOTS, "AB"), "A").folder
    folder = cd.delete(edits(folder, ("A", "new"), path="bar"), "A", "bar").folder
    back = cd.come_back(folder, "A")
    assert cd.total(back.operations) == 0
    assert found(back.folder, "BA", "bar") is None


def test_a_file_deleted_and_brought_back_offline_is_a_plain_change() -> None:
    folder = cd.go_offline(in_sync(SNAPSHOTS, "AB"), "A").folder
    folder = cd.undelete(cd.delete(folder, "A", "foo").folder, "A", "foo", b"back").folder
    folder = cd.come_back(folder, "A").folder
    assert found(folder, "BA") is OVERWRITE
    assert files(polls(folder, "BA"), "B") == {"foo": "back"}


def test_coming_back_without_changes_uploads_nothing() -> None:
    folder = cd.go_offline(in_sync(MAPS, "AB"), "A").folder
    back = cd.come_back(folder, "A")
    assert cd.total(back.operations) == 0
    assert found(back.folder, "AB") is not None


def test_a_path_out_of_normal_form_is_refused() -> None:
    with refused("bad-path"):
        cd.edit(in_conflict(), "A", "/foo", b"text")


def test_only_a_client_of_the_folder_acts() -> None:
    with refused("unknown-client"):
        cd.edit(in_conflict(), "Z", "foo", b"text")
