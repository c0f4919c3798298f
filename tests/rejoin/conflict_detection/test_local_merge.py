from __future__ import annotations

import pytest

from rejoin import conflict_detection as cd
from support.conflict_detection_histories import (
    CONFLICT,
    MAPS,
    OVERWRITE,
    SAME,
    SNAPSHOTS,
    V,
    edits,
    files,
    foo,
    found,
    in_sync,
    polls,
)

both_designs = pytest.mark.parametrize("design", [SNAPSHOTS, MAPS], ids=lambda each: each.name)


@both_designs
def test_a_path_that_both_have_is_a_conflict_for_both(design: cd.Design[V]) -> None:
    folder = cd.join_folder(in_sync(design, "AB"), "C", {"foo": b"mine"}).folder
    assert (found(folder, "CA"), found(folder, "AC")) == (CONFLICT, CONFLICT)
    assert files(polls(folder, "CA"), "C") == {"foo": "mine", "foo.conflict-A": "X"}


@both_designs
def test_other_paths_are_taken_over_both_ways(design: cd.Design[V]) -> None:
    folder = cd.join_folder(in_sync(design, "AB"), "C", {"bar": b"mine"}).folder
    folder = polls(polls(folder, "CA"), "AC", path="bar")
    assert files(folder, "A") == files(folder, "C") == {"bar": "mine", "foo": "X"}


@both_designs
def test_a_client_without_files_takes_over_everything(design: cd.Design[V]) -> None:
    folder = cd.join_folder(in_sync(design, "AB"), "C").folder
    assert found(folder, "CA") is OVERWRITE


@both_designs
def test_equal_content_with_a_history_behind_it_is_a_conflict_too(design: cd.Design[V]) -> None:
    folder = edits(in_sync(design, "AB"), ("A", "new"))
    folder = cd.join_folder(folder, "C", {"foo": b"new"}).folder
    assert found(folder, "CA") is CONFLICT


def test_two_equal_first_snapshots_are_one() -> None:
    folder = cd.join_folder(in_sync(SNAPSHOTS, "AB"), "C", {"foo": b"X"}).folder
    assert found(folder, "CA") is SAME


def test_two_equal_first_uploads_are_two_versions_in_version_maps() -> None:
    folder = cd.join_folder(in_sync(MAPS, "AB"), "C", {"foo": b"X"}).folder
    assert found(folder, "CA") is CONFLICT


@both_designs
def test_resolving_the_collision_reaches_everyone(design: cd.Design[V]) -> None:
    folder = polls(cd.join_folder(in_sync(design, "AB"), "C", {"foo": b"mine"}).folder, "CA")
    folder = cd.resolve(folder, "C", "foo", ["A"], b"both").folder
    assert (found(folder, "AC"), found(folder, "BC")) == (OVERWRITE, OVERWRITE)


def test_a_joining_client_may_sign() -> None:
    folder = cd.join_folder(in_sync(SNAPSHOTS, "AB"), "C", {"bar": b"mine"}, bytes(32)).folder
    version = folder.clients["C"].files["bar"].version
    assert version is not None
    assert cd.fetch_snapshot(folder.grid, version).signature is not None
    assert foo(folder, "A").version is not None


@pytest.mark.parametrize(
    ("nickname", "path", "code"),
    [("A", "bar", "client-exists"), ("C,D", "bar", "bad-nickname"), ("C", "/bar", "bad-path")],
)
def test_a_client_that_cannot_join_is_refused(nickname: str, path: str, code: str) -> None:
    with pytest.raises(cd.ConflictDetectionError) as refusal:
        cd.join_folder(in_sync(SNAPSHOTS, "AB"), nickname, {path: b""})
    assert refusal.value.code == code
