"""The formal model of config merge, and how it is compared with the reference.

The model is in `spec/config-merge/model/`. `model_behaviours` runs behaviours from TLC on the
reference. `model_traces` translates histories into traces of the model. `model_view` maps the state
of a run to the model's state.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from attrs import asdict

from rejoin import config_merge as cm
from rejoin_conformance.contract.model import Behaviour, Constants, Model, configurations
from rejoin_conformance.kit.tla_values import Value, record
from rejoin_conformance.readings.expressions import under
from rejoin_conformance.systems.config_merge import READINGS
from rejoin_conformance.systems.config_merge.model_behaviours import CLIENTS, history_of, replay
from rejoin_conformance.systems.config_merge.model_traces import trace_of
from rejoin_conformance.systems.config_merge.records import History

_POINTS: Final = (
    "replay_cutoff",
    "missing_set_diff_target",
    "missing_dict_diff_target",
    "type_mismatch_removal_only",
    "prune_after_each_entry",
    "unknown_keys_on_merge",
    "first_message_lags_zero",
    "unpushed_merge",
)
"""The choice points of a reading that the model has. The other choice points are about bytes."""

_NO_BOUND: Final = 1_000_000


def _reading(reading: cm.Reading) -> Value:
    """Return the model's value for a reading."""
    points = asdict(reading)
    return record(**{_camel(point): points[point] for point in _POINTS})


def _camel(name: str) -> str:
    first, *others = name.split("_")
    return first + "".join(word.capitalize() for word in others)


def _menu(text: str) -> Value:
    """Return changes: the act, the path and the value of each, separated by semicolons."""
    changes = [[*each.split(), ""] for each in text.split(";")]
    return frozenset(
        record(act=act, path=tuple(path.split("/")), what=what) for act, path, what, *_ in changes
    )


_MENU: Final = _menu(
    "assign a 1; assign a 2; remove a; assign b 1; add s 1; add s 2; discard s 1; discard s 2; "
    "assign d 1; assign d/x 1; assign d/y 1; remove d/x; remove d; add d/m 1; discard d/m 1; "
    "add d 1"
)
"""Scalars, a set, a dict that holds a scalar and a set, and a path whose value changes its kind."""

_MISHAPS: Final = "rethink dawdle partial refuse delay repeat copy junk outsider cut"


def _setting(window: int, *, signed: bool = False, readers: Sequence[int] = ()) -> Value:
    return record(window=window, signed=signed, readers=frozenset(readers))


def _constants(
    reading: cm.Reading, clients: int, settings: Sequence[Value], **others: Value
) -> Constants:
    return {
        "Reading": _reading(reading),
        "Client": frozenset(range(1, clients + 1)),
        "Settings": frozenset(settings),
        "Menu": frozenset(),
        "OutsideMenu": frozenset(),
        "MaxEdits": _NO_BOUND,
        "Sampled": False,
        "Mishaps": frozenset(),
        **others,
    }


def _simulation(reading: cm.Reading) -> Constants:
    return _constants(
        reading,
        CLIENTS,
        [*map(_setting, (1, 2, 3, 5)), _setting(3, signed=True, readers=(CLIENTS,))],
        Menu=_MENU,
        OutsideMenu=_menu("assign out 1; assign d/x 2"),
        Sampled=True,
        Mishaps=frozenset(_MISHAPS.split()),
    )


def _exhaustive(reading: cm.Reading) -> Constants:
    few = _menu("assign a 1; add s 1")
    return _constants(reading, 2, [_setting(2)], Menu=few, MaxEdits=3)


def _traces(traces: Sequence[Behaviour], reading: cm.Reading) -> Constants:
    settings: list[Any] = [trace.steps[0].label["setting"] for trace in traces]
    numbers: list[Any] = [
        dict(step.label.items()).get("client", 0) for trace in traces for step in trace.steps
    ]
    return _constants(
        reading, max([2, *(each for each in numbers if isinstance(each, int))]), settings
    )


MODEL: Final[Model[History]] = Model(
    module="ConfigMerge",
    configurations=configurations("config-merge"),
    simulation_constants=under(READINGS, _simulation),
    exhaustive_constants=under(READINGS, _exhaustive),
    trace_constants=under(READINGS, _traces),
    replay=under(READINGS, replay),
    history_of=under(READINGS, history_of),
    trace_of=under(READINGS, trace_of),
)
