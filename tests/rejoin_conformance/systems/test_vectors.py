"""Promises of the drafts of all systems that the generator does not check."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from rejoin import conflict_detection as cd
from rejoin_conformance.contract.choices import choice_points
from rejoin_conformance.contract.operation import Rejected
from rejoin_conformance.contract.registry import system_named, system_names
from rejoin_conformance.contract.vector import EVERY_READING, Draft
from rejoin_conformance.corpus.clauses import clauses_of
from rejoin_conformance.kit.locations import spec_directory
from support.topics import topics_of

EVERY_SYSTEM = pytest.mark.parametrize("system", system_names())
UNDECIDED = {
    *("HM-ACCEPT-CACHE", "HM-ERROR-NAMES", "HM-MERGE-CHECK-NAMES", "CM-SIGN-PARSE-FIRST"),
    *("CM-SECURITY-TRUST", "CM-SWARM-OPAQUE", "CM-CLIENT-KEEP-KNOWN", "CM-CLIENT-WINDOW-AGREED"),
    "CM-MESSAGE-LINEAR",
}
"""Clauses without a vector: no answer shows reasons, order, caches, or what stores and users do."""


def drafts(system: str) -> Iterator[tuple[str, Draft]]:
    """Yield the IDs and the drafts of a system."""
    for topic in topics_of(system):
        yield from ((f"{system}/{topic.name}/{draft.name}", draft) for draft in topic.drafts)


@EVERY_SYSTEM
def test_every_operation_and_every_clause_that_can_be_decided_has_a_vector(system: str) -> None:
    operations = {each.name for each in system_named(system).operations}
    assert {draft.operation for _, draft in drafts(system)} == operations
    decided = {clause for _, draft in drafts(system) for clause in draft.clauses}
    clauses = {clause.id for clause in clauses_of(system)}
    assert decided == clauses - UNDECIDED


@EVERY_SYSTEM
def test_every_result_is_stated_by_its_author(system: str) -> None:
    readings = tuple(system_named(system).readings)
    for name, draft in drafts(system):
        for reading in draft.readings or readings:
            refused = draft.rejected_by == EVERY_READING or reading in draft.rejected_by
            alike = reading == readings[0] or draft.readings or not draft.readings_differ
            stated = draft.output_by_reading.get(reading, draft.output if alike else None)
            assert refused or stated is not None, (name, reading)
            if refused and not draft.recipe:
                operation = system_named(system).operation(draft.operation)
                assert operation is not None
                result = operation.run(draft.input, reading)
                assert isinstance(result, Rejected)
                assert result.code != "input", "the fault is one of the protocol, not of its JSON"


def test_every_field_of_a_reading_has_an_erratum() -> None:
    errata = (spec_directory() / "conflict-detection" / "errata.md").read_text(encoding="utf-8")
    assert {*choice_points(cd.Reading)} == set(
        re.findall(r"^\| `([a-z_]+)` \|", errata, flags=re.MULTILINE)
    )
