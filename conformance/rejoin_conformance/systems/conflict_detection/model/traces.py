"""Code to model: a history as a trace, in both designs, file by file.

Files are independent (CD-FOLLOWS-SEPARATE-FILES), and the model has one file. So the trace contains
the history once for each of its files and each design. Each part starts with a new folder.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, TypeVar

from attrs import frozen

from rejoin import conflict_detection as cd
from rejoin_conformance.contract.model import Behaviour, Step
from rejoin_conformance.kit.json_types import JsonObject
from rejoin_conformance.kit.tla_values import Value, record
from rejoin_conformance.systems.conflict_detection.histories.events import (
    NICKNAMES,
    History,
    SetBack,
)
from rejoin_conformance.systems.conflict_detection.histories.run import (
    Run,
    Taken,
    map_run,
    snapshot_run,
)
from rejoin_conformance.systems.conflict_detection.model.abstraction import (
    Moment,
    moment,
    observed,
)
from rejoin_conformance.systems.conflict_detection.model.step_labels import begin, labels

V = TypeVar("V")


@frozen
class _TakenStep:
    """A step, with the state of its client before and after it."""

    said: JsonObject
    before: cd.Client[Any] | None
    after: Moment
    found: dict[str, cd.Classification]


def trace_of(history: History, reading: cd.Reading) -> Behaviour:
    """Return a history as a trace, which the model must allow.

    The trace leaves out garbage collections and refused steps, because they do not change the state
    of the model. If a client was set back, two versions can have one map, and the suite cannot tell
    them apart. The trace then has only the design of snapshots.
    """
    settings = reading
    snapshots = _steps(snapshot_run(settings, history.clients), history)
    if any(isinstance(event, SetBack) for event in history.events):
        return Behaviour(tuple(snapshots))
    maps = _steps(map_run(settings, history.clients), history)
    return Behaviour((*snapshots, *maps))


def _steps(run: Run[V], history: History) -> Iterator[Step]:
    """Yield the steps of a history in one design, for one file after the other."""
    steps = [
        _step_of(run, taken)
        for taken in map(run.take, history.events)
        if taken.step is not None and taken.step.client is not None and taken.refused is None
    ]
    members = NICKNAMES[: history.clients]
    for path in sorted(run.truths):
        yield Step(begin(run.design.name, members), record(members=frozenset[Value](members)))
        for each in steps:
            for label in labels(each.said, each.before, path):
                found = each.found.get(path)
                yield Step(label, observed(run, path, each.after, found, str))


def _step_of(run: Run[V], taken: Taken[V]) -> _TakenStep:
    assert taken.step is not None
    assert taken.step.client is not None
    return _TakenStep(
        taken.step.said,
        taken.before,
        moment(run, taken.step.client),
        {each.path: each.found for each in taken.polled},
    )
