"""The formal model of config merge, and how it is compared with the reference.

The model is in `spec/config-merge/model/`. `model_behaviours` runs behaviours from TLC on the
reference. `model_traces` translates histories into traces of the model. `model_view` maps the state
of a run to the model's state.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final

from attrs import asdict

from rejoin import config_merge as cm
from rejoin_conformance.contract.model import Behaviour, Configuration, Constants, Model
from rejoin_conformance.kit.tla_values import Value, record
from rejoin_conformance.readings.expressions import under
from rejoin_conformance.systems.config_merge import READINGS
from rejoin_conformance.systems.config_merge.model_behaviours import CLIENTS, history_of, replay
from rejoin_conformance.systems.config_merge.model_traces import trace_of
from rejoin_conformance.systems.config_merge.records import History

_SMALL: Final = (
    ("scalars", "every law, with scalars", "2 clients, 3 edits, 5 messages, N = 2"),
    (
        "sets",
        "every law, with a set that a client empties",
        "2 clients, 3 edits, 5 messages, N = 3",
    ),
    ("nested", "every law, with a dict that is pruned", "2 clients, 3 edits, 5 messages, N = 2"),
    (
        "kinds",
        "every law, with a scalar and a dict under one key",
        "2 clients, 3 edits, 5 messages, N = 3",
    ),
    ("three-clients", "every law, with a third client", "3 clients, 2 edits, 4 messages, N = 2"),
    ("delays", "every law, with late and lost batches", "2 clients, 2 edits, 3 messages, N = 2"),
    (
        "duplicates",
        "every law, with messages stored twice, late batches and late resolves",
        "2 clients, 2 edits, 3 messages, N = 2",
    ),
    (
        "quiet",
        "the push of one client reaches all clients, and then no client has anything left to do",
        "3 clients, 1 edit, N = 2; batches late or lost, late resolves",
    ),
    (
        "one-reader",
        "every law, with a client that cannot sign",
        "2 clients, 3 edits, 5 messages, N = 2",
    ),
    (
        "libsession",
        "the laws that the reading `libsession` claims",
        "2 clients, 3 edits, 5 messages, N = 2",
    ),
)
"""Configurations that the test suite runs, and that hold: name, summary, bounds."""

_VIOLATED: Final = (
    (
        "libsession-sets",
        "in `libsession`, emptying a set removes the elements that others added",
        "2 clients, 3 edits, N = 3",
        "NoLostUpdate",
    ),
    (
        "libsession-nested",
        "in `libsession`, emptying a dict removes the values that others added",
        "2 clients, 3 edits, N = 3",
        "NoLostUpdate",
    ),
    (
        "libsession-kinds",
        "in `libsession`, a pending edit replaces a value of another kind",
        "2 clients, 3 edits, N = 3",
        "EditSurvivesResolve",
    ),
    (
        "races",
        "clients that resolve each other's merges too late never stop merging",
        "2 clients, 3 edits, 9 messages",
        "RacesEnd",
    ),
)
"""Configurations in which TLC must find something violated: what, in the last place."""

_LARGE: Final = (
    (
        "mishaps",
        "every law, with refused deletions, late and lost batches, and bad messages",
        "2 clients, 3 edits, 3 messages, N = 2",
    ),
    (
        "dawdling",
        "every law, with partial fetches, late resolves, and edits that change before the push",
        "2 clients, 3 edits, 4 messages, N = 1 to 3",
    ),
    (
        "cut",
        "every law, with a partitioned network and refused deletions",
        "2 clients, 3 edits, 4 messages, N = 2",
    ),
    ("four-edits", "every law, with four edits", "2 clients, 4 edits, 5 messages, N = 2"),
)


def _configurations() -> Iterator[Configuration]:
    """Yield the configurations in the order of the table."""
    for name, summary, bounds in _SMALL:
        yield Configuration(name=name, summary=summary, bounds=bounds, module="Checks")
    for name, summary, bounds, violated in _VIOLATED:
        yield Configuration(
            name=name, summary=summary, bounds=bounds, module="Checks", violates=violated
        )
    for name, summary, bounds in _LARGE:
        yield Configuration(
            name=name, summary=summary, bounds=bounds, module="Checks", size="large"
        )


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

_OUTSIDE: Final = _menu("assign out 1; assign d/x 2")


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
    mishaps = "rethink dawdle partial refuse delay repeat copy junk outsider cut"
    return _constants(
        reading,
        CLIENTS,
        [*settings, *signed],
        Menu=_MENU,
        OutsideMenu=_OUTSIDE,
        Sampled=True,
        Mishaps=frozenset(mishaps.split()),
    )


def _exhaustive(reading: cm.Reading) -> Constants:
    few = _menu("assign a 1; add s 1")
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
    configurations=tuple(_configurations()),
    simulation_constants=under(READINGS, _simulation),
    exhaustive_constants=under(READINGS, _exhaustive),
    trace_constants=under(READINGS, _traces),
    replay=under(READINGS, replay),
    history_of=under(READINGS, history_of),
    trace_of=under(READINGS, trace_of),
)
