from __future__ import annotations

import pytest

from rejoin import conflict_detection as cd
from rejoin.conflict_detection.local_cache import EMPTY_CACHE
from support.conflict_detection_histories import (
    CONFLICT,
    LITERAL_MAPS,
    LITERAL_SNAPSHOTS,
    MAPS,
    OVERWRITE,
    SAME,
    SNAPSHOTS,
    V,
    edits,
    files,
    found,
    in_sync,
    polls,
)

both_designs = pytest.mark.parametrize("design", [SNAPSHOTS, MAPS], ids=lambda each: each.name)
X, P, Q = b"x" * 32, b"p" * 32, b"q" * 32


def held(nickname: str, version: bytes) -> cd.ConflictFile[bytes]:
    return cd.ConflictFile((nickname,), version, b"")


def three_versions(design: cd.Design[V]) -> cd.Folder[V]:
    """A, B and C have changed `foo` at once, and A holds the versions of the others."""
    folder = edits(in_sync(design, "ABC"), ("A", "a"), ("B", "b"), ("C", "c"))
    return polls(folder, "AB", "AC")


def test_our_snapshot_is_the_first_parent_and_the_others_follow_in_byte_order() -> None:
    assert cd.parents_of_upload(X, (held("B", Q), held("C", P))) == (X, P, Q)


def test_a_snapshot_that_two_clients_have_is_one_parent() -> None:
    assert cd.parents_of_upload(X, (held("B", P), held("C", P))) == (X, P)


def test_our_own_snapshot_is_not_named_again() -> None:
    assert cd.parents_of_upload(X, (held("B", X),)) == (X,)


def test_a_first_snapshot_has_no_parents() -> None:
    assert cd.parents_of_upload(None, ()) == ()


def test_a_conflict_with_what_is_our_version_is_over() -> None:
    assert SNAPSHOTS.is_over(EMPTY_CACHE, X, X)
    assert not SNAPSHOTS.is_over(EMPTY_CACHE, X, P)
    assert MAPS.is_over(EMPTY_CACHE, {"A": 1}, {"A": 1})


@both_designs
def test_several_conflicts_are_resolved_at_once(design: cd.Design[V]) -> None:
    folder = cd.resolve(three_versions(design), "A", "foo", ["B", "C"], b"abc").folder
    assert files(folder, "A") == {"foo": "abc"}
    assert (found(folder, "BA"), found(folder, "CA")) == (OVERWRITE, OVERWRITE)


@both_designs
def test_one_of_two_conflicts_is_resolved(design: cd.Design[V]) -> None:
    folder = cd.resolve(three_versions(design), "A", "foo", ["B"]).folder
    assert files(folder, "A") == {"foo": "a", "foo.conflict-C": "c"}
    assert (found(folder, "BA"), found(folder, "CA")) == (OVERWRITE, CONFLICT)


@both_designs
def test_resolving_one_of_two_clients_with_one_version_resolves_both(design: cd.Design[V]) -> None:
    folder = edits(in_sync(design, "ABC"), ("A", "a"), ("B", "b"))
    folder = polls(folder, "CB", "AB", "AC")
    assert sorted(files(folder, "A")) == ["foo", "foo.conflict-B", "foo.conflict-C"]
    assert files(cd.resolve(folder, "A", "foo", ["B"]).folder, "A") == {"foo": "a"}


@both_designs
def test_a_third_party_lets_go_of_what_somebody_else_resolved(design: cd.Design[V]) -> None:
    folder = polls(three_versions(design), "BA", "BC")
    assert sorted(files(folder, "B")) == ["foo", "foo.conflict-A", "foo.conflict-C"]
    folder = cd.resolve(folder, "A", "foo", ["B", "C"], b"abc").folder
    assert files(polls(folder, "BA"), "B") == {"foo": "abc"}


@both_designs
def test_what_a_resolution_leaves_out_stays_a_conflict_for_a_third_party(
    design: cd.Design[V],
) -> None:
    folder = polls(three_versions(design), "BA", "BC")
    folder = cd.resolve(folder, "A", "foo", ["B"], b"ab").folder
    assert files(polls(folder, "BA"), "B") == {"foo": "ab", "foo.conflict-C": "c"}


@both_designs
def test_two_resolutions_at_once_conflict(design: cd.Design[V]) -> None:
    folder = polls(edits(in_sync(design, "AB"), ("A", "a"), ("B", "b")), "AB", "BA")
    folder = cd.resolve(folder, "A", "foo", ["B"], b"merged").folder
    folder = cd.resolve(folder, "B", "foo", ["A"], b"merged").folder
    assert (found(folder, "AB"), found(folder, "BA")) == (CONFLICT, CONFLICT)


@both_designs
def test_a_resolution_seen_by_one_who_knew_neither_side_is_an_overwrite(
    design: cd.Design[V],
) -> None:
    folder = cd.resolve(three_versions(design), "A", "foo", ["B", "C"], b"abc").folder
    folder = polls(folder, "BA")
    assert found(folder, "CB") is OVERWRITE


def test_as_printed_copying_one_entry_makes_a_resolution_conflict_again() -> None:
    """B's map says that B had seen C's version; only B's own entry is copied."""
    maps = {
        design: edits(
            polls(edits(in_sync(design, "ABC"), ("C", "c")), "BC"), ("B", "b"), ("A", "a")
        )
        for design in (MAPS, LITERAL_MAPS)
    }
    for design, expected in ((MAPS, OVERWRITE), (LITERAL_MAPS, CONFLICT)):
        folder = polls(maps[design], "AB")
        folder = cd.resolve(folder, "A", "foo", ["B"], b"ab").folder
        assert found(folder, "CA") is expected


def test_removing_a_shared_conflict_file_resolves_for_all_its_names() -> None:
    folder = edits(in_sync(LITERAL_SNAPSHOTS, "ABC"), ("A", "a"), ("B", "b"))
    folder = polls(folder, "CB", "AB", "AC")
    assert files(folder, "A") == {"foo": "a", "foo.conflict-B,C": "b"}
    folder = cd.resolve(folder, "A", "foo", ["C"]).folder
    assert files(folder, "A") == {"foo": "a"}
    assert found(folder, "BA") is OVERWRITE
    assert found(polls(folder, "BA"), "AB") is SAME


@pytest.mark.parametrize("others", [[], ["C"], ["B", "C"]])
def test_only_a_conflict_that_is_held_is_resolved(others: list[str]) -> None:
    folder = polls(edits(in_sync(SNAPSHOTS, "ABC"), ("A", "a"), ("B", "b")), "AB")
    with pytest.raises(cd.ConflictDetectionError) as refusal:
        cd.resolve(folder, "A", "foo", others)
    assert refusal.value.code == "no-conflict"
