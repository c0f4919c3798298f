"""The formal model of the history merge, checked against the reference in both directions.

The model is in `spec/history-merge/model/`. `model_replicas` carries out its steps on the
reference, for behaviours and for histories.
"""

from __future__ import annotations

from typing import Final

from rejoin.history_merge import Reading
from rejoin_conformance.contract.model import Constants, Model, configurations
from rejoin_conformance.readings.expressions import under
from rejoin_conformance.systems.history_merge import READINGS
from rejoin_conformance.systems.history_merge.actions import History
from rejoin_conformance.systems.history_merge.model_replicas import (
    constants,
    history_of,
    replay,
    trace_constants,
    trace_of,
)


def _constants(reading: Reading, replicas: str, elements: str, most: int) -> Constants:
    return constants(frozenset(replicas), frozenset(elements), most, reading)


MODEL: Final[Model[History]] = Model(
    module="HistoryMerge",
    configurations=configurations("history-merge"),
    simulation_constants=under(READINGS, lambda reading: _constants(reading, "ABCD", "xy", 10)),
    exhaustive_constants=under(READINGS, lambda reading: _constants(reading, "AB", "x", 3)),
    trace_constants=under(READINGS, trace_constants),
    replay=under(READINGS, replay),
    history_of=under(READINGS, history_of),
    trace_of=under(READINGS, trace_of),
    weights={"post": 5, "accept": 8, "merge": 4},
)
"""The model of replicas that post, accept and merge. It specifies every reading: their
merges of sets are a constant."""
