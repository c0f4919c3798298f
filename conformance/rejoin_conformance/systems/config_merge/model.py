"""The formal model of config merge, and how it is compared with the reference.

The model is in `spec/config-merge/model/`. `model_behaviours` runs behaviours from TLC on the
reference. `model_view` maps the state of a run to the model's state.

A history, with the exchange at its end, is translated into a trace. The label of a step comes from
the history and from the application's changes, never from the reference. The reference's results
appear only in the observation after the step.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final

from attrs import asdict, define, field

from rejoin import bencode
from rejoin import config_merge as cm
from rejoin_conformance.contract.model import (
    Behaviour,
    CannotTranslateError,
    Constants,
    Model,
    Step,
    configurations,
)
from rejoin_conformance.kit.json_types import JsonObject
from rejoin_conformance.kit.tla_values import Value, record
from rejoin_conformance.readings.expressions import under
from rejoin_conformance.systems.config_merge import READINGS
from rejoin_conformance.systems.config_merge.actions import NAMES
from rejoin_conformance.systems.config_merge.changes import changed
from rejoin_conformance.systems.config_merge.model_behaviours import CLIENTS, history_of, replay
from rejoin_conformance.systems.config_merge.model_view import View, data_value, extra_name
from rejoin_conformance.systems.config_merge.records import History
from rejoin_conformance.systems.config_merge.run import Done, Run, begun

NOT_IN_THE_MODEL: Final = {
    "forged-rows": "a row that does not agree with the message that it names",
    "forged-diff": "a diff that does not agree with its data",
    "leap": "a seqno that does not follow that of any message",
    "last-seqno": "a seqno that TLC's integers cannot hold",
}
"""Injections that the model does not have, each with the reason."""

TAKEN: Final = "an invalid message that a client took for its head (CM-E69)"

LENIENT: Final = "a message that only a lenient parser accepts"

ROUNDS: Final = 2
"""The number of rounds of the final exchange that the trace includes."""


def trace_of(history: History, reading: cm.Reading) -> Behaviour:
    """Return the trace of a history, which the model must allow.

    Raises CannotTranslateError if the history contains something that the model does not have.
    """
    for event in history.events:
        if event.get("inject") in NOT_IN_THE_MODEL:
            raise CannotTranslateError(NOT_IN_THE_MODEL[str(event["inject"])])
    tracer = _Tracer(View(begun(history, reading)))
    for event in history.events:
        tracer.perform(event)
    for event in _exchange(tracer.view.run):
        tracer.perform(event)
    return Behaviour(tuple(tracer.steps))


def _exchange(run: Run) -> Iterator[JsonObject]:
    """Yield events in which all clients fetch, then all resolve, then all push."""
    yield {"heal": True}
    yield {"deliver": True}
    for _ in range(ROUNDS):
        before = _progress(run)
        for name in run.clients:
            yield {"client": name, "fetch": True}
            yield {"client": name, "resolve": True}
        for name in run.clients:
            yield {"client": name, "push": True}
        if before == _progress(run):
            return


def _progress(run: Run) -> tuple[int, ...]:
    return (len(run.records), *(len(client.known) for client in run.clients.values()))


@define
class _Tracer:
    """A history that is being translated into a trace."""

    view: View
    steps: list[Step] = field(factory=list)

    def __attrs_post_init__(self) -> None:
        history = self.view.run.history
        readers = [name for name in history.names if not history.can_sign(name)]
        setting = record(window=history.window, signed=history.signed, readers=_numbers(readers))
        self.steps.append(Step(record(action="agree", setting=setting), ()))

    def perform(self, event: JsonObject) -> None:
        """Carry out an event and add its step to the trace, unless the event changes nothing."""
        run, name = self.view.run, str(event.get("client", ""))
        done = run.perform(event)
        if "push" in event:
            late, permitted = "delayed" in event, "deletes_nothing" not in event
            self._add("push", name, place=self._place(done), permitted=permitted, late=late)
        elif done is None:
            if "resolve" in event:
                raise CannotTranslateError(NOT_IN_THE_MODEL["last-seqno"])
        elif "fetch" in event and done.before is not None:
            news = [each for each in run.clients[name].known if each not in done.before.known]
            if news:
                self._add("fetch", name, forms=self.view.form_set(news))
        elif "resolve" in event:
            self._add("resolve", name, place=self._own_place(done))
        elif "changes" in event:
            self._add("edit", name, data=data_value(done.fields["edit"]))
        elif "inject" in event:
            self._inject(done, event)
        elif "partition" in event and len(run.sides) == 2:
            self._add("network", event="cut", members=_numbers(event["partition"]))
        else:
            self._add("network", event="deliver" if "deliver" in event else "heal")

    def _add(self, action: str, client: str = "", **label: Value) -> None:
        """Add a step. Its observation is taken after the names in its label are."""
        if client:
            label = {"client": 1 + NAMES.index(client), **label}
        after = self.view.observed(action, client)
        self.steps.append(Step(record(action=action, **label), after))

    def _place(self, done: Done | None) -> int:
        """Return the place of the hash of the message that a push stored; 0 if it stored none."""
        if done is None or done.made is None or done.before is None:
            return 0
        # A changed reference can delete messages that it does not know.
        deleted = (done.before.known.get(name) for name in done.made.delete)
        if any(isinstance(each, cm.ConfigMergeError) for each in deleted):
            raise CannotTranslateError(TAKEN)
        run = self.view.run
        return self.view.place(run.records[run.pushed[-1].record])

    def _own_place(self, done: Done) -> int:
        """Return the place of the hash of the unpushed merge that a resolve added, 0 if none."""
        run = self.view.run
        own = () if done.before is None else cm.unpushed_merge_added(done.before)
        if done.made is None or not own:
            return 0
        return self.view.place(run.records_of(own)[0])

    def _inject(self, done: Done, event: Any) -> None:
        """Add the step of an injection."""
        view, run = self.view, self.view.run
        injection, target = done.fields["injection"], done.fields["target"]
        name = cm.storage_id(injection.ciphertext)
        content = run.opened[name].content
        side = 1 + event["salt"] % len(run.sides)
        if injection.truth in ("bad", "bad-in-document", "known"):
            wrongly = isinstance(content, cm.Message) and injection.truth != "known"
            if wrongly and injection.truth == "bad-in-document" and not run.reading.strict_encoding:
                raise CannotTranslateError(LENIENT)
            form = (0, view.copies.get(0, 0) + 1) if wrongly else view.form(name)
            self._add("network", event="store", form=form, side=side)
        elif isinstance(content, cm.Message):
            place = view.place(run.records_of([content])[0])
            about: dict[str, Any] = {"target": view.number(target), "place": place, "side": side}
            if injection.truth == "twin":
                self._add("network", event="signed", sign=view.signature(content), **about)
            else:
                data = data_value(changed(target.message.data, injection.changes))
                extra = extra_name(_unknown_keys(content.encoded))
                self._add("network", event="outsider", data=data, extra=extra, **about)


def _numbers(names: Any) -> Value:
    """Return the model's numbers of clients, which count from 1."""
    return frozenset(1 + NAMES.index(name) for name in names)


def _unknown_keys(encoded: bytes) -> tuple[tuple[bytes, bytes], ...]:
    """Return a message's unknown keys and their encoded values, without parsing the message."""
    outer: Any = bencode.decode(encoded)
    known = (b"#", b"&", b"<", b"=", b"~")
    return tuple((key, bencode.encode(outer[key])) for key in sorted(outer) if key not in known)


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
