"""A minimal formal model, with code that agrees with it, for tests of the general parts.

People post numbers and receive each other's numbers.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from rejoin_conformance.contract.model import (
    Behaviour,
    CannotTranslateError,
    Configuration,
    Constants,
    Model,
    Step,
)
from rejoin_conformance.kit.tla_values import Value, record

FOLDER: Final = Path(__file__).parents[1] / "rejoin_conformance" / "model_checking" / "toy"

Event = tuple[str, int]
"""A person and the number that the person receives; 0 if the person posts."""

History = tuple[Event, ...]


def _constants(_reading: str) -> Constants:
    return {"Who": frozenset({"A", "B"}), "Most": 3}


def trace_constants(traces: Sequence[Behaviour], _reading: str) -> Constants:
    who = frozenset(step.label["who"] for trace in traces for step in trace.steps)
    most = max((len(trace.steps) for trace in traces), default=0)
    return {"Who": who, "Most": most}


def replay(behaviour: Behaviour, reading: str) -> Iterator[Value]:
    yield from (step.after for step in trace_of(history_of(behaviour, reading), reading).steps)


def history_of(behaviour: Behaviour, _reading: str) -> History:
    events = []
    for step in behaviour.steps:
        number = step.label["number"] if step.action == "hear" else 0
        assert isinstance(number, int)
        events.append((str(step.label["who"]), number))
    return tuple(events)


def trace_of(history: History, reading: str) -> Behaviour:
    seen: dict[str, set[int]] = {}
    posted = 0
    steps = []
    for who, number in history:
        if number < 0:
            raise CannotTranslateError(f"nobody can hear of {number}")
        mine = seen.setdefault(who, set())
        if number == 0:
            posted += 1
            label = record(action="post", who=who)
        else:
            label = record(action="hear", who=who, number=number)
        if reading != "deaf" or number == 0:
            mine.add(number or posted)
        steps.append(Step(label, record(seen=frozenset(mine), posted=posted)))
    return Behaviour(tuple(steps))


TOY_MODEL: Final = Model(
    module="Toy",
    configurations=(
        Configuration(name="passes", summary="All is well.", bounds="2 people"),
        Configuration(
            name="both",
            summary="Two people can see one number.",
            bounds="2 people",
            violates="NeverBoth",
        ),
    ),
    simulation_constants=_constants,
    exhaustive_constants=_constants,
    trace_constants=trace_constants,
    replay=replay,
    history_of=history_of,
    trace_of=trace_of,
)
