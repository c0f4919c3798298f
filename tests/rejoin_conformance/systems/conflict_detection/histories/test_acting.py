from __future__ import annotations

from itertools import product
from typing import Any

import pytest

from rejoin import conflict_detection as cd
from rejoin_conformance.systems.conflict_detection.histories import events as ev
from rejoin_conformance.systems.conflict_detection.histories.event_json import EVENT_NAMES
from rejoin_conformance.systems.conflict_detection.histories.generate import generate
from rejoin_conformance.systems.conflict_detection.histories.profiles import PROFILES
from rejoin_conformance.systems.conflict_detection.histories.run import (
    Run,
    map_run,
    snapshot_run,
)
from rejoin_conformance.systems.conflict_detection.operations import scenario

HISTORIES = 20
KINDS = ("default", "interrupted", "restored")
READINGS = (cd.REPAIRED, cd.LITERAL)


def runs(reading: cd.Reading) -> list[Run[Any]]:
    """Return runs of random histories without garbage collections, in both designs."""
    made: list[Run[Any]] = []
    for kind, seed in product(KINDS, range(HISTORIES)):
        history = generate(PROFILES[kind], seed)
        for run in (snapshot_run(reading, history.clients), map_run(reading, history.clients)):
            for event in history.events:
                if not isinstance(event, ev.Collect):
                    run.take(event)
            made.append(run)
    return made


@pytest.mark.parametrize("reading", READINGS, ids=lambda reading: reading.name)
def test_a_run_does_what_the_operation_does_with_its_scenario(reading: cd.Reading) -> None:
    for run in runs(reading):
        said = run.scenario()
        folder = scenario.folder_of(run.design, said)
        steps: Any = said["steps"]
        for step in steps:
            folder = scenario.act(folder, step)[0].folder
        assert folder == run.folder


def test_the_compared_runs_have_all_kinds_of_events_with_a_step() -> None:
    kinds = {type(step.event) for run in runs(cd.REPAIRED) for step in run.steps}
    assert kinds == EVENT_NAMES.keys() - {ev.Collect}
