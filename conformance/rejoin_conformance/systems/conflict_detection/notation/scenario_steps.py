"""Write the steps of a scenario, under the action that each belongs to."""

from __future__ import annotations

from typing import Any

from rejoin_conformance.contract.notation import Example, WriteStep, WrittenStep
from rejoin_conformance.kit.json_types import JsonObject
from rejoin_conformance.systems.conflict_detection.notation.steps import (
    names_every_file,
    spelled_step,
)
from rejoin_conformance.systems.conflict_detection.steps import write_step


def step_writer(example: Example) -> WriteStep:
    """Return the function that writes the steps of a scenario."""
    actions: Any = example.input["steps"]
    named = bool(names_every_file(actions))

    def write(step: JsonObject) -> WrittenStep:
        number: Any = step["number"]
        return WrittenStep(
            write_step(step), f"#{number} {spelled_step(actions[number], named=named)}"
        )

    return write
