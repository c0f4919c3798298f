"""Model to code: translate a behaviour of the model into a history and run it on the reference.

Every step except the first becomes one event. The first step sets the history's window and keys.
The model chooses the position of each new message's hash, and `history_of` searches for messages
whose hashes have these positions.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from rejoin import config_merge as cm
from rejoin_conformance.contract.model import Behaviour, CannotTranslateError, Step
from rejoin_conformance.kit.tla_values import Value
from rejoin_conformance.systems.config_merge.histories import events as ev
from rejoin_conformance.systems.config_merge.histories.leaves import changed, changes_between
from rejoin_conformance.systems.config_merge.histories.run import Run
from rejoin_conformance.systems.config_merge.model.abstraction import FILLER, View
from rejoin_conformance.systems.config_merge.model.names import data_of

MOST_TRIES: Final = 10_000
"""The number of fillers to try. With k messages of one seqno, 1 filler in k! gives their order."""

CLIENTS: Final = 3
"""The maximum number of clients in a behaviour."""

MOST_STORED: Final = 16
"""The number of stored forms that the bits of a `Fetch` can distinguish."""


def history_of(behaviour: Behaviour, reading: cm.Reading) -> ev.History:
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
    view = View(Run(history, reading))
    yield ()
    for step, event in zip(behaviour.steps[1:], history.events, strict=True):
        perform(view, step, event)
        yield observed(view, step)


def _with_filler(behaviour: Behaviour, reading: cm.Reading, filler: int) -> ev.History | None:
    """Return the history with this filler, or None if a hash has the wrong position."""
    opening = _opening(behaviour)
    view = View(Run(opening, reading))
    events: list[ev.Event] = []
    for step in behaviour.steps[1:]:
        event = _event(view, step, filler)
        length = view.length()
        perform(view, step, event)
        events.append(event)
        place = _fields(step).get("place")
        if place and view.length() > length and _lies_elsewhere(view, place):
            return None
    return ev.History(
        seed=filler,
        clients=opening.clients,
        window=opening.window,
        signed=opening.signed,
        readers=opening.readers,
        events=tuple(events),
    )


def _lies_elsewhere(view: View, place: int) -> bool:
    """Return whether the newest hash has another position than `place` but could have had `place`.

    If the reference has too few messages of this seqno for `place`, it already differs from the
    model, and the comparison reports that.
    """
    newest = view.run.records[-1]
    alike = [each for each in view.run.records if each.message.seqno == newest.message.seqno]
    return place <= len(alike) and view.place(newest) != place


def _opening(behaviour: Behaviour) -> ev.History:
    """Return the history without its events."""
    if not behaviour.steps or behaviour.steps[0].action != "agree":
        raise CannotTranslateError("a behaviour begins with the common state of the clients")
    setting: Any = behaviour.steps[0].label["setting"]
    return ev.History(
        seed=0,
        clients=CLIENTS,
        window=setting["window"],
        signed=setting["signed"],
        readers=_bits(setting["readers"]),
        events=(),
    )


def _fields(step: Step) -> dict[Value, Any]:
    return dict(step.label.items())


def _bits(clients: Any) -> int:
    """Return a history's bit set for a set of the model's clients, which count from 1."""
    return sum(1 << (client - 1) for client in clients)


def _event(view: View, step: Step, filler: int) -> ev.Event:
    """Return the event for a step."""
    label: Any = step.label
    match step.action:
        case "edit":
            return ev.Edit(label["client"] - 1, _changes(view, label, filler))
        case "fetch":
            return ev.Fetch(label["client"] - 1, _skip(view, label))
        case "resolve":
            return ev.Resolve(label["client"] - 1)
        case "push":
            return ev.Push(label["client"] - 1, label["permitted"], label["late"])
        case "network":
            return _network_event(view, label)
        case action:
            raise CannotTranslateError(f"no history has a step {action}")


def _changes(view: View, label: Any, filler: int) -> tuple[ev.Change, ...]:
    """Return the changes that produce the data of an edit. A first message gets the filler."""
    client = label["client"] - 1
    wanted = data_of(label["data"])
    head = view.run.clients[client].head
    base: Mapping[bytes, Any] = {} if head is None else head.data
    if FILLER in base:
        wanted[FILLER] = base[FILLER]
    elif head is None and wanted:
        wanted[FILLER] = filler
    shown = view.run.shown[client]
    return tuple(changes_between(base if shown is None else shown, wanted))


def _skip(view: View, label: Any) -> int:
    """Return the bits of the forms that a fetch leaves out."""
    client = label["client"] - 1
    stored = view.run.network.stored_for(client)
    if len(stored) > MOST_STORED:
        raise CannotTranslateError("more is stored than a fetch can choose from")
    skip = 0
    for place, name in enumerate(stored):
        if view.form(name) not in label["forms"]:
            skip |= 1 << place
    return skip


def _network_event(view: View, label: Any) -> ev.Event:
    match label["event"]:
        case "deliver":
            return ev.Deliver()
        case "heal":
            return ev.Heal()
        case "cut":
            return ev.Partition(_bits(label["members"]))
        case "store":
            number, copy = label["form"]
            if number == 0:
                # Each copy is a different corruption of the message: its number is the salt.
                return ev.Inject("bad-ciphertext", 0, 4 * copy + label["side"] - 1)
            kind = "other-nonce" if copy else "again"
            return ev.Inject(kind, _back(view, number), copy or label["side"] - 1)
        case "outsider":
            return ev.Inject("outsider", _back(view, label["target"]), _salt(view, label))
        case event:
            raise CannotTranslateError(f"no history has an event {event}")


def _back(view: View, number: int) -> int:
    """Return the distance of a message from the newest message."""
    return len(view.run.records) - 1 - (number - 1 - view.before_first)


def _salt(view: View, label: Any) -> int:
    """Return the salt that gives an outsider's update the data of the step."""
    target = view.run.records[label["target"] - 1 - view.before_first]
    for salt, change in OUTSIDE_CHANGES.items():
        if view.data(changed(target.message.data, (change,))) == label["data"]:
            return salt
    raise CannotTranslateError("no outsider makes this update")


OUTSIDE_CHANGES: Final[Mapping[int, ev.Change]] = {
    1: ev.Assign((b"out",), 1),
    2: ev.Assign((b"d", b"x"), 2),
}
"""Salt -> the changes of an injection of the kind `outsider`."""


def perform(view: View, step: Step, event: ev.Event) -> None:
    """Carry out an event. A ciphertext that it injects gets the step's form."""
    view.run.perform(event)
    form: Any = _fields(step).get("form")
    for side in view.run.network.sides if form is not None else ():
        for name in side.stored:
            if name not in view.forms and _is_stray(view, name):
                view.forms[name] = form


def _is_stray(view: View, name: bytes) -> bool:
    """Return whether no client would store a message as this ciphertext."""
    opened = view.run.opened[name].content if name in view.run.opened else None
    if opened is None:
        return False
    if isinstance(opened, cm.ConfigMergeError):
        return True
    return view.run.records[view.run.by_rank[opened.rank]].name != name


def observed(view: View, step: Step) -> Value:
    """Return the observation that is compared with the model after a step."""
    client = _fields(step).get("client", 1)
    match step.action:
        case "edit":
            return view.observed_edit(client - 1)
        case "fetch":
            return view.observed_fetch(client - 1)
        case "resolve":
            return view.observed_resolve(client - 1)
        case "push":
            return view.observed_push(client - 1)
        case _:
            return view.observed_network()
