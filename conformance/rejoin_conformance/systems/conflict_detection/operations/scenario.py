"""The operation `scenario`: clients act one after the other, with a report of every step."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final, TypeVar, cast

from rejoin import conflict_detection as cd
from rejoin_conformance.contract.operation import Operation
from rejoin_conformance.kit.json_types import Json, JsonObject
from rejoin_conformance.kit.schemas import (
    TEXT,
    hex_of,
    list_of,
    map_of,
    one_of_texts,
    record,
)
from rejoin_conformance.readings.expressions import under
from rejoin_conformance.systems.conflict_detection import READINGS
from rejoin_conformance.systems.conflict_detection.actions import STEP, Done, act
from rejoin_conformance.systems.conflict_detection.operations.features import (
    SCENARIO_FEATURES,
    step_words,
)
from rejoin_conformance.systems.conflict_detection.operations.fields import texts_of
from rejoin_conformance.systems.conflict_detection.operations.scenario_report import (
    REPORTS,
    STEP_REPORT,
    Origins,
    report,
)

V = TypeVar("V")


def play(design: cd.Design[V], value: JsonObject) -> JsonObject:
    """Carry out a whole scenario in one design and return its output."""
    folder = folder_of(design, value)
    steps = cast("list[JsonObject]", value["steps"])
    return reported(steps, _done(folder, steps), cast("list[str]", value.get("report", [])))


def _done(folder: cd.Folder[V], steps: Iterable[JsonObject]) -> Iterator[Done]:
    for step in steps:
        done = act(folder, step)
        folder = done.outcome.folder
        yield done


def reported(
    steps: Iterable[JsonObject], done: Iterable[Done], wanted: Iterable[str]
) -> JsonObject:
    """Return the output of a scenario. done: what `act` returned for each step."""
    reports = frozenset(wanted)
    origins = Origins()
    listed: list[Json] = []
    for number, (step, (outcome, found)) in enumerate(zip(steps, done, strict=True)):
        origins.note(outcome.folder, number)
        said = report(outcome, reports, origins)
        if "poll_all" in step:
            said["classifications"] = {path: each.value for path, each in found.items()}
        listed.append(said)
    return {"steps": listed}


def folder_of(design: cd.Design[V], value: JsonObject) -> cd.Folder[V]:
    """Return the folder in which a scenario begins."""
    keys = cast("dict[str, str]", value.get("signing_keys", {}))
    folder: cd.Folder[V] = cd.Folder(design)
    for nickname in texts_of(value, "clients"):
        key = bytes.fromhex(keys[nickname]) if nickname in keys else None
        folder = cd.add_client(folder, nickname, key)
    return folder


def _scenario(value: JsonObject, reading: cd.Reading) -> JsonObject:
    if value["design"] == "snapshots":
        return play(cd.SnapshotDesign(reading), value)
    return play(cd.MapDesign(reading), value)


SCENARIO_INPUT: Final = record(
    {
        "design": one_of_texts("snapshots", "version-maps"),
        "clients": list_of(TEXT),
        "steps": list_of(STEP),
    },
    {
        "report": list_of(one_of_texts(*REPORTS), unique=True),
        "signing_keys": map_of(hex_of(32)),
    },
)

SCENARIO: Final = Operation(
    name="conflict-detection/scenario",
    summary=(
        "Let clients edit, poll, resolve, delete and so on, step by step. Return for each step the "
        "classification of the poll, and the files of every client after the step. All clients "
        "subscribe to each other at the start. If a step is not possible, the whole scenario is "
        "rejected, also the steps before it. `report` lists more fields to report for each step."
    ),
    input_schema=SCENARIO_INPUT,
    output_schema=record({"steps": list_of(STEP_REPORT)}),
    perform=under(READINGS, _scenario),
    features=SCENARIO_FEATURES,
    step_words=step_words,
)
