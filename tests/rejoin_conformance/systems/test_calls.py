"""The calls of histories: well-formed, of every operation, the same every time."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest

from rejoin_conformance.contract.history import Call, history_seed
from rejoin_conformance.contract.operation import Output, result_of
from rejoin_conformance.contract.registry import all_systems, system_named
from rejoin_conformance.contract.system import System
from rejoin_conformance.kit.json_types import canonical_json

SYSTEMS = all_systems()
CASES = [(system, reading) for system in SYSTEMS for reading in system.readings]
MANY = 60


def histories(system: System, profile: str, count: int) -> Iterator[Any]:
    for index in range(count):
        yield system.histories.generate(profile, history_seed(5, system.name, profile, index))


def asked(system: System, reading: str, profile: str, count: int) -> Iterator[Call]:
    for history in histories(system, profile, count):
        yield from system.histories.calls(history, reading)


def named(value: tuple[System, str] | Any) -> str:
    return value.name if isinstance(value, System) else str(value)


@pytest.mark.parametrize(("system", "reading"), CASES, ids=named)
@pytest.mark.parametrize("profile", ["default", "tiny", "adversarial"])
def test_every_input_matches_the_schema_of_its_operation(
    system: System, reading: str, profile: str
) -> None:
    operations = {operation.name: operation for operation in system.operations}
    faults = [
        (call.operation, operations[call.operation].input_fault(call.input))
        for call in asked(system, reading, profile, 12)
    ]
    assert [fault for fault in faults if fault[1] is not None] == []
    assert faults


@pytest.mark.parametrize(("system", "reading"), CASES, ids=named)
def test_every_answer_of_the_reference_matches_the_schema(system: System, reading: str) -> None:
    operations = {operation.name: operation for operation in system.operations}
    for call in asked(system, reading, "default", 12):
        operation = operations[call.operation]
        answer = operation.answer(call.input, reading)
        if isinstance(answer, Output):
            assert operation.output_fault(answer.value) is None, call


@pytest.mark.parametrize(("system", "reading"), CASES, ids=named)
@pytest.mark.parametrize("profile", ["default", "tiny", "adversarial", "long"])
def test_what_a_run_knows_is_what_the_operation_answers(
    system: System, reading: str, profile: str
) -> None:
    operations = {operation.name: operation for operation in system.operations}
    for call in asked(system, reading, profile, 3 if profile == "long" else 20):
        if call.known is not None:
            answer = operations[call.operation].answer(call.input, reading)
            assert result_of(call.known) == answer, call


def test_a_run_knows_most_answers_of_a_scenario() -> None:
    system = system_named("conflict-detection")
    calls = asked(system, system.default_reading, "default", MANY)
    known = [call.known for call in calls if call.operation == "conflict-detection/scenario"]
    assert sum(each is not None for each in known) > len(known) / 2


@pytest.mark.parametrize(("system", "reading"), CASES, ids=named)
def test_every_operation_is_asked_and_some_input_is_refused(system: System, reading: str) -> None:
    operations = {operation.name: operation for operation in system.operations}
    times: Counter[str] = Counter()
    refused = 0
    for call in asked(system, reading, "default", MANY):
        times[call.operation] += 1
        answer = operations[call.operation].answer(call.input, reading)
        refused += not isinstance(answer, Output)
    assert set(times) == {name for name, each in operations.items() if not each.steps_of}
    assert refused > 0


@pytest.mark.parametrize(("system", "reading"), CASES, ids=named)
def test_a_history_comes_to_some_dozens_of_calls_at_most(system: System, reading: str) -> None:
    for profile in ("default", "long"):
        for history in histories(system, profile, 3):
            assert len(list(system.histories.calls(history, reading))) <= 60


@pytest.mark.parametrize(("system", "reading"), CASES, ids=named)
def test_the_calls_are_a_function_of_the_history(system: System, reading: str) -> None:
    for history in histories(system, "default", 8):
        again = system.histories.from_json(system.histories.to_json(history))
        one, other = (
            [(call.operation, canonical_json(call.input)) for call in calls]
            for calls in (
                system.histories.calls(history, reading),
                system.histories.calls(again, reading),
            )
        )
        assert one == other


@pytest.mark.parametrize(("system", "reading"), CASES, ids=named)
def test_a_history_in_which_nothing_happens_can_be_asked(system: System, reading: str) -> None:
    history = next(histories(system, "default", 1))
    emptied = {**system.histories.to_json(history), "events": []}
    for call in system.histories.calls(system.histories.from_json(emptied), reading):
        operation = system.operation(call.operation)
        assert operation is not None
        assert operation.input_fault(call.input) is None
