from __future__ import annotations

from rejoin import conflict_detection as cd
from rejoin.conflict_detection.conflict_files import (
    drop_followed,
    hold,
    let_go,
)

B: cd.ConflictFile[str] = cd.ConflictFile(("B",), "v1", b"one")
C: cd.ConflictFile[str] = cd.ConflictFile(("C",), "v2", b"two")


def test_the_name_has_the_file_the_mark_and_the_nicknames() -> None:
    assert cd.conflict_file_name("a/foo", ["B"]) == "a/foo.conflict-B"
    assert cd.conflict_file_name("foo", ["B", "D"]) == "foo.conflict-B,D"


def test_a_name_is_split_at_the_first_mark() -> None:
    assert cd.split_file_name("foo.conflict-B,D") == ("foo", ("B", "D"))
    assert cd.split_file_name("foo.conflict-x.conflict-y") == ("foo", ("x.conflict-y",))
    assert cd.split_file_name("foo") == ("foo", ())


def held(*steps: tuple[str, str], one_per_version: bool) -> cd.Conflicts[str]:
    conflicts: cd.Conflicts[str] = ()
    for nickname, version in steps:
        conflicts = hold(
            conflicts, nickname, version, version.encode(), one_per_version=one_per_version
        )
    return conflicts


def test_clients_with_one_version_have_a_file_each() -> None:
    conflicts = held(("D", "v"), ("B", "v"), one_per_version=False)
    assert [file.nicknames for file in conflicts] == [("B",), ("D",)]


def test_clients_with_one_version_share_a_file_where_the_reading_says_so() -> None:
    conflicts = held(("D", "v"), ("B", "v"), one_per_version=True)
    assert [file.nicknames for file in conflicts] == [("B", "D")]


def test_a_client_that_moves_on_takes_its_file_along() -> None:
    conflicts = held(("B", "v1"), ("B", "v2"), one_per_version=False)
    assert conflicts == (cd.ConflictFile(("B",), "v2", b"v2"),)


def test_a_client_that_moves_on_leaves_a_shared_file() -> None:
    conflicts = held(("B", "v1"), ("D", "v1"), ("B", "v2"), one_per_version=True)
    assert conflicts == (cd.ConflictFile(("B",), "v2", b"v2"), cd.ConflictFile(("D",), "v1", b"v1"))


def test_a_version_seen_again_leaves_the_file_as_the_user_left_it() -> None:
    touched = (cd.ConflictFile(("B",), "v1", b"touched"),)
    assert hold(touched, "B", "v1", b"one", one_per_version=False) == touched


def test_letting_go_removes_a_name_and_with_the_last_name_the_file() -> None:
    shared = held(("B", "v"), ("D", "v"), one_per_version=True)
    assert [file.nicknames for file in let_go(shared, "B")] == [("D",)]
    assert let_go(let_go(shared, "B"), "D") == ()


def test_followed_versions_are_dropped() -> None:
    assert drop_followed((B, C), lambda version: version == "v1") == (C,)


def test_files_are_found_by_any_of_their_names() -> None:
    assert cd.naming((B, C), ["C", "D"]) == (C,)
