"""The formal model of config merge, and how it is compared with the reference.

The model is in `spec/config-merge/model/`. `behaviours` runs behaviours from TLC on the reference.
`traces` translates histories into traces of the model. `abstraction` maps the state of a run to
the model's state. `names` maps keys and values to the model's names. `configurations` lists the
configurations that TLC checks.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from attrs import asdict

from rejoin import config_merge as cm
from rejoin_conformance.contract.model import Behaviour, Constants, Model
from rejoin_conformance.kit.tla_values import Value, record
from rejoin_conformance.readings.expressions import under
from rejoin_conformance.systems.config_merge import READINGS
from rejoin_conformance.systems.config_merge.histories.events import History
from rejoin_conformance.systems.config_merge.model.behaviours import CLIENTS, history_of, replay
from rejoin_conformance.systems.config_merge.model.configurations import CONFIGURATIONS
from rejoin_conformance.systems.config_merge.model.traces import trace_of

_POINTS: Final = (
    "replay_cutoff",
    "missing_set_diff_target",
    "missing_dict_diff_target",
    "type_mismatch_removal_only",
    "prune_after_each_entry",
    "unknown_keys_on_merge",
    "first_message_lags_zero",
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


def _change(act: str, path: tuple[str, ...], what: str = "") -> Value:
    return record(act=act, path=path, what=what)


_MENU: Final[Value] = frozenset(
    {
        _change("assign", ("a",), "1"),
        _change("assign", ("a",), "2"),
        _change("remove", ("a",)),
        _change("assign", ("b",), "1"),
        _change("add", ("s",), "1"),
        _change("add", ("s",), "2"),
        _change("discard", ("s",), "1"),
        _change("discard", ("s",), "2"),
        _change("assign", ("d",), "1"),
        _change("assign", ("d", "x"), "1"),
        _change("assign", ("d", "y"), "1"),
        _change("remove", ("d", "x")),
        _change("remove", ("d",)),
        _change("add", ("d", "m"), "1"),
        _change("discard", ("d", "m"), "1"),
        _change("add", ("d",), "1"),
    }
)
"""Scalars, a set, a dict that holds a scalar and a set, and a path whose value changes its kind."""

_OUTSIDE: Final[Value] = frozenset(
    {_change("assign", ("out",), "1"), _change("assign", ("d", "x"), "2")}
)


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
    settings = [_setting(window) for window in (1, 2, 3, 5)]
    signed = [_setting(3, signed=True, readers=(CLIENTS,))]
    mishaps = (
        *("rethink", "dawdle", "partial", "refuse", "delay"),
        *("repeat", "copy", "junk", "outsider", "cut"),
    )
    return _constants(
        reading,
        CLIENTS,
        [*settings, *signed],
        Menu=_MENU,
        OutsideMenu=_OUTSIDE,
        Sampled=True,
        Mishaps=frozenset(mishaps),
    )


def _exhaustive(reading: cm.Reading) -> Constants:
    few = frozenset({_change("assign", ("a",), "1"), _change("add", ("s",), "1")})
    return _constants(reading, 2, [_setting(2)], Menu=few, MaxEdits=3)


def _traces(traces: Sequence[Behaviour], reading: cm.Reading) -> Constants:
    settings: list[Any] = [trace.steps[0].label["setting"] for trace in traces]
    clients = [2, *(_most_clients(trace) for trace in traces)]
    return _constants(reading, max(clients), settings)


def _most_clients(trace: Behaviour) -> int:
    """Return the largest client number in a trace."""
    named = [dict(step.label.items()).get("client", 0) for step in trace.steps]
    return max(each for each in named if isinstance(each, int))


MODEL: Final[Model[History]] = Model(
    module="ConfigMerge",
    configurations=CONFIGURATIONS,
    simulation_constants=under(READINGS, _simulation),
    exhaustive_constants=under(READINGS, _exhaustive),
    trace_constants=under(READINGS, _traces),
    replay=under(READINGS, replay),
    history_of=under(READINGS, history_of),
    trace_of=under(READINGS, trace_of),
)
