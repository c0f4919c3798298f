"""The formal model of conflict detection, checked against the reference in both directions.

The model is in `spec/conflict-detection/model/`. `behaviours` carries out behaviours from TLC on
the reference. `traces` translates histories to traces of the model, with `abstraction` for the
clients and `step_labels` for the steps. `configurations` lists the checks of TLC.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from rejoin import conflict_detection as cd
from rejoin_conformance.contract.choices import choice_points
from rejoin_conformance.contract.model import Behaviour, Constants, Model
from rejoin_conformance.kit.tla_values import Value
from rejoin_conformance.readings.expressions import under
from rejoin_conformance.systems.conflict_detection import READINGS
from rejoin_conformance.systems.conflict_detection.histories.events import NICKNAMES, History
from rejoin_conformance.systems.conflict_detection.model.behaviours import history_of, replay
from rejoin_conformance.systems.conflict_detection.model.configurations import CONFIGURATIONS
from rejoin_conformance.systems.conflict_detection.model.traces import trace_of

_NO_BOUND: Final = 10_000
"""A bound on uploads that no history reaches."""


def _constants(
    reading: cd.Reading,
    *,
    clients: str,
    texts: Sequence[str],
    uploads: int,
    late: str = "",
    away: str = "",
    fickle: str = "",
    slow: str = "",
    fragile: str = "",
    restored: str = "",
) -> Constants:
    """Return the constants of the model: the bounds, and the choice points of the reading."""
    points: dict[str, Value] = {
        "".join(word.capitalize() for word in name.split("_")): getattr(reading, name)
        for name in choice_points(type(reading))
        if name != "links_downloads"
    }
    return {
        "Clients": frozenset(clients),
        "Texts": frozenset(texts),
        "MaxUploads": uploads,
        "Designs": frozenset({"snapshots", "version-maps"}),
        "Latecomers": frozenset(late),
        "Away": frozenset(away),
        "Fickle": frozenset(fickle),
        "Slow": frozenset(slow),
        "Fragile": frozenset(fragile),
        "Restored": frozenset(restored),
        "Resolver": clients[0],
        **points,
    }


def _simulation(reading: cd.Reading) -> Constants:
    return _constants(
        reading,
        clients="ABCD",
        texts=("x", "y"),
        uploads=12,
        late="D",
        away="A",
        fickle="D",
        slow="B",
        fragile="C",
    )


def _exhaustive(reading: cd.Reading) -> Constants:
    return _constants(reading, clients="AB", texts=("x",), uploads=3)


def _traces(_traces: Sequence[Behaviour], reading: cd.Reading) -> Constants:
    return _constants(reading, clients=NICKNAMES, texts=(), uploads=_NO_BOUND)


MODEL: Final[Model[History]] = Model(
    module="ConflictDetection",
    configurations=CONFIGURATIONS,
    simulation_constants=under(READINGS, _simulation),
    exhaustive_constants=under(READINGS, _exhaustive),
    trace_constants=under(READINGS, _traces),
    replay=under(READINGS, replay),
    history_of=under(READINGS, history_of),
    trace_of=under(READINGS, trace_of),
    weights={"poll": 12, "edit": 4, "resolve": 4, "delete": 2},
)
