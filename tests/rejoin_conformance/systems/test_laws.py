"""The laws hold where they are claimed, and each of them fails when the reference is wrong."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import cache
from itertools import chain, product
from typing import Any, Final

import pytest

from rejoin_conformance.contract.history import history_seed
from rejoin_conformance.contract.law import Examination
from rejoin_conformance.contract.operation import Output
from rejoin_conformance.contract.registry import system_named, system_names
from support.faults import faults_of, faulty

EVERY_SYSTEM = pytest.mark.parametrize("system", system_names())
READINGS: Final = [
    (name, reading) for name in system_names() for reading in system_named(name).readings
]
PLANTED: Final = [
    (name, fault.name)
    for name in system_names()
    for fault in faults_of(name).values()
    if fault.laws
]
FEW: Final = {"long": 2, "large": 1}
"""Profiles whose histories take long to examine."""
SHOWING: Final = {
    "config-merge": (("tiny", 150), ("racing", 150), ("adversarial", 150), ("partitioned", 150)),
    "conflict-detection": (("default", 120), ("partitioned", 200), ("long", 40)),
    "history-merge": (("default", 150), ("racing", 60)),
}
"""The histories that show a planted fault, those that show most faults first."""
ALWAYS: Final = {
    "config-merge": {"same-messages-same-bytes"},
    "history-merge": {"evaluations-agree", "unanimity"},
}
"""Laws whose premises hold in all these histories. Those of conflict detection are of one poll."""


def examined(system: str, profile: str, count: int, reading: str) -> Iterator[Examination]:
    """Examine the first histories of a profile."""
    histories = system_named(system).histories
    for index in range(count):
        history = histories.generate(profile, history_seed(3, system, profile, index))
        yield histories.examine(history, reading)


@cache
def by_the_reference(system: str, profile: str, reading: str) -> tuple[Examination, ...]:
    """Examine histories once for all tests."""
    return (*examined(system, profile, FEW.get(profile, 40), reading),)


@pytest.mark.parametrize(("system", "reading"), READINGS)
def test_claimed_laws_hold_in_every_profile(system: str, reading: str) -> None:
    claimed = {law.name for law in system_named(system).laws if reading in law.claimed_by}
    for profile in system_named(system).histories.profiles:
        for examination in by_the_reference(system, profile, reading):
            assert [each for each in examination.violations if each.law in claimed] == []


@EVERY_SYSTEM
def test_every_law_is_checked_and_every_premise_fails_somewhere(system: str) -> None:
    laws = system_named(system).laws
    assert all(law.clauses and law.premises and law.statement for law in laws)
    assert len({law.name for law in laws}) == len(laws)
    checked: Counter[str] = Counter()
    vacuous: Counter[str] = Counter()
    for profile in ("default", "adversarial", "tiny"):
        for each in by_the_reference(system, profile, system_named(system).default_reading):
            checked.update(each.checked)
            vacuous.update(each.vacuous)
    assert {*(+checked)} == {law.name for law in laws}
    premised = {law.name for law in laws if law.premises != "none"}
    if system in ALWAYS:
        assert premised - {*(+vacuous)} == ALWAYS[system]


@EVERY_SYSTEM
def test_each_law_that_is_claimed_is_broken_by_a_planted_fault(system: str) -> None:
    claimed = {law.name for law in system_named(system).laws if law.claimed_by}
    assert {law for fault in faults_of(system).values() for law in fault.laws} == claimed


@pytest.mark.parametrize(("system", "name"), PLANTED)
def test_a_wrong_reference_breaks_its_laws(system: str, name: str) -> None:
    fault, reading = faults_of(system)[name], system_named(system).default_reading
    missing = {*fault.laws}
    with faulty(fault):
        for each in chain.from_iterable(examined(system, *of, reading) for of in SHOWING[system]):
            missing -= {violation.law for violation in each.violations}
            if not missing:
                return
    raise AssertionError(f"no history breaks {', '.join(sorted(missing))}")


@EVERY_SYSTEM
def test_evidence_is_the_input_of_an_operation_that_answers_it(system: str) -> None:
    operations = {each.name: each for each in system_named(system).operations}
    shown = 0
    for reading, profile in product(system_named(system).readings, ("partitioned", "racing")):
        found = by_the_reference(system, profile, reading)
        given: list[Any] = [each.evidence for every in found for each in every.violations]
        for evidence in (each for each in given if "operation" in each):
            operation = operations[evidence["operation"]]
            assert operation.input_fault(evidence["input"]) is None
            assert isinstance(operation.answer(evidence["input"], reading), Output)
            shown += 1
    assert shown > 0


def test_unclaimed_laws_of_history_merge_are_broken() -> None:
    broken = {
        violation.law
        for profile in system_named("history-merge").histories.profiles
        for each in by_the_reference("history-merge", profile, "document")
        for violation in each.violations
    }
    laws = system_named("history-merge").laws
    assert broken == {law.name for law in laws if not law.claimed_by}


@EVERY_SYSTEM
def test_an_examination_is_a_pure_function_also_of_nothing(system: str) -> None:
    histories, reading = system_named(system).histories, system_named(system).default_reading
    for profile in ("default", "adversarial"):
        again = (*examined(system, profile, 10, reading),)
        assert again == by_the_reference(system, profile, reading)[:10]
    history = histories.to_json(histories.generate("tiny", 1))
    nothing = histories.from_json({**history, "events": []})
    assert histories.examine(nothing, reading).violations == ()
