"""The formal model of conflict detection, checked against the reference in both directions.

The model is in `spec/conflict-detection/model/`. Behaviours from TLC are carried out on the
reference, and histories of the reference are translated to traces of the model. The model has one
file; in a behaviour it is `foo`. Files are independent (CD-FOLLOWS-SEPARATE-FILES), so the trace of
a history contains the history once for each of its files and each design, and each part starts with
a new folder.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, TypeVar

from rejoin import conflict_detection as cd
from rejoin_conformance.contract.choices import choice_points
from rejoin_conformance.contract.model import (
    Behaviour,
    CannotTranslateError,
    Constants,
    Model,
    Step,
    configurations,
)
from rejoin_conformance.kit.json_types import JsonObject
from rejoin_conformance.kit.tla_values import Function, Value, record
from rejoin_conformance.readings.expressions import under
from rejoin_conformance.systems.conflict_detection import READINGS
from rejoin_conformance.systems.conflict_detection.actions import (
    FOO,
    NICKNAMES,
    ROWS,
    event_name,
    row_of,
)
from rejoin_conformance.systems.conflict_detection.history import History
from rejoin_conformance.systems.conflict_detection.kinds import is_client, text_of
from rejoin_conformance.systems.conflict_detection.run import Run, new_run

V = TypeVar("V")

NOTHING: Final = "nothing"
KEEP: Final = "keep"
_NO_BOUND: Final = 10_000
"""A bound on uploads that no history reaches."""


# what the model observes


def observed(
    run: Run[V],
    path: str,
    client: cd.Client[V],
    links: Mapping[str, cd.Entry],
    found: cd.Classification | None,
) -> Function:
    """Return the model's `Observed` of a client and a file.

    A version is its number, from 1 on, in the order of uploads; 0 stands for no version.
    run: the run, with the numbers of all versions. client, links: its state and its directory.
    found: the classification by the step, None if it was not a poll.
    """

    def number(version: V | None) -> int:
        return 0 if version is None else run.number(path, version) + 1

    file: cd.LocalFile[Any] = cd.file_of(client, path)
    entry: Any = links.get(path)
    conflicts = (
        record(by=frozenset(each.nicknames), version=number(each.version))
        for each in file.conflicts
    )
    entries = file.version.items() if isinstance(file.version, Mapping) else ()
    return record(
        version=number(file.version),
        content=NOTHING if file.content is None else text_of(file.content),
        conflicts=frozenset[Value](conflicts),
        map=frozenset[Value](entries),
        link=0 if entry is None else number(entry.version_map or entry.capability),
        found="none" if found is None else found.value,
    )


# model to code


def replay(behaviour: Behaviour, reading: cd.Reading) -> Iterator[Value]:
    """Carry out a behaviour on the reference; yield the observation after each step."""
    if behaviour.steps:
        yield record(members=behaviour.steps[0].label["clients"])
        yield from (after for _, after in _carried_out(behaviour, reading))


def history_of(behaviour: Behaviour, reading: cd.Reading) -> History:
    """Return the behaviour as a history. A history runs in both designs."""
    clients: Any = behaviour.steps[0].label["clients"]
    return History(len(clients), tuple(event for event, _ in _carried_out(behaviour, reading)))


def _carried_out(behaviour: Behaviour, reading: cd.Reading) -> Iterator[tuple[JsonObject, Value]]:
    """Yield the event of each step, and the observation after it."""
    first, *steps = behaviour.steps
    members: Any = first.label["clients"]
    clients, expected = sorted(members), [*NICKNAMES[: len(members)]]
    if clients != expected:
        raise CannotTranslateError(
            f"the clients must be {', '.join(expected)}, not {', '.join(clients)}"
        )
    run = new_run(str(first.label["design"]), reading, len(clients))
    for step in steps:
        event = _event(run, step)
        taken = run.take(event)
        if taken.step is None or taken.refused is not None:
            raise CannotTranslateError(f"the reference refuses {step.text()}: {taken.refused}")
        found = taken.polled[0].found if taken.polled else None
        client = run.folder.clients[str(event["client"])]
        yield event, observed(run, FOO, client, run.links(client), found)


_BY_NAME: Final = {
    row.name or row.key.replace("_", "-"): row for row in ROWS.values() if row.is_event
}
"""Action of the model -> the row of the event."""


def _event(run: Run[Any], step: Step) -> JsonObject:
    label: dict[Any, Any] = dict(step.label.pairs)
    action = step.action.removesuffix("-and-stop")
    row = _BY_NAME.get(action)
    if row is None:
        raise CannotTranslateError(f"there is no event for the action {step.action}")
    event: JsonObject = {"client": label["client"]}
    if "file" in row.fields:
        event["file"] = FOO
    if action == "resolve":
        event |= {"resolve_held": True, "pick": _pick(run, label)}
        return event if label["text"] == KEEP else {**event, "text": label["text"]}
    if action == "join":
        return {**event, "join": {} if label["text"] == NOTHING else {FOO: label["text"]}}
    if "text" in label:
        text = None if action == "change" and label["text"] == NOTHING else label["text"]
        return {**event, row.key: text}
    stops = {"stops": True} if action != step.action else {}
    return {**event, row.key: label.get("other", True), **stops}


def _pick(run: Run[Any], label: Any) -> int:
    """Return the conflict files that a resolution names, as bits of their places."""
    held = cd.file_of(run.folder.clients[label["client"]], FOO).conflicts
    return sum(1 << at for at, each in enumerate(held) if label["others"] & {*each.nicknames})


# code to model


def trace_of(history: History, reading: cd.Reading) -> Behaviour:
    """Return a history as a trace, which the model must allow.

    The trace leaves out garbage collections and refused steps, because they do not change the state
    of the model. If a client was set back, two versions can have one map, and the suite cannot tell
    them apart. The trace then has only the design of snapshots.
    """
    snapshots = _steps(new_run("snapshots", reading, history.clients), history)
    if any("set_back" in event for event in history.events):
        return Behaviour(tuple(snapshots))
    maps = _steps(new_run("version-maps", reading, history.clients), history)
    return Behaviour((*snapshots, *maps))


def _steps(run: Run[V], history: History) -> Iterator[Step]:
    """Yield the steps of a history in one design, for one file after the other."""
    steps = [
        (taken, taken.after, run.links(taken.after))
        for taken in map(run.take, history.events)
        if taken.after is not None and taken.refused is None
    ]
    members = NICKNAMES[: history.clients]
    for path in sorted(run.truths):
        begin = record(action="begin", design=run.design.name, clients=frozenset(members))
        yield Step(begin, record(members=frozenset[Value](members)))
        for taken, client, links in steps:
            found = next((each.found for each in taken.polled if each.path == path), None)
            for label in labels(taken.step, taken.before, path):
                yield Step(label, observed(run, path, client, links, found))


def labels(action: Any, before: cd.Client[Any] | None, path: str) -> Iterator[Function]:
    """Yield the model's steps for the file `path`, of one action; there may be none.

    before: the client that took the step, before the step; None if it joined by this step.
    """
    client, row = action["client"], row_of(action)
    if "file" not in row.fields:
        yield record(action=_model_name(action), client=client, **_details(action, path))
        return
    assert before is not None
    own, nicknames = cd.split_file_name(action["file"])
    if nicknames:
        yield from _of_a_conflict_file(action, before, path, own, nicknames)
    elif "rename" in action:
        content = cd.file_of(before, own).content
        if own == path:
            yield record(action="delete", client=client)
        elif action["rename"] == path and content is not None:
            yield record(action="edit", client=client, text=text_of(content))
    elif own == path:
        yield record(action=_model_name(action), client=client, **_details(action, path))
    elif "stops" in action:
        yield record(action="go-offline", client=client)


def _model_name(action: JsonObject) -> str:
    """Return the model's name of an action. The model has one file, so a poll of all is a poll."""
    return "poll" if "poll_all" in action else event_name(action)


def _details(action: Any, path: str) -> dict[str, Any]:
    """Return the fields of the model's step besides its action and client."""
    row = row_of(action)
    value = action[row.key]
    match row.key:
        case "join":
            return {"text": value.get(path, NOTHING)}
        case "resolve":
            return {"others": frozenset(value), "text": action.get("text", KEEP)}
        case _ if is_client(row.fields[row.key]):
            return {"other": value}
        case _ if value is True:
            return {}
    return {"text": NOTHING if value is None else value}


def _of_a_conflict_file(
    action: Any, before: cd.Client[Any], path: str, own: str, nicknames: Sequence[str]
) -> Iterator[Function]:
    """Yield the steps of an action on a conflict file.

    Deleting or renaming it resolves the conflict. Writing to it changes no version.
    """

    def resolved(text: str) -> Function:
        others = frozenset(nicknames)
        return record(action="resolve", client=before.nickname, others=others, text=text)

    target = action.get("rename")
    held = (each for each in cd.file_of(before, own).conflicts if each.nicknames == nicknames)
    content = text_of(next(held).content or b"") or ""
    if own == path and ("delete" in action or target is not None):
        yield resolved(content if target == path else KEEP)
    elif target == path:
        yield record(action="edit", client=before.nickname, text=content)


# the constants of the model


def _constants(
    reading: cd.Reading, *, clients: str, texts: Sequence[str], uploads: int, **some: str
) -> Constants:
    """Return the constants of the model: the bounds, and the choice points of the reading.

    some: set of clients -> its members, for the sets that are not empty.
    """
    points: dict[str, Value] = {
        "".join(word.capitalize() for word in name.split("_")): getattr(reading, name)
        for name in choice_points(type(reading))
        if getattr(cd.REPAIRED, name) != getattr(cd.LITERAL, name)
    }
    sets = ("Latecomers", "Away", "Fickle", "Slow", "Fragile", "Restored")
    return {
        "Clients": frozenset(clients),
        "Texts": frozenset(texts),
        "MaxUploads": uploads,
        "Designs": frozenset({"snapshots", "version-maps"}),
        **{name: frozenset(some.get(name, "")) for name in sets},
        "Resolver": clients[0],
        **points,
    }


def _simulation(reading: cd.Reading) -> Constants:
    some = {"Latecomers": "D", "Away": "A", "Fickle": "D", "Slow": "B", "Fragile": "C"}
    return _constants(reading, clients="ABCD", texts=("x", "y"), uploads=12, **some)


def _exhaustive(reading: cd.Reading) -> Constants:
    return _constants(reading, clients="AB", texts=("x",), uploads=3)


def _traces(_traces: Sequence[Behaviour], reading: cd.Reading) -> Constants:
    return _constants(reading, clients=NICKNAMES, texts=(), uploads=_NO_BOUND)


MODEL: Final[Model[History]] = Model(
    module="ConflictDetection",
    configurations=configurations("conflict-detection"),
    simulation_constants=under(READINGS, _simulation),
    exhaustive_constants=under(READINGS, _exhaustive),
    trace_constants=under(READINGS, _traces),
    replay=under(READINGS, replay),
    history_of=under(READINGS, history_of),
    trace_of=under(READINGS, trace_of),
    weights={"poll": 12, "edit": 4, "resolve": 4, "delete": 2},
)
