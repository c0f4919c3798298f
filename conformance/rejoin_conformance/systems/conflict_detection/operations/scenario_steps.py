"""The operation that lists the steps of a scenario."""

from __future__ import annotations

from typing import Final

from rejoin_conformance.contract.operation import Operation
from rejoin_conformance.readings.tracing import steps_by
from rejoin_conformance.systems.conflict_detection.operations.features import SCENARIO_FEATURES
from rejoin_conformance.systems.conflict_detection.operations.scenario import (
    SCENARIO,
    SCENARIO_INPUT,
)
from rejoin_conformance.systems.conflict_detection.steps import HOOKED, STEPS, steps_of

SCENARIO_STEPS: Final = Operation(
    name="conflict-detection/scenario-steps",
    summary=(
        "List the steps of the actions of the operation `scenario`: what each poll sees, fetches, "
        "finds and does, and what each change uploads. This operation is optional. The field "
        "`report` has no effect. The steps after a `look` belong to this look."
    ),
    input_schema=SCENARIO_INPUT,
    output_schema=STEPS,
    perform=steps_by(SCENARIO.name, HOOKED, steps_of),
    features=tuple(each for each in SCENARIO_FEATURES if each.dropped is None),
    steps_of=SCENARIO.name,
)
