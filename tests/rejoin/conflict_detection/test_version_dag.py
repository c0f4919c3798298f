from __future__ import annotations

import pytest

from rejoin.conflict_detection.errors import ConflictDetectionError
from rejoin.conflict_detection.version_dag import check_known, version_dag


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
