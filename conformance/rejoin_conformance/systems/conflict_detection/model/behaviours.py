"""Model to code: a behaviour of the model carried out on the reference, and as a history.

The clients of the model are the clients of the history, by nickname. The texts of the model are
numbered in the order of their names. Its one file is `foo`.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final, cast

from attrs import frozen

from rejoin import conflict_detection as cd
from rejoin_conformance.contract.model import Behaviour, CannotTranslateError, Step
from rejoin_conformance.kit.tla_values import Function, Value, record
from rejoin_conformance.systems.conflict_detection.histories import events as ev
from rejoin_conformance.systems.conflict_detection.histories.run import (
    Run,
    map_run,
    snapshot_run,
)
from rejoin_conformance.systems.conflict_detection.model.abstraction import (
    KEEP,
    NOTHING,
    moment,
    observed,
)

PATH: Final = "foo"


@frozen
class _Done:
    """A step of a behaviour that was carried out: its event, and the observation after it."""

    event: ev.Event
    after: Value


def replay(behaviour: Behaviour, reading: cd.Reading) -> Iterator[Value]:
    """Carry out a behaviour on the reference; yield the observation after each step."""
    if behaviour.steps:
        yield record(members=behaviour.steps[0].label["clients"])
        yield from (done.after for done in _carried_out(behaviour, reading))


def history_of(behaviour: Behaviour, reading: cd.Reading) -> ev.History:
    """Return the behaviour as a history. A history runs in both designs."""
    clients = cast("frozenset[str]", behaviour.steps[0].label["clients"])
    events = tuple(done.event for done in _carried_out(behaviour, reading))
    return ev.History(len(clients), events)


def _carried_out(behaviour: Behaviour, reading: cd.Reading) -> Iterator[_Done]:
    first, *steps = behaviour.steps
    clients = sorted(cast("frozenset[str]", first.label["clients"]))
    expected = [*ev.NICKNAMES[: len(clients)]]
    if clients != expected:
        raise CannotTranslateError(
            f"the clients must be {', '.join(expected)}, not {', '.join(clients)}"
        )
    make = snapshot_run if first.label["design"] == "snapshots" else map_run
    run: Run[Any] = make(reading, len(clients))
    texts = _numbered_texts(behaviour)
    names = {number: text for text, number in texts.items()}
    for step in steps:
        nickname = cast("str", step.label["client"])
        event = _event(run, step, texts)
        taken = run.take(event)
        if taken.step is None or taken.refused is not None:
            raise CannotTranslateError(f"the reference refuses {step.text()}: {taken.refused}")
        found = taken.polled[0].found if taken.polled else None
        at = moment(run, nickname)
        yield _Done(event, observed(run, PATH, at, found, lambda text: names[int(text)]))


def _numbered_texts(behaviour: Behaviour) -> dict[str, int]:
    used = {
        value for step in behaviour.steps for name, value in step.label.items() if name == "text"
    }
    texts = sorted(cast("set[str]", used) - {KEEP, NOTHING})
    return {text: number for number, text in enumerate(texts)}


def _event(run: Run[Any], step: Step, texts: dict[str, int]) -> ev.Event:
    label: Function = step.label
    nickname = cast("str", label["client"])
    client = ev.NICKNAMES.index(nickname)

    def text() -> int:
        return texts[cast("str", label["text"])]

    def other() -> int:
        return ev.NICKNAMES.index(cast("str", label["other"]))

    match step.action:
        case "edit":
            return ev.Edit(client, PATH, text())
        case "undelete":
            return ev.Undelete(client, PATH, text())
        case "delete":
            return ev.Delete(client, PATH)
        case "resolve":
            chosen = None if label["text"] == KEEP else text()
            return ev.Resolve(client, PATH, _pick(run, nickname, label), chosen)
        case "join":
            files = () if label["text"] == NOTHING else ((PATH, text()),)
            return ev.Join(client, files)
        case "poll":
            return ev.Poll(client, other(), PATH)
        case "poll-and-stop":
            return ev.PollAndStop(client, other(), PATH)
        case "change":
            written = None if label["text"] == NOTHING else text()
            return ev.Change(client, PATH, written)
        case "upload":
            return ev.Upload(client)
        case "back-up":
            return ev.BackUp(client)
        case "set-back":
            return ev.SetBack(client)
        case "subscribe":
            return ev.Subscribe(client, other())
        case "unsubscribe":
            return ev.Unsubscribe(client, other())
        case "go-offline":
            return ev.GoOffline(client)
        case "come-back":
            return ev.ComeBack(client)
        case unknown:
            raise CannotTranslateError(f"there is no event for the action {unknown}")


def _pick(run: Run[Any], nickname: str, label: Function) -> int:
    """Return the conflict files that a resolution names, as bits of their places."""
    others = cast("frozenset[str]", label["others"])
    held = cd.file_of(run.folder.clients[nickname], PATH).conflicts
    return sum(1 << place for place, each in enumerate(held) if others & {*each.nicknames})
