from __future__ import annotations

import pytest

from rejoin.conflict_detection.definitions import (
    Classification,
    check_known,
    check_nickname,
    check_path,
    desired_classification,
    follows,
    version_dag,
)
from rejoin.conflict_detection.errors import ConflictDetectionError

CHAIN = version_dag([("a", []), ("b", ["a"]), ("c", ["b"])])
FORK = version_dag([("x", []), ("xa", ["x"]), ("xb", ["x"]), ("merged", ["xa", "xb"])])


@pytest.mark.parametrize("path", ["foo", "a/b", "a b", ".hidden", "...", "foo.conflict", "\u00e9"])
def test_a_path_in_normal_form_is_allowed(path: str) -> None:
    check_path(path)


@pytest.mark.parametrize(
    "path", ["", "/foo", "foo/", "a//b", ".", "a/..", "./a", "a\0b", "foo.conflict-B", "\ud800"]
)
def test_any_other_path_is_refused(path: str) -> None:
    with pytest.raises(ConflictDetectionError) as refusal:
        check_path(path)
    assert refusal.value.code == "bad-path"


@pytest.mark.parametrize("nickname", ["A", "Alice Smith", "x.conflict-y", "\u00e9"])
def test_a_nickname_is_nearly_any_text(nickname: str) -> None:
    check_nickname(nickname)


@pytest.mark.parametrize("nickname", ["", "A,B", "A/B", "A\0", "\udfff"])
def test_a_nickname_that_would_spoil_file_names_is_refused(nickname: str) -> None:
    with pytest.raises(ConflictDetectionError) as refusal:
        check_nickname(nickname)
    assert refusal.value.code == "bad-nickname"


def test_following_passes_on_along_a_chain() -> None:
    assert follows(CHAIN, "c", "a")


def test_following_has_a_direction() -> None:
    assert not follows(CHAIN, "a", "c")


def test_no_version_follows_itself() -> None:
    assert not follows(CHAIN, "b", "b")


def test_siblings_do_not_follow_each_other() -> None:
    assert not follows(FORK, "xa", "xb")
    assert not follows(FORK, "xb", "xa")


def test_a_version_made_of_two_follows_both_and_what_they_follow() -> None:
    assert all(follows(FORK, "merged", earlier) for earlier in ("x", "xa", "xb"))


def test_a_diamond_chain_of_any_length_is_walked_once() -> None:
    diamonds: list[tuple[int, list[int]]] = [(0, [])]
    for top in range(0, 30_000, 3):
        diamonds += [(top + 1, [top]), (top + 2, [top]), (top + 3, [top + 1, top + 2])]
    dag = version_dag(diamonds)
    assert follows(dag, 30_000, 0)
    assert not follows(dag, 0, 30_000)


@pytest.mark.parametrize(
    ("ours", "theirs", "expected"),
    [
        (None, "x", Classification.OVERWRITE),
        ("x", "xa", Classification.OVERWRITE),
        ("x", "merged", Classification.OVERWRITE),
        ("xa", "xa", Classification.SAME),
        ("merged", "x", Classification.STALE),
        ("xa", "xb", Classification.CONFLICT),
    ],
)
def test_a_download_is_classified_by_the_follows_relation(
    ours: str | None, theirs: str, expected: Classification
) -> None:
    assert desired_classification(FORK, ours, theirs) is expected


def test_versions_may_come_before_their_parents() -> None:
    assert version_dag([("b", ["a"]), ("a", [])]) == {"b": ("a",), "a": ()}


def test_there_may_be_no_versions() -> None:
    assert version_dag([]) == {}


@pytest.mark.parametrize(
    ("versions", "code"),
    [
        ([("a", []), ("a", [])], "duplicate-version"),
        ([("a", []), ("b", ["a", "a"])], "duplicate-parent"),
        ([("b", ["a"])], "unknown-version"),
        ([("a", ["a"])], "cycle"),
        ([("a", ["b"]), ("b", ["a"])], "cycle"),
        ([("r", []), ("a", ["r", "c"]), ("b", ["a"]), ("c", ["b"])], "cycle"),
    ],
)
def test_what_is_no_dag_is_refused(versions: list[tuple[str, list[str]]], code: str) -> None:
    with pytest.raises(ConflictDetectionError) as refusal:
        version_dag(versions)
    assert refusal.value.code == code


def test_a_chain_of_any_length_is_checked_without_recursion() -> None:
    chain = [(number, [number - 1] if number else []) for number in range(50_000)]
    assert len(version_dag(chain)) == 50_000


def test_a_cycle_of_any_length_is_found() -> None:
    ring = [(number, [(number - 1) % 50_000]) for number in range(50_000)]
    with pytest.raises(ConflictDetectionError, match="follows itself"):
        version_dag(ring)


def test_a_version_that_is_asked_about_must_be_known() -> None:
    with pytest.raises(ConflictDetectionError) as refusal:
        check_known({"a": ()}, "a", "b")
    assert refusal.value.code == "unknown-version"
