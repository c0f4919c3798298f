from __future__ import annotations

import pytest

from rejoin import conflict_detection as cd


def test_a_diamond_chain_of_any_length_is_walked_once() -> None:
    diamonds: list[tuple[int, list[int]]] = [(0, [])]
    for top in range(0, 30_000, 3):
        diamonds += [(top + 1, [top]), (top + 2, [top]), (top + 3, [top + 1, top + 2])]
    dag = cd.version_dag(diamonds)
    assert cd.follows(dag, 30_000, 0)
    assert not cd.follows(dag, 0, 30_000)


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
