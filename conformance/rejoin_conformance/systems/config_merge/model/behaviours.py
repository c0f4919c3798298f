"""Model to code: a behaviour of the model as a history, and what the reference does in it.

Every step is one event of a history, except the first: what clients agree on is a history's window
and keys. Where the model chose a place for the hash of a new message, `history_of` finds messages
whose hashes lie so.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from rejoin import config_merge as cm
from rejoin_conformance.contract.model import Behaviour, CannotTranslateError, Step
from rejoin_conformance.kit.tla_values import Value
from rejoin_conformance.systems.config_merge.histories.events import (
    Assign,
    Change,
    Deliver,
    Edit,
    Event,
    Fetch,
    Heal,
    History,
    Inject,
    Partition,
    Push,
    Resolve,
)
from rejoin_conformance.systems.config_merge.histories.leaves import changed, changes_between
from rejoin_conformance.systems.config_merge.histories.run import Run
from rejoin_conformance.systems.config_merge.model.abstraction import FILLER, View
from rejoin_conformance.systems.config_merge.model.names import data_of

MOST_TRIES: Final = 10_000
"""How many fillers are tried. With k messages of one seqno, 1 in k! has them in a given order."""

CLIENTS: Final = 3
"""How many clients a behaviour may have."""

MOST_STORED: Final = 16
"""How many stored forms the places of a `Fetch` tell apart."""


def history_of(behaviour: Behaviour, reading: cm.Reading) -> History:
    """The history that does what the behaviour does, hash orders included.

    One filler after the other is tried until every hash is where the behaviour has it. The filler
    is a scalar under a key that the model does not know. Every first message assigns it and nobody
    changes it, so that each message of the history holds it and no later diff names it: all hashes
    vary with it, those of merges too, and nothing else does. Whether a hash lies where it should is
    seen as soon as the message is made, so that most tries end early.

    Raises CannotTranslateError where no filler is found, and for steps that no history has.
    """
    for filler in range(MOST_TRIES):
        history = _with_filler(behaviour, reading, filler)
        if history is not None:
            return history
    raise CannotTranslateError(f"no messages with these hash orders in {MOST_TRIES} tries")


def replay(behaviour: Behaviour, reading: cm.Reading) -> Iterator[Value]:
    """Carry out the behaviour's history on the reference: what is observed after each step."""
    history = history_of(behaviour, reading)
    view = View(Run(history, reading))
    yield ()
    for step, event in zip(behaviour.steps[1:], history.events, strict=True):
        perform(view, step, event)
        yield observed(view, step)


def _with_filler(behaviour: Behaviour, reading: cm.Reading, filler: int) -> History | None:
    """The history with that filler; None where a hash does not lie where it should."""
    opening = _opening(behaviour)
    view = View(Run(opening, reading))
    events: list[Event] = []
    for step in behaviour.steps[1:]:
        event = _event(view, step, filler)
        length = view.length()
        perform(view, step, event)
        events.append(event)
        place = _fields(step).get("place")
        if place and view.length() > length and _lies_elsewhere(view, place):
            return None
    return History(
        seed=filler,
        clients=opening.clients,
        window=opening.window,
        signed=opening.signed,
        readers=opening.readers,
        events=tuple(events),
    )


def _lies_elsewhere(view: View, place: int) -> bool:
    """Whether the newest hash lies elsewhere, and could lie at that place.

    Where it could not, the reference is not where the model is, which the comparison shows.
    """
    newest = view.run.records[-1]
    alike = [each for each in view.run.records if each.message.seqno == newest.message.seqno]
    return place <= len(alike) and view.place(newest) != place


def _opening(behaviour: Behaviour) -> History:
    """The history without its events."""
    if not behaviour.steps or behaviour.steps[0].action != "agree":
        raise CannotTranslateError("a behaviour begins with what the clients agree on")
    setting: Any = behaviour.steps[0].label["setting"]
    return History(
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
    """A set of the model's clients, which count from 1, as a history has it."""
    return sum(1 << (client - 1) for client in clients)


def _event(view: View, step: Step, filler: int) -> Event:
    """The event that the step stands for."""
    label: Any = step.label
    match step.action:
        case "edit":
            return Edit(label["client"] - 1, _changes(view, label, filler))
        case "fetch":
            return Fetch(label["client"] - 1, _skip(view, label))
        case "resolve":
            return Resolve(label["client"] - 1)
        case "push":
            return Push(label["client"] - 1, label["permitted"], label["late"])
        case "network":
            return _network_event(view, label)
        case action:
            raise CannotTranslateError(f"no history has a step {action}")


def _changes(view: View, label: Any, filler: int) -> tuple[Change, ...]:
    """The changes that lead to the data of an edit; a first message gets the filler."""
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
    """The places of what a fetch does not bring."""
    client = label["client"] - 1
    stored = view.run.network.stored_for(client)
    if len(stored) > MOST_STORED:
        raise CannotTranslateError("more is stored than a fetch can choose from")
    skip = 0
    for place, name in enumerate(stored):
        if view.form(name) not in label["forms"]:
            skip |= 1 << place
    return skip


def _network_event(view: View, label: Any) -> Event:
    match label["event"]:
        case "deliver":
            return Deliver()
        case "heal":
            return Heal()
        case "cut":
            return Partition(_bits(label["members"]))
        case "store":
            number, copy = label["form"]
            if number == 0:
                # Each is another message damaged: the number of the copy is the salt.
                return Inject("bad-ciphertext", 0, 4 * copy + label["side"] - 1)
            kind = "other-nonce" if copy else "again"
            return Inject(kind, _back(view, number), copy or label["side"] - 1)
        case "outsider":
            return Inject("outsider", _back(view, label["target"]), _salt(view, label))
        case event:
            raise CannotTranslateError(f"no history has an event {event}")


def _back(view: View, number: int) -> int:
    """How far a message is from the newest."""
    return len(view.run.records) - 1 - (number - 1 - view.before_first)


def _salt(view: View, label: Any) -> int:
    """The salt with which an outsider's update has the data that it shall have."""
    target = view.run.records[label["target"] - 1 - view.before_first]
    for salt, change in OUTSIDE_CHANGES.items():
        if view.data(changed(target.message.data, (change,))) == label["data"]:
            return salt
    raise CannotTranslateError("no outsider makes this update")


OUTSIDE_CHANGES: Final[Mapping[int, Change]] = {
    1: Assign((b"out",), 1),
    2: Assign((b"d", b"x"), 2),
}
"""Salt -> what the injection of the kind `outsider` changes."""


def perform(view: View, step: Step, event: Event) -> None:
    """Carry out an event; a ciphertext that comes in by it is known by the step's form."""
    view.run.perform(event)
    form: Any = _fields(step).get("form")
    for side in view.run.network.sides if form is not None else ():
        for name in side.stored:
            if name not in view.forms and _is_stray(view, name):
                view.forms[name] = form


def _is_stray(view: View, name: bytes) -> bool:
    """Whether a ciphertext is not one under which a client stores a message."""
    opened = view.run.opened[name].content if name in view.run.opened else None
    if opened is None:
        return False
    if isinstance(opened, cm.ConfigMergeError):
        return True
    return view.run.records[view.run.by_rank[opened.rank]].name != name


def observed(view: View, step: Step) -> Value:
    """What the model is compared with after a step."""
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
