"""Promises of this system's drafts that the generator does not check."""

from __future__ import annotations

import re
from collections import Counter

import pytest

from rejoin import conflict_detection as cd
from rejoin_conformance.contract.choices import choice_points
from rejoin_conformance.contract.operation import Output, Rejected
from rejoin_conformance.contract.vector import EVERY_READING, Draft, Topic
from rejoin_conformance.corpus.clauses import clauses_of
from rejoin_conformance.kit.json_types import JsonObject
from rejoin_conformance.kit.locations import spec_directory
from rejoin_conformance.systems.conflict_detection.operations import OPERATIONS
from support.topics import topics_of

BY_NAME = {operation.name: operation for operation in OPERATIONS}
TOPICS = topics_of("conflict-detection")
DRAFTS = [(topic.name, draft) for topic in TOPICS for draft in topic.drafts]


def test_names_are_unique_in_each_topic() -> None:
    assert max(Counter((topic, draft.name) for topic, draft in DRAFTS).values()) == 1


def test_every_operation_has_a_vector() -> None:
    assert {draft.operation for _, draft in DRAFTS} == set(BY_NAME)


def test_every_clause_that_can_be_decided_has_a_vector() -> None:
    decided = {clause for _, draft in DRAFTS for clause in draft.clauses}
    clauses = {clause.id for clause in clauses_of("conflict-detection")}
    assert decided == clauses


def _stated(draft: Draft, reading: str) -> JsonObject | None:
    return draft.output_by_reading.get(reading, draft.output)


def _refuses(draft: Draft, reading: str) -> bool:
    return draft.rejected_by == EVERY_READING or reading in draft.rejected_by


def test_every_result_is_stated_by_its_author() -> None:
    for topic, draft in DRAFTS:
        for reading in draft.readings or tuple(cd.READINGS):
            stated = _stated(draft, reading) is not None
            assert stated or _refuses(draft, reading), f"{topic}/{draft.name}"


@pytest.mark.parametrize("topic", TOPICS, ids=lambda topic: str(topic.name))
def test_the_reference_agrees_with_the_author_in_every_reading(topic: Topic) -> None:
    for draft in topic.drafts:
        if draft.recipe:  # large; the generator compares it with the reference
            continue
        operation = BY_NAME[draft.operation]
        for reading in draft.readings or tuple(cd.READINGS):
            result = operation.run(draft.input, reading)
            if _refuses(draft, reading):
                assert isinstance(result, Rejected), draft.name
                assert result.code != "input", "the fault is one of the protocol, not of its JSON"
                assert draft.mended is not None, draft.name
                assert isinstance(operation.run(draft.mended, reading), Output), draft.name
            else:
                assert result == Output(_stated(draft, reading) or {}), draft.name


def test_every_erratum_names_vectors_and_every_field_of_a_reading_an_erratum() -> None:
    errata = (spec_directory() / "conflict-detection" / "errata.md").read_text(encoding="utf-8")
    names = {f"conflict-detection/{topic}/{draft.name}" for topic, draft in DRAFTS}
    entries = re.split(r"^### ", errata, flags=re.MULTILINE)[1:]
    for entry in entries:
        named = re.findall(r"`(conflict-detection/[a-z-]+/[a-z0-9-]+)`", entry)
        assert named, entry[:40]
        assert set(named) <= names, entry[:40]
    assert {*choice_points(cd.Reading)} == set(
        re.findall(r"^\| `([a-z_]+)` \|", errata, flags=re.MULTILINE)
    )


def test_a_vector_shows_each_difference_of_the_readings() -> None:
    parted = {draft.operation for _, draft in DRAFTS if draft.readings_differ}
    assert {"conflict-detection/classify-snapshot", "conflict-detection/scenario"} <= parted
