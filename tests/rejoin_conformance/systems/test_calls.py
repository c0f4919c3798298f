"""The calls of histories: well-formed, of every operation, the same every time."""

from __future__ import annotations

import os
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest

from rejoin_conformance.contract.history import history_seed
from rejoin_conformance.contract.operation import Output
from rejoin_conformance.contract.registry import all_systems
from rejoin_conformance.contract.system import System
from rejoin_conformance.kit.json_types import canonical_json

EVERY_READING = pytest.mark.parametrize(
    ("system", "reading"),
    [(system, reading) for system in all_systems() for reading in system.readings],
    ids=lambda value: value.name if isinstance(value, System) else value,
)
HISTORIES = {"default": 20, "tiny": 10, "adversarial": 10, "long": 1}
"""The number of histories of each profile."""


def histories(system: System, profile: str, count: int) -> Iterator[Any]:
    for index in range(count):
        yield system.histories.generate(profile, history_seed(5, system.name, profile, index))


@EVERY_READING
def test_every_call_is_well_formed(system: System, reading: str) -> None:
    operations = {operation.name: operation for operation in system.operations}
    times: Counter[str] = Counter()
    refused = 0
    for profile, count in HISTORIES.items():
        for history in histories(system, profile, count):
            calls = [*system.calls(history, reading)]
            assert len(calls) <= 60
            for call in calls:
                operation = operations[call.operation]
                assert operation.input_fault(call.input) is None, call
                value: Any = call.input
                ranked = {*value.get("order", ())}
                assert ranked <= {*value.get("merge", ranked)}, "check-your-implementation.md says"
                ids = [node["id"] for node in value.get("nodes", ())]
                assert all(len(each) == 3 and each == each.lower() for each in ids), "it says too"
                answer = operation.answer(call.input, reading)
                if isinstance(answer, Output):
                    assert operation.output_fault(answer.value) is None, call
                refused += not isinstance(answer, Output)
                times[call.operation] += 1
    assert {*times} == {name for name, each in operations.items() if not each.steps_of}
    assert refused


@EVERY_READING
def test_the_calls_are_a_function_of_the_history(system: System, reading: str) -> None:
    for history in histories(system, "default", 8):
        again = system.histories.from_json(system.histories.to_json(history))
        assert again == history
        one, other = (
            [(call.operation, canonical_json(call.input)) for call in calls]
            for calls in (
                system.calls(history, reading),
                system.calls(again, reading),
            )
        )
        assert one == other


@EVERY_READING
def test_a_history_in_which_nothing_happens_can_be_asked(system: System, reading: str) -> None:
    history = next(histories(system, "default", 1))
    emptied = {**system.histories.to_json(history), "events": []}
    for call in system.calls(system.histories.from_json(emptied), reading):
        operation = system.operation(call.operation)
        assert operation is not None
        assert operation.input_fault(call.input) is None


_DIGEST = """
import json

from rejoin_conformance.campaigns.comparing.measure import Comparison, measure_block
from rejoin_conformance.contract.history import history_seed
from rejoin_conformance.contract.registry import all_systems
from rejoin_conformance.kit.json_types import digest_of
from rejoin_conformance.readings.in_force import Side

for system in all_systems():
    for index in range(3):
        seed = history_seed(5, system.name, "default", index)
        history = system.histories.generate("default", seed)
        calls = system.calls(history, system.default_reading)
        print(system.name, index, digest_of([[call.operation, call.input] for call in calls]))
        for reading in system.readings:
            print(system.histories.examine(history, reading).digest.hex())
    sides = {side: Side(each) for side, each in zip("ab", system.every_reading)}
    compared = Comparison(system=system.name, profile="default", seed=5, histories=2, **sides)
    print(json.dumps(measure_block(compared, 0)))
"""


def test_calls_laws_and_comparisons_do_not_depend_on_the_order_in_which_sets_are_kept() -> None:
    one, other = (
        subprocess.run(
            [sys.executable, "-c", _DIGEST],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    )
    assert one == other
    assert len(one.splitlines()) > 9
