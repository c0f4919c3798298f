"""Promises of this system's drafts that the generator does not check."""

from __future__ import annotations

import re

from rejoin import conflict_detection as cd
from rejoin_conformance.contract.choices import choice_points
from rejoin_conformance.contract.operation import Rejected
from rejoin_conformance.contract.vector import EVERY_READING
from rejoin_conformance.corpus.clauses import clauses_of
from rejoin_conformance.kit.locations import spec_directory
from rejoin_conformance.systems.conflict_detection.operations import OPERATIONS
from support.topics import topics_of

BY_NAME = {operation.name: operation for operation in OPERATIONS}
DRAFTS = [
    (topic.name, draft) for topic in topics_of("conflict-detection") for draft in topic.drafts
]


def test_every_operation_and_every_clause_that_can_be_decided_has_a_vector() -> None:
    assert {draft.operation for _, draft in DRAFTS} == set(BY_NAME)
    decided = {clause for _, draft in DRAFTS for clause in draft.clauses}
    assert decided == {clause.id for clause in clauses_of("conflict-detection")}


def test_every_result_is_stated_by_its_author() -> None:
    for topic, draft in DRAFTS:
        for reading in draft.readings or tuple(cd.READINGS):
            refused = draft.rejected_by == EVERY_READING or reading in draft.rejected_by
            stated = draft.output_by_reading.get(reading, draft.output) is not None
            assert stated or refused, f"{topic}/{draft.name}"
            if refused and not draft.recipe:
                result = BY_NAME[draft.operation].run(draft.input, reading)
                assert isinstance(result, Rejected)
                assert result.code != "input", "the fault is one of the protocol, not of its JSON"


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
