"""Model to code: translate a behaviour of the model into a history and run it on the reference.

Every step except the first becomes one event. The first step sets the history's window and keys.
The model chooses the position of each new message's hash, and `history_of` searches for messages
whose hashes have these positions.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from attrs import evolve

from rejoin import config_merge as cm
from rejoin_conformance.contract.model import Behaviour, CannotTranslateError, Step
from rejoin_conformance.kit.json_types import Json, JsonObject
from rejoin_conformance.kit.tla_values import Value
from rejoin_conformance.systems.config_merge.actions import NAMES
from rejoin_conformance.systems.config_merge.changes import (
    Change,
    change_json,
    changed,
    changes_between,
)
from rejoin_conformance.systems.config_merge.model_view import (
    FILLER,
    View,
    data_of_value,
    data_value,
)
from rejoin_conformance.systems.config_merge.records import History
from rejoin_conformance.systems.config_merge.run import begun, data_of

MOST_TRIES: Final = 10_000
"""The number of fillers to try. With k messages of one seqno, 1 filler in k! gives their order."""

CLIENTS: Final = 3
"""The maximum number of clients in a behaviour."""

MOST_STORED: Final = 16
"""The number of stored forms that the bits of `skip` can distinguish."""

OUTSIDE_CHANGES: Final[Mapping[int, Change]] = {
    1: Change("assign", (b"out",), 1),
    2: Change("assign", (b"d", b"x"), 2),
}
"""Salt -> the changes of an injection of the kind `outsider`."""


def history_of(behaviour: Behaviour, reading: cm.Reading) -> History:
    """Return the history with the behaviour's steps and with its order of hashes.

    The function tries fillers until every hash has the position that the behaviour gives it. The
    filler is a scalar under a key that the model does not have. Every first message assigns the
    filler and no client changes it. So every message contains it and no later diff names it. A new
    filler changes all hashes, including the hashes of merges, and nothing else. The function checks
    each hash as soon as the message exists, so most attempts end early.

    Raises CannotTranslateError if it finds no filler, or if no event corresponds to a step.
    """
    for filler in range(MOST_TRIES):
        history = _with_filler(behaviour, reading, filler)
        if history is not None:
            return history
    raise CannotTranslateError(f"no messages with these hash orders in {MOST_TRIES} tries")


def replay(behaviour: Behaviour, reading: cm.Reading) -> Iterator[Value]:
    """Run the behaviour's history on the reference and yield the observation after each step."""
    history = history_of(behaviour, reading)
    view = View(begun(history, reading))
    yield ()
    for step, event in zip(behaviour.steps[1:], history.events, strict=True):
        _perform(view, step, event)
        client = dict(step.label.items()).get("client", 1)
        yield view.observed(step.action, _name(client))


def _name(client: Any) -> str:
    """Return the name of one of the model's clients, which count from 1."""
    return NAMES[client - 1]


def _names(clients: Any) -> tuple[str, ...]:
    return tuple(_name(client) for client in sorted(clients))


def _with_filler(behaviour: Behaviour, reading: cm.Reading, filler: int) -> History | None:
    """Return the history with this filler, or None if a hash has the wrong position."""
    if not behaviour.steps or behaviour.steps[0].action != "agree":
        raise CannotTranslateError("a behaviour begins with the common state of the clients")
    setting: Any = behaviour.steps[0].label["setting"]
    readers = _names(setting["readers"])
    history = History(filler, CLIENTS, setting["window"], setting["signed"], readers, ())
    view = View(begun(history, reading))
    events: list[JsonObject] = []
    for step in behaviour.steps[1:]:
        event = _event(view, step, filler)
        length = view.length()
        _perform(view, step, event)
        events.append(event)
        place: Any = dict(step.label.items()).get("place")
        if place and view.length() > length and _lies_elsewhere(view, place):
            return None
    return evolve(history, events=tuple(events))


def _lies_elsewhere(view: View, place: int) -> bool:
    """Return whether the newest hash has another position than `place` but could have had `place`.

    If the reference has too few messages of this seqno for `place`, it already differs from the
    model, and the comparison reports that.
    """
    newest = view.run.records[-1]
    alike = [each for each in view.run.records if each.message.seqno == newest.message.seqno]
    return place <= len(alike) and view.place(newest) != place


def _event(view: View, step: Step, filler: int) -> JsonObject:
    """Return the event for a step."""
    label: Any = step.label
    if step.action == "network":
        return _network_event(view, label)
    name = _name(label["client"])
    event: JsonObject = {"client": name}
    match step.action:
        case "edit":
            return {**event, "changes": _changes(view, name, label["data"], filler)}
        case "fetch":
            skip = _skip(view, name, label["forms"])
            return {**event, "fetch": True} | ({"skip": skip} if skip else {})
        case "push":
            event |= {"push": True}
            event |= {} if label["permitted"] else {"deletes_nothing": True}
            return event | ({"delayed": True} if label["late"] else {})
        case "resolve":
            return {**event, "resolve": True}
        case action:
            raise CannotTranslateError(f"no history has a step {action}")


def _changes(view: View, name: str, data: Value, filler: int) -> list[Json]:
    """Return the changes that produce the data of an edit. A first message gets the filler."""
    wanted = data_of_value(data)
    head = view.run.clients[name].head
    base = data_of(head)
    if FILLER in base:
        wanted[FILLER] = base[FILLER]
    elif head is None and wanted:
        wanted[FILLER] = filler
    made = changes_between(view.run.seen(name), wanted)
    return [change_json(each.kind, each.path, each.value) for each in made]


def _skip(view: View, name: str, forms: Any) -> int:
    """Return the bits of the forms that a fetch leaves out."""
    stored = view.run.stored_for(name)
    if len(stored) > MOST_STORED:
        raise CannotTranslateError("more is stored than a fetch can choose from")
    return sum(1 << place for place, each in enumerate(stored) if view.form(each) not in forms)


def _network_event(view: View, label: Any) -> JsonObject:
    match label["event"]:
        case "deliver" | "heal" as event:
            return {event: True}
        case "cut":
            return {"partition": [*_names(label["members"])]}
        case "store":
            number, copy = label["form"]
            if number == 0:
                # Each copy is a different corruption of the message: its number is the salt.
                return _injection("bad-ciphertext", 0, 4 * copy + label["side"] - 1)
            kind = "other-nonce" if copy else "again"
            return _injection(kind, _back(view, number), copy or label["side"] - 1)
        case "outsider":
            return _injection("outsider", _back(view, label["target"]), _salt(view, label))
        case event:
            raise CannotTranslateError(f"no history has an event {event}")


def _injection(kind: str, target: int, salt: int) -> JsonObject:
    return {"inject": kind, "target": target, "salt": salt}


def _back(view: View, number: int) -> int:
    """Return the distance of a message from the newest message."""
    return view.run.sent[::-1].index(view.numbered(number).index)


def _salt(view: View, label: Any) -> int:
    """Return the salt that gives an outsider's update the data of the step."""
    target = view.numbered(label["target"])
    for salt, change in OUTSIDE_CHANGES.items():
        if data_value(changed(target.message.data, (change,))) == label["data"]:
            return salt
    raise CannotTranslateError("no outsider makes this update")


def _perform(view: View, step: Step, event: JsonObject) -> None:
    """Carry out an event. A ciphertext that it injects gets the step's form."""
    view.run.perform(event)
    form: Any = dict(step.label.items()).get("form")
    for side in view.run.sides if form is not None else ():
        for name in side.stored:
            if name not in view.forms and _is_stray(view, name):
                view.forms[name] = form


def _is_stray(view: View, name: bytes) -> bool:
    """Return whether no client would store a message as this ciphertext."""
    if name not in view.run.opened:
        return False
    opened = view.run.opened[name].content
    if isinstance(opened, cm.ConfigMergeError):
        return True
    return view.run.records_of([opened])[0].name != name
