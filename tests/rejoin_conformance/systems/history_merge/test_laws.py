"""The laws hold where they are claimed, and fail when the reference is wrong."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import chain
from typing import Any

import pytest

from rejoin_conformance.contract.history import history_seed
from rejoin_conformance.contract.law import Examination
from rejoin_conformance.systems.history_merge.actions import History
from rejoin_conformance.systems.history_merge.histories import HISTORIES
from rejoin_conformance.systems.history_merge.laws import LAWS
from rejoin_conformance.systems.history_merge.operations import OPERATIONS
from rejoin_conformance.systems.history_merge.profiles import PROFILES
from support.faults import faults_of, faulty

FAULTS = faults_of("history-merge")
CLAIMED = {law.name for law in LAWS if law.claimed_by}
FINDINGS = {"order-independence-always", "associativity-always", "recurse-fold-agrees"}


def _examined(profile: str, count: int) -> Iterator[Examination]:
    for index in range(count):
        seed = history_seed(5, "history-merge", profile, index)
        yield HISTORIES.examine(HISTORIES.generate(profile, seed), "document")


@pytest.mark.parametrize("profile", PROFILES)
def test_claimed_laws_hold(profile: str) -> None:
    for examination in _examined(profile, {"long": 4, "large": 1}.get(profile, 80)):
        assert [each for each in examination.violations if each.law in CLAIMED] == []


def test_every_law_is_checked_and_every_premise_fails_somewhere() -> None:
    checked: Counter[str] = Counter()
    vacuous: Counter[str] = Counter()
    for profile in ("default", "tiny"):
        for examination in _examined(profile, 80):
            checked.update(examination.checked)
            vacuous.update(examination.vacuous)
    assert set(checked) == {law.name for law in LAWS}
    assert set(vacuous) == {
        "last-operations-count",
        "order-independence",
        "associativity",
        "reduced-sets",
    }


def test_what_the_document_claims_too_much_is_found_broken() -> None:
    broken = Counter(
        violation.law
        for examination in _examined("partitioned", 80)
        for violation in examination.violations
    )
    assert set(broken) == FINDINGS


def test_a_violation_comes_with_an_operation_that_shows_it() -> None:
    operations = {operation.name: operation for operation in OPERATIONS}
    shown = 0
    for examination in _examined("partitioned", 40):
        for violation in examination.violations:
            evidence: Any = violation.evidence
            operation = operations[evidence["operation"]]
            assert operation.input_fault(evidence["input"]) is None
            assert "output" in operation.run(evidence["input"], "document").to_json()
            shown += 1
    assert shown > 10


@pytest.mark.parametrize("profile", ["default", "adversarial"])
def test_an_examination_is_a_pure_function(profile: str) -> None:
    assert list(_examined(profile, 10)) == list(_examined(profile, 10))


def test_a_history_without_messages_is_examined() -> None:
    examination = HISTORIES.examine(History((), probe=1), "document")
    assert examination.checked == {}


def test_each_claimed_law_is_broken_by_a_wrong_reference() -> None:
    assert frozenset().union(*(each.laws for each in FAULTS.values())) == CLAIMED


@pytest.mark.parametrize("name", FAULTS)
def test_a_wrong_reference_breaks_a_law(name: str) -> None:
    missing = {*FAULTS[name].laws}
    with faulty(FAULTS[name]):
        for examination in chain(_examined("default", 60), _examined("racing", 60)):
            missing -= {violation.law for violation in examination.violations}
            if not missing:
                return
    raise AssertionError(f"no history breaks {', '.join(sorted(missing))}")
