from __future__ import annotations

import pytest

from rejoin import conflict_detection as cd

CHAIN = cd.version_dag([("a", []), ("b", ["a"]), ("c", ["b"])])
FORK = cd.version_dag([("x", []), ("xa", ["x"]), ("xb", ["x"]), ("merged", ["xa", "xb"])])


@pytest.mark.parametrize("path", ["foo", "a/b", "a b", ".hidden", "...", "foo.conflict", "\u00e9"])
def test_a_path_in_normal_form_is_allowed(path: str) -> None:
    cd.check_path(path)


@pytest.mark.parametrize(
    "path", ["", "/foo", "foo/", "a//b", ".", "a/..", "./a", "a\0b", "foo.conflict-B", "\ud800"]
)
def test_any_other_path_is_refused(path: str) -> None:
    with pytest.raises(cd.ConflictDetectionError) as refusal:
        cd.check_path(path)
    assert refusal.value.code == "bad-path"


@pytest.mark.parametrize("nickname", ["A", "Alice Smith", "x.conflict-y", "\u00e9"])
def test_a_nickname_is_nearly_any_text(nickname: str) -> None:
    cd.check_nickname(nickname)


@pytest.mark.parametrize("nickname", ["", "A,B", "A/B", "A\0", "\udfff"])
def test_a_nickname_that_would_break_file_names_is_refused(nickname: str) -> None:
    with pytest.raises(cd.ConflictDetectionError) as refusal:
        cd.check_nickname(nickname)
    assert refusal.value.code == "bad-nickname"


def test_following_passes_on_along_a_chain() -> None:
    assert cd.follows(CHAIN, "c", "a")


def test_following_has_a_direction() -> None:
    assert not cd.follows(CHAIN, "a", "c")


def test_no_version_follows_itself() -> None:
    assert not cd.follows(CHAIN, "b", "b")


def test_siblings_do_not_follow_each_other() -> None:
    assert not cd.follows(FORK, "xa", "xb")
    assert not cd.follows(FORK, "xb", "xa")


def test_a_version_made_of_two_follows_both_and_what_they_follow() -> None:
    assert all(cd.follows(FORK, "merged", earlier) for earlier in ("x", "xa", "xb"))


def test_a_diamond_chain_of_any_length_is_walked_once() -> None:
    diamonds: list[tuple[int, list[int]]] = [(0, [])]
    for top in range(0, 30_000, 3):
        diamonds += [(top + 1, [top]), (top + 2, [top]), (top + 3, [top + 1, top + 2])]
    dag = cd.version_dag(diamonds)
    assert cd.follows(dag, 30_000, 0)
    assert not cd.follows(dag, 0, 30_000)


@pytest.mark.parametrize(
    ("ours", "theirs", "expected"),
    [
        (None, "x", cd.Classification.OVERWRITE),
        ("x", "xa", cd.Classification.OVERWRITE),
        ("x", "merged", cd.Classification.OVERWRITE),
        ("xa", "xa", cd.Classification.SAME),
        ("merged", "x", cd.Classification.STALE),
        ("xa", "xb", cd.Classification.CONFLICT),
    ],
)
def test_a_download_is_classified_by_the_follows_relation(
    ours: str | None, theirs: str, expected: cd.Classification
) -> None:
    assert cd.desired_classification(FORK, ours, theirs) is expected


def test_versions_may_come_before_their_parents() -> None:
    assert cd.version_dag([("b", ["a"]), ("a", [])]) == {"b": ("a",), "a": ()}


def test_there_may_be_no_versions() -> None:
    assert cd.version_dag([]) == {}


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
def test_an_invalid_dag_is_refused(versions: list[tuple[str, list[str]]], code: str) -> None:
    with pytest.raises(cd.ConflictDetectionError) as refusal:
        cd.version_dag(versions)
    assert refusal.value.code == code


def test_a_chain_of_any_length_is_checked_without_recursion() -> None:
    chain = [(number, [number - 1] if number else []) for number in range(50_000)]
    assert len(cd.version_dag(chain)) == 50_000


def test_a_cycle_of_any_length_is_found() -> None:
    ring = [(number, [(number - 1) % 50_000]) for number in range(50_000)]
    with pytest.raises(cd.ConflictDetectionError, match="follows itself"):
        cd.version_dag(ring)


def test_a_version_that_is_asked_about_must_be_known() -> None:
    with pytest.raises(cd.ConflictDetectionError) as refusal:
        cd.check_known({"a": ()}, "a", "b")
    assert refusal.value.code == "unknown-version"
