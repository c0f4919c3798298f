from __future__ import annotations

import pytest

from rejoin import conflict_detection as cd
from rejoin.conflict_detection.deletion import (
    may_drop_link,
)
from support.conflict_detection_histories import (
    CONFLICT,
    LITERAL_MAPS,
    MAPS,
    OVERWRITE,
    SAME,
    SNAPSHOTS,
    STALE,
    V,
    directory,
    edits,
    files,
    folder_of,
    foo,
    found,
    in_sync,
    outcome,
    polls,
)

both_designs = pytest.mark.parametrize("design", [SNAPSHOTS, MAPS], ids=lambda each: each.name)


def deleted(design: cd.Design[V], nicknames: str) -> cd.Folder[V]:
    """All had `foo`, and the first client deleted it."""
    return cd.delete(in_sync(design, nicknames), nicknames[0], "foo").folder


@both_designs
def test_a_deletion_overwrites_and_is_linked(design: cd.Design[V]) -> None:
    folder = deleted(design, "AB")
    assert files(folder, "A") == {}
    assert found(folder, "BA") is OVERWRITE
    folder = polls(folder, "BA")
    assert files(folder, "B") == {}
    assert directory(folder, "B").entries == directory(folder, "A").entries


@both_designs
def test_a_change_of_a_deleted_file_is_held_as_a_conflict_file(design: cd.Design[V]) -> None:
    folder = polls(edits(deleted(design, "AB"), ("B", "b")), "AB")
    assert files(folder, "A") == {"foo.conflict-B": "b"}


@both_designs
def test_a_deletion_of_a_changed_file_is_held_without_a_file(design: cd.Design[V]) -> None:
    folder = edits(deleted(design, "AB"), ("B", "b"))
    assert found(folder, "BA") is CONFLICT
    folder = polls(folder, "BA")
    assert files(folder, "B") == {"foo": "b"}
    assert [file.nicknames for file in foo(folder, "B").conflicts] == [("A",)]


@both_designs
def test_the_change_wins_when_its_owner_resolves(design: cd.Design[V]) -> None:
    folder = polls(edits(deleted(design, "AB"), ("B", "b")), "BA")
    folder = cd.resolve(folder, "B", "foo", ["A"]).folder
    assert files(polls(folder, "AB"), "A") == {"foo": "b"}


@both_designs
def test_the_deletion_wins_when_its_maker_removes_the_conflict_file(design: cd.Design[V]) -> None:
    folder = polls(edits(deleted(design, "AB"), ("B", "b")), "AB", "BA")
    folder = cd.delete(folder, "A", "foo.conflict-B").folder
    folder = polls(folder, "BA")
    assert files(folder, "B") == {}
    assert foo(folder, "B").conflicts == ()


@both_designs
def test_bringing_a_file_back_follows_the_deletion(design: cd.Design[V]) -> None:
    folder = cd.undelete(polls(deleted(design, "AB"), "BA"), "B", "foo", b"back").folder
    assert found(folder, "AB") is OVERWRITE
    assert files(polls(folder, "AB"), "A") == {"foo": "back"}


@both_designs
def test_a_file_brought_back_unseen_conflicts_with_a_change(design: cd.Design[V]) -> None:
    folder = edits(deleted(design, "AB"), ("B", "b"))
    folder = cd.undelete(folder, "A", "foo", b"back").folder
    assert found(folder, "AB") is CONFLICT


@both_designs
def test_links_go_once_all_have_the_deletion(design: cd.Design[V]) -> None:
    folder = polls(deleted(design, "ABC"), "BA", "AB")
    assert "foo" in directory(folder, "A").entries
    folder = polls(folder, "CA", "AC")
    assert "foo" not in directory(folder, "A").entries
    folder = polls(folder, "BA", "BC", "CA", "CB")
    assert [dict(directory(folder, each).entries) for each in "ABC"] == [{}, {}, {}]


@both_designs
def test_a_link_that_went_for_an_earlier_deletion_does_not_count(design: cd.Design[V]) -> None:
    folder = polls(deleted(design, "AB"), "BA", "AB", "BA")
    folder = cd.delete(cd.undelete(folder, "A", "foo", b"back").folder, "A", "foo").folder
    assert "foo" in directory(polls(folder, "AB"), "A").entries


@both_designs
def test_a_client_that_was_never_seen_with_the_file_is_waited_for(design: cd.Design[V]) -> None:
    folder = edits(folder_of(design, "ABC"), ("A", "X"))
    folder = cd.delete(polls(folder, "BA"), "A", "foo").folder
    folder = polls(folder, "BA", "AB", "AC", "AB")
    assert "foo" in directory(folder, "A").entries
    folder = polls(folder, "CA", "AC")
    assert "foo" not in directory(folder, "A").entries


@both_designs
def test_a_late_client_of_a_deleted_file_takes_the_deletion(design: cd.Design[V]) -> None:
    folder = cd.join_folder(deleted(design, "AB"), "C").folder
    folder = polls(folder, "BA", "AB", "CA")
    assert foo(folder, "C").version == foo(folder, "A").version
    assert files(folder, "C") == {}


@both_designs
def test_a_dropped_deletion_still_makes_an_old_version_stale(design: cd.Design[V]) -> None:
    folder = in_sync(design, "AB")
    old = folder.grid
    folder = polls(cd.delete(folder, "A", "foo").folder, "BA", "AB")
    assert "foo" not in directory(folder, "A").entries
    rolled_back = cd.Folder(folder.design, old, folder.clients)
    assert found(rolled_back, "AB") is STALE


@both_designs
def test_a_dropped_deletion_is_followed_by_what_brings_the_file_back(design: cd.Design[V]) -> None:
    folder = polls(deleted(design, "AB"), "BA", "AB", "BA")
    assert dict(directory(folder, "B").entries) == {}
    folder = cd.undelete(folder, "B", "foo", b"back").folder
    assert found(folder, "AB") is OVERWRITE


@both_designs
def test_a_link_that_is_gone_is_not_removed_again(design: cd.Design[V]) -> None:
    folder = polls(deleted(design, "AB"), "BA", "AB", "BA")
    assert outcome(folder, "AB").operations.directory_updates == 0


@both_designs
def test_a_link_that_came_back_counts_again(design: cd.Design[V]) -> None:
    folder = polls(deleted(design, "AB"), "BA", "AB", "BA", "AB")
    folder = polls(cd.undelete(folder, "B", "foo", b"back").folder, "AB")
    folder = polls(cd.delete(folder, "A", "foo").folder, "AB")
    assert "foo" in directory(folder, "A").entries


@both_designs
def test_who_ends_a_subscription_forgets_what_was_seen(design: cd.Design[V]) -> None:
    folder = cd.unsubscribe(polls(deleted(design, "AB"), "BA", "AB", "BA", "AB"), "A", "B")
    assert (dict(foo(folder, "A").seen), foo(folder, "A").vanished) == ({}, frozenset())


def test_numbers_go_on_after_a_deletion() -> None:
    folder = polls(deleted(MAPS, "AB"), "BA", "AB", "BA")
    folder = cd.undelete(folder, "A", "foo", b"back").folder
    assert foo(folder, "A").version == {"A": 3}


def test_the_same_deletion_made_twice_is_one_snapshot() -> None:
    folder = cd.delete(deleted(SNAPSHOTS, "AB"), "B", "foo").folder
    assert found(folder, "AB") is SAME


def test_the_same_deletion_made_twice_is_two_uploads_in_version_maps() -> None:
    folder = cd.delete(deleted(MAPS, "AB"), "B", "foo").folder
    assert found(folder, "AB") is CONFLICT


def test_as_printed_a_deletion_is_a_conflict_for_those_who_never_wrote() -> None:
    assert found(deleted(LITERAL_MAPS, "AB"), "BA") is CONFLICT


@pytest.mark.parametrize(
    ("subscriptions", "seen", "vanished", "expected"),
    [
        ([], {}, [], True),
        (["B"], {"B": b"d"}, [], True),
        (["B"], {"B": b"x"}, [], False),
        (["B"], {}, [], False),
        (["B"], {"B": b"x"}, ["B"], True),
        (["B", "C"], {"B": b"d", "C": b"x"}, [], False),
    ],
)
def test_a_link_may_go_when_all_others_have_the_deletion(
    subscriptions: list[str], seen: dict[str, bytes], vanished: list[str], *, expected: bool
) -> None:
    assert may_drop_link(SNAPSHOTS, b"d", subscriptions, seen, vanished) is expected


@pytest.mark.parametrize("name", ["bar", "foo.conflict-B"])
def test_what_is_not_there_cannot_be_deleted(name: str) -> None:
    with pytest.raises(cd.ConflictDetectionError) as refusal:
        cd.delete(in_sync(SNAPSHOTS, "AB"), "A", name)
    assert refusal.value.code == "no-file"


def test_a_file_is_deleted_once() -> None:
    with pytest.raises(cd.ConflictDetectionError) as refusal:
        cd.delete(deleted(SNAPSHOTS, "AB"), "A", "foo")
    assert refusal.value.code == "no-file"


@pytest.mark.parametrize("path", ["foo", "bar"])
def test_only_a_deleted_file_is_brought_back(path: str) -> None:
    with pytest.raises(cd.ConflictDetectionError) as refusal:
        cd.undelete(in_sync(SNAPSHOTS, "AB"), "A", path, b"back")
    assert refusal.value.code == "not-deleted"
