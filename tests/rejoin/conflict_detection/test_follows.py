from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rejoin.conflict_detection.definitions import Classification
from rejoin.conflict_detection.follows import (
    Closure,
    Witness,
    classify_by_closure,
    desired_classification,
    extend_closure,
    follows,
    witness_expects,
    witness_overwrite,
    witness_upload,
)
from rejoin.conflict_detection.version_dag import version_dag

CHAIN = version_dag([("a", []), ("b", ["a"]), ("c", ["b"])])
FORK = version_dag([("x", []), ("xa", ["x"]), ("xb", ["x"]), ("merged", ["xa", "xb"])])


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


def test_a_version_directly_follows_everything_that_its_maker_had() -> None:
    witness: Witness[str] = Witness()
    witness = witness_upload(witness, "A", "x")
    witness = witness_upload(witness, "A", "y")
    witness = witness_upload(witness, "A", "z")
    assert witness.directly["z"] == {"x", "y"}


def test_a_client_has_what_overwrote_its_file() -> None:
    witness: Witness[str] = witness_upload(Witness(), "A", "x")
    witness = witness_overwrite(witness, "B", "x")
    witness = witness_upload(witness, "B", "y")
    assert witness.directly["y"] == {"x"}
    assert witness_expects(witness, "A", "y") is Classification.OVERWRITE


def test_a_conflict_counts_as_had_only_once_it_is_resolved() -> None:
    witness: Witness[str] = witness_upload(Witness(), "A", "a")
    witness = witness_upload(witness, "B", "b")
    holding = witness_upload(witness, "A", "a2")
    assert witness_expects(holding, "B", "a2") is Classification.CONFLICT
    resolving = witness_upload(witness, "A", "a2", resolved=["b"])
    assert witness_expects(resolving, "B", "a2") is Classification.OVERWRITE


def test_a_version_that_is_made_twice_stays_what_it_was() -> None:
    witness: Witness[str] = witness_upload(Witness(), "A", "x")
    witness = witness_upload(witness_upload(witness, "B", "y"), "B", "x")
    assert witness.directly["x"] == frozenset()


@given(st.lists(st.integers(min_value=0), max_size=9), st.data())
def test_the_bit_sets_say_the_same_as_the_graph(masks: list[int], data: st.DataObject) -> None:
    closure: Closure = ()
    dag: dict[int, tuple[int, ...]] = {}
    for version, mask in enumerate(masks):
        had = mask & ((1 << version) - 1)
        dag[version] = tuple(each for each in range(version) if had >> each & 1)
        closure = extend_closure(closure, had)
    if not dag:
        return
    ours = data.draw(st.none() | st.sampled_from(sorted(dag)))
    theirs = data.draw(st.sampled_from(sorted(dag)))
    expected = desired_classification(dag, ours, theirs)
    assert classify_by_closure(closure, ours, theirs) is expected
