"""The formal model of conflict detection, and how it and the reference are held to each other.

The model is in `spec/conflict-detection/model/`. `behaviours` carries out what TLC makes,
`traces` tells histories in the model's terms, `abstraction` says how a client looks to the model.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, Literal

from attrs import asdict

from rejoin_conformance.models.model import Behaviour, Configuration, Constants, Model
from rejoin_conformance.models.tla_values import Value
from rejoin_conformance.systems.conflict_detection.histories.events import NICKNAMES, History
from rejoin_conformance.systems.conflict_detection.model.behaviours import history_of, replay
from rejoin_conformance.systems.conflict_detection.model.traces import trace_of
from rejoin_conformance.systems.conflict_detection.readings import READINGS

_NO_BOUND: Final = 10_000
"""More versions than any history has."""


def _constants(
    reading: str,
    *,
    clients: str,
    texts: Sequence[str],
    uploads: int,
    late: str = "",
    away: str = "",
    fickle: str = "",
) -> Constants:
    """The constants of the model: what is explored, and the choice points of the reading."""
    settings = asdict(READINGS.of(reading))
    points: dict[str, Value] = {
        "".join(word.capitalize() for word in name.split("_")): value
        for name, value in settings.items()
        if name not in ("name", "links_downloads")
    }
    return {
        "Clients": frozenset(clients),
        "Texts": frozenset(texts),
        "MaxUploads": uploads,
        "Designs": frozenset({"snapshots", "version-maps"}),
        "Latecomers": frozenset(late),
        "Away": frozenset(away),
        "Fickle": frozenset(fickle),
        "Resolver": clients[0],
        **points,
    }


def _simulation(reading: str) -> Constants:
    return _constants(
        reading, clients="ABCD", texts=("x", "y"), uploads=12, late="D", away="A", fickle="D"
    )


def _exhaustive(reading: str) -> Constants:
    return _constants(reading, clients="AB", texts=("x",), uploads=3)


def _traces(_traces: Sequence[Behaviour], reading: str) -> Constants:
    return _constants(reading, clients=NICKNAMES, texts=(), uploads=_NO_BOUND)


def _configuration(
    name: str,
    summary: str,
    bounds: str,
    size: Literal["small", "large"] = "small",
    violates: str | None = None,
) -> Configuration:
    return Configuration(
        name=name,
        file=f"{name}.cfg",
        summary=summary,
        bounds=bounds,
        size=size,
        violates=violates,
    )


CONFIGURATIONS: Final = (
    _configuration(
        "repaired", "both designs keep every law", "2 clients, 3 uploads, going offline"
    ),
    _configuration("repaired-three", "the same with a third client", "3 clients, 2 uploads"),
    _configuration(
        "one-resolver",
        "one client that resolves is enough for all to agree in the end",
        "2 clients, an edit each",
    ),
    _configuration(
        "literal-snapshots",
        "as printed, a version that ours follows is taken for a conflict",
        "2 clients, 3 uploads",
        violates="NoFalseConflict",
    ),
    _configuration(
        "literal-maps",
        "as printed, a version that follows ours is taken for a conflict",
        "3 clients, 3 uploads",
        violates="NoFalseConflict",
    ),
    _configuration(
        "literal-clean-up",
        "as printed, a conflict stays beside a version that follows it",
        "3 clients, 4 uploads",
        violates="SettledConflictsGo",
    ),
    _configuration(
        "one-resolver-three",
        "the same with a third client, in the design of snapshots",
        "3 clients, an edit each",
        "large",
    ),
    _configuration(
        "repaired-large",
        "every law, three clients",
        "3 clients, 3 uploads, one goes offline",
        "large",
    ),
    _configuration(
        "repaired-deep", "every law, two clients and many versions", "2 clients, 5 uploads", "large"
    ),
    _configuration(
        "repaired-fickle",
        "every law with clients that join late and end subscriptions",
        "3 clients, 2 uploads",
        "large",
    ),
    _configuration(
        "literal-overwrites",
        "also as printed, nothing is overwritten that the new version does not follow",
        "3 clients, 3 uploads",
        "large",
    ),
)

MODEL: Final[Model[History]] = Model(
    module="ConflictDetection",
    configurations=CONFIGURATIONS,
    simulation_constants=_simulation,
    exhaustive_constants=_exhaustive,
    trace_constants=_traces,
    replay=replay,
    history_of=history_of,
    trace_of=trace_of,
    weights={"poll": 12, "edit": 4, "resolve": 4, "delete": 2},
)
