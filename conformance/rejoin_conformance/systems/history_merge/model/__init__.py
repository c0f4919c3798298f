"""The formal model of the history merge, checked against the reference in both directions.

`configurations` lists the checks of TLC. `replicas` carries out the model's steps on the reference,
one session for each replica: `behaviours` for a behaviour of the model, `traces` for a history of
the suite.
"""

from __future__ import annotations

from typing import Final

from rejoin.history_merge import Reading
from rejoin_conformance.contract.model import Constants, Model
from rejoin_conformance.readings.expressions import under
from rejoin_conformance.systems.history_merge import READINGS
from rejoin_conformance.systems.history_merge.actions import History
from rejoin_conformance.systems.history_merge.model.behaviours import history_of, replay
from rejoin_conformance.systems.history_merge.model.configurations import CONFIGURATIONS
from rejoin_conformance.systems.history_merge.model.traces import trace_constants, trace_of


def _random(reading: Reading) -> Constants:
    return {
        "Replicas": frozenset({"A", "B", "C", "D"}),
        "Elements": frozenset({"x", "y"}),
        "MostMessages": 10,
        "FoldOrders": "any",
        "SetMerge": reading.set_merge,
    }


def _every(reading: Reading) -> Constants:
    return {
        "Replicas": frozenset({"A", "B"}),
        "Elements": frozenset({"x"}),
        "MostMessages": 3,
        "FoldOrders": "any",
        "SetMerge": reading.set_merge,
    }


MODEL: Final[Model[History]] = Model(
    module="HistoryMerge",
    configurations=CONFIGURATIONS,
    simulation_constants=under(READINGS, _random),
    exhaustive_constants=under(READINGS, _every),
    trace_constants=under(READINGS, trace_constants),
    replay=under(READINGS, replay),
    history_of=under(READINGS, history_of),
    trace_of=under(READINGS, trace_of),
    weights={"post": 5, "accept": 8, "merge": 4},
)
"""The model of replicas that post, accept and merge. It specifies every reading: their
merges of sets are a constant."""
