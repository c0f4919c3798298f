"""What the corpus promises: its size, what it covers, and where its answers come from."""

from __future__ import annotations

from collections import Counter

import pytest

from rejoin_conformance.contract.registry import system_named
from rejoin_conformance.contract.vector import Draft, Vector
from rejoin_conformance.corpus.load import load_system
from rejoin_conformance.systems.config_merge.drafts.by_hand.bt import Raw, Tree, bt
from rejoin_conformance.systems.config_merge.drafts.by_hand.messages import Message, merge_of
from rejoin_conformance.systems.config_merge.drafts.worked_example.messages import (
    BY_NAME,
    KNOWN_HASHES,
    PURE_127,
)

WRITTEN_TOPICS = {
    "apply-diff",
    "data",
    "decode",
    "diff",
    "encode",
    "encryption",
    "hostile",
    "ignored",
    "parse",
    "resolve",
    "scenario",
    "signatures",
    "update",
    "windows",
    "worked-example",
}


@pytest.fixture(scope="module")
def vectors() -> tuple[Vector, ...]:
    return load_system("config-merge")


@pytest.fixture(scope="module")
def drafts() -> tuple[Draft, ...]:
    return tuple(draft for topic in system_named("config-merge").topics() for draft in topic.drafts)


def test_there_are_at_least_300_vectors(vectors: tuple[Vector, ...]) -> None:
    assert len(vectors) >= 300


def test_every_topic_has_vectors(vectors: tuple[Vector, ...]) -> None:
    counts = Counter(vector.topic for vector in vectors)
    assert set(counts) == {*WRITTEN_TOPICS, "distilled", "behaviours"}
    assert min(counts[topic] for topic in WRITTEN_TOPICS) >= 15


def test_every_operation_has_vectors(vectors: tuple[Vector, ...]) -> None:
    used = {vector.operation for vector in vectors}
    assert used == {operation.name for operation in system_named("config-merge").operations}


def test_every_output_of_the_default_reading_is_stated(drafts: tuple[Draft, ...]) -> None:
    unstated = [
        draft.name
        for draft in drafts
        if draft.output is None
        and "document" not in draft.rejected_by
        and (not draft.readings or "document" in draft.readings)
    ]
    assert unstated == []


def test_every_other_output_of_libsession_is_stated(drafts: tuple[Draft, ...]) -> None:
    unstated = [
        draft.name
        for draft in drafts
        if draft.readings_differ
        and "libsession" not in draft.rejected_by
        and "libsession" not in draft.output_by_reading
        and not draft.readings
    ]
    assert unstated == []


def test_the_readings_part_in_many_places(vectors: tuple[Vector, ...]) -> None:
    parting = {clause for vector in vectors if vector.readings_differ for clause in vector.clauses}
    assert parting >= {
        "CM-BT-INT-CANONICAL",
        "CM-BT-NO-TRAILING",
        "CM-BT-STRING-CANONICAL",
        "CM-DATA-KEY-LENGTH",
        "CM-DATA-STRING-LENGTH",
        "CM-DIFF-APPLY-DICT",
        "CM-DIFF-APPLY-SET",
        "CM-DIFF-APPLY-TYPE-MISMATCH",
        "CM-DIFF-DICT-NONEMPTY",
        "CM-DIFF-LIMITS",
        "CM-DIFF-SET-DISJOINT",
        "CM-DIFF-SET-NOT-BOTH-EMPTY",
        "CM-DIFFS-EXPIRED",
        "CM-ENCRYPT-CIPHER",
        "CM-ENCRYPT-NONCE",
        "CM-MESSAGE-FIRST",
        "CM-OUTER-DIFF",
        "CM-OUTER-LAGGED",
        "CM-OUTER-UNKNOWN-MERGE",
        "CM-RESOLVE-REPLAY-CUTOFF",
    }


def test_the_worked_example_is_one_story_in_order(vectors: tuple[Vector, ...]) -> None:
    steps = [
        vector.scenario.step
        for vector in vectors
        if vector.scenario is not None and vector.scenario.name == "worked-example"
    ]
    assert sorted(steps) == sorted(BY_NAME)
    assert steps.index("118") == 0
    assert steps.index("127") == len(steps) - 1


@pytest.mark.parametrize("name", sorted(KNOWN_HASHES))
def test_messages_built_by_hand_have_the_hashes_of_the_deployed_library(name: str) -> None:
    assert BY_NAME[name].hash.hex() == KNOWN_HASHES[name]


@pytest.mark.parametrize(
    ("message", "known"),
    [
        (BY_NAME["124a"], "8634712e5345e11858674ce8bd1de1801ee19d7b5fb3ba8afa98c486a31cd8fe"),
        (BY_NAME["126a"], "4880a507551dc04b578482b1f4d0872f022c96d04b9cd5f711d5616261e3f649"),
        (BY_NAME["126b"], "6de3eb60b334acb357525709d10f3bc2616be98bcd6bc8c3d77a8a30f23173e1"),
        (BY_NAME["127"], "f589694ca0acf72923c3bcd84c1c415809227044fc194ed44c6b06109472aaf8"),
        (PURE_127, "f1c31c8a7ceb83b6061a13849b6716b637e187cffe74402f8606a6b44f07ac0f"),
    ],
)
def test_the_rest_of_the_worked_example_has_the_hashes_of_another_implementation(
    message: Message, known: str
) -> None:
    assert message.hash.hex() == known


def test_the_unsent_message_0_has_the_hash_of_the_deployed_library() -> None:
    known = "ea173b57beca8af18c3519a7bbf69c3e7a05d1c049fa9558341d8ebb48b0c965"
    assert Message(seqno=0).hash.hex() == known


@pytest.mark.parametrize(
    ("tree", "encoded"),
    [
        (0, b"i0e"),
        (-5, b"i-5e"),
        ("\u00e9", b"2:\xc3\xa9"),
        (b"\xff", b"1:\xff"),
        ([2, "a", []], b"li2e1:alee"),
        ({"a", 2, -1, "", 10}, b"li-1ei2ei10e0:1:ae"),
        ({"b": 1, "aa": {}, "": 0}, b"d0:i0e2:aade1:bi1ee"),
        ({"k": Raw(b"i007e")}, b"d1:ki007ee"),
    ],
)
def test_the_encoder_of_the_vectors_writes_what_it_is_told(tree: Tree, encoded: bytes) -> None:
    assert bt(tree) == encoded


def test_an_update_built_by_hand_carries_what_is_within_the_window() -> None:
    first = Message(seqno=1, data={"k": 1}, diff={"k": ""})
    second = first.followed_by({"k": 2}, {"k": ""}, window=2)
    third = second.followed_by({"k": 3}, {"k": ""}, window=2)
    assert second.rows == [first.row]
    assert third.rows == [second.row]


def test_a_merge_built_by_hand_has_each_row_once_in_order() -> None:
    base = Message(seqno=1, data={"k": 1})
    left = base.followed_by({"k": 1, "l": 1}, {"l": ""})
    right = base.followed_by({"k": 1, "r": 1}, {"r": ""})
    merge = merge_of(left, right, data={})
    lower, higher = sorted([left, right], key=lambda message: message.hash)
    assert merge.seqno == 3
    assert merge.rows == [base.row, lower.row, higher.row]
