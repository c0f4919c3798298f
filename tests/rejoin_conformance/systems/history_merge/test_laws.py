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


def _examined(profile: str, count: int) -> Iterator[Examination]:
    for index in range(count):
        seed = history_seed(5, "history-merge", profile, index)
        yield HISTORIES.examine(HISTORIES.generate(profile, seed), "document")


def test_claimed_laws_hold_and_every_law_is_checked_and_evidence_shows_what_breaks() -> None:
    operations = {operation.name: operation for operation in OPERATIONS}
    checked: Counter[str] = Counter()
    vacuous: Counter[str] = Counter()
    broken: Counter[str] = Counter()
    for profile in PROFILES:
        for examination in _examined(profile, {"long": 2, "large": 1}.get(profile, 30)):
            if profile in ("default", "tiny"):  # long histories exceed the literal bound
                checked.update(examination.checked)
                vacuous.update(examination.vacuous)
            broken.update(violation.law for violation in examination.violations)
            for violation in examination.violations if profile == "partitioned" else ():
                evidence: Any = violation.evidence
                operation = operations[evidence["operation"]]
                assert operation.input_fault(evidence["input"]) is None
                assert "output" in operation.run(evidence["input"], "document").to_json()
    assert {*broken} == {law.name for law in LAWS if not law.claimed_by}
    assert {*checked} == {law.name for law in LAWS}
    assert {*vacuous} == {
        "last-operations-count",
        "order-independence",
        "associativity",
        "reduced-sets",
    }


def test_an_examination_is_a_pure_function_also_of_nothing() -> None:
    for profile in ("default", "adversarial"):
        assert list(_examined(profile, 10)) == list(_examined(profile, 10))
    assert HISTORIES.examine(History((), probe=1), "document").checked == {}


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
