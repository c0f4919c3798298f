"""The operation that lists the steps of a scenario."""

from __future__ import annotations

from typing import Final, TypeVar, cast

from rejoin import conflict_detection as cd
from rejoin_conformance.contract.operation import Operation
from rejoin_conformance.kit.json_types import JsonObject
from rejoin_conformance.readings.expressions import under
from rejoin_conformance.systems.conflict_detection import READINGS
from rejoin_conformance.systems.conflict_detection.actions import act
from rejoin_conformance.systems.conflict_detection.operations.features import SCENARIO_FEATURES
from rejoin_conformance.systems.conflict_detection.operations.scenario import (
    SCENARIO_INPUT,
    folder_of,
)
from rejoin_conformance.systems.conflict_detection.operations.scenario_report import Origins
from rejoin_conformance.systems.conflict_detection.steps import STEPS, StepsInJson

V = TypeVar("V")


def _steps(design: cd.Design[V], recorder: cd.ActionRecorder, value: JsonObject) -> JsonObject:
    folder, origins = folder_of(design, value), Origins()
    listed = StepsInJson(origins)
    for number, step in enumerate(cast("list[JsonObject]", value["steps"])):
        folder = act(folder, step).outcome.folder
        origins.note(folder, number)
        for taken in in_order(recorder.taken()):
            listed.add(number, taken)
    return {"steps": listed.steps}


def in_order(steps: tuple[cd.ActionStep, ...]) -> tuple[cd.ActionStep, ...]:
    """Return the steps of one action: looks as they happened, or uploads by path."""
    return tuple(sorted(steps, key=_path_of_upload))


def _path_of_upload(step: cd.ActionStep) -> str:
    return step.path if isinstance(step, cd.UploadStep) else ""


def _scenario_steps(value: JsonObject, reading: cd.Reading) -> JsonObject:
    recorded, recorder = cd.recording(reading)
    if value["design"] == "snapshots":
        return _steps(cd.SnapshotDesign(recorded), recorder, value)
    return _steps(cd.MapDesign(recorded), recorder, value)


SCENARIO_STEPS: Final = Operation(
    name="conflict-detection/scenario-steps",
    summary=(
        "List the steps of the actions of the operation `scenario`: what each poll sees, fetches, "
        "finds and does, and what each change uploads. This operation is optional. The field "
        "`report` has no effect. The steps after a `look` belong to this look."
    ),
    input_schema=SCENARIO_INPUT,
    output_schema=STEPS,
    perform=under(READINGS, _scenario_steps),
    features=tuple(each for each in SCENARIO_FEATURES if each.dropped is None),
    steps_of="conflict-detection/scenario",
)
