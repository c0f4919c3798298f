"""Histories and answers for people: text, drawings, and why an output is wrong.

A history has its events with their results, and the versions of each file. The drawing of a wrong
output has the versions with what differs. A classification follows from the path between two
versions, or from the entries in which two maps differ. The observed output comes from an adapter,
so it can be anything.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Any, Final, TypeVar

from attrs import evolve

from rejoin import conflict_detection as cd
from rejoin_conformance.contract.explanation import explain_json
from rejoin_conformance.contract.history import Pictures
from rejoin_conformance.contract.operation import Asked, Output
from rejoin_conformance.contract.step import first_parting, steps_in
from rejoin_conformance.kit.dag_drawing import Drawing, drawing_of_nodes
from rejoin_conformance.kit.json_types import JsonObject
from rejoin_conformance.kit.text import counted, shown_line
from rejoin_conformance.readings.expressions import under
from rejoin_conformance.systems.conflict_detection import READINGS
from rejoin_conformance.systems.conflict_detection.actions import spelled_action
from rejoin_conformance.systems.conflict_detection.examine import (
    Session,
    finished_session,
    new_session,
)
from rejoin_conformance.systems.conflict_detection.ground_truth import FileTruth, dag_of
from rejoin_conformance.systems.conflict_detection.history import History
from rejoin_conformance.systems.conflict_detection.operations import SCENARIO_STEPS
from rejoin_conformance.systems.conflict_detection.run import Polled, Run, Taken

_LISTS: Final = ("versions", "snapshots")
"""The fields of inputs that list versions with their parents."""
_NAMED: Final = ("local", "remote", "later", "earlier")
"""The fields of inputs that name a version."""
_SHOWN: Final = 40
"""The maximum number of characters of a file's text in a drawing."""
_LONGEST_PATH: Final = 12
_ENDS: Final = 3
"""The most versions of a path that is told whole, and how many of each end of a longer one are."""


def explain(asked: Asked) -> str | None:
    """Return the first difference of two outputs with its reason, or None if there is no reason."""
    value: Any = asked.input
    match asked.operation.partition("/")[2]:
        case "follows":
            reason = _relation(value["versions"], value["later"], value["earlier"])
        case "classify-snapshot" | "walk" if value["local"] is not None:
            reason = _relation(value["snapshots"], value["remote"], value["local"])
        case "classify-version-map" if value["local"] is not None:
            reason = _entries(value["local"], value["remote"])
        case _:
            return None
    outputs = asked.expected_output, asked.observed_output
    return f"{explain_json(*outputs, asked.labels)}\n  {reason}"


def _relation(versions: Any, one: str, other: str) -> str:
    """Return how two versions are related, with a path from the later to the earlier one."""
    parents = {each["id"]: each["parents"] for each in versions}
    path = _path(parents, one, other) or _path(parents, other, one)
    if len(path) == 1:
        return "both are the same version"
    names = [*map(shown_line, path)]
    if not names:
        return f"neither of {shown_line(one)} and {shown_line(other)} follows the other"
    between = [*names[:_ENDS], f"... {len(names) - 2 * _ENDS:,} more", *names[-_ENDS:]]
    way = names if len(names) <= _LONGEST_PATH else between
    return f"{names[0]} follows {names[-1]}: {' -> '.join(way)}"


def _path(parents: Mapping[str, list[str]], later: str, earlier: str) -> list[str]:
    """Return a path of parents from a later version to an earlier one; empty if there is none."""
    paths, seen = [[later]], {later}
    for path in paths:
        if path[-1] == earlier:
            return path
        for parent in parents.get(path[-1], ()):
            if parent not in seen:
                seen.add(parent)
                paths.append([*path, parent])
    return []


def _entries(ours: Mapping[str, int], theirs: Mapping[str, int]) -> str:
    """Return the entries in which two version maps differ."""
    said = []
    for name, larger, smaller in (("theirs", theirs, ours), ("ours", ours, theirs)):
        more = [each for each in sorted(larger) if larger[each] > smaller.get(each, 0)]
        said += [f"{name} is larger at {', '.join(map(shown_line, more))}"] if more else []
    return "; ".join(said) or "no entry differs; a missing entry counts as 0"


def draw(asked: Asked, steps: Sequence[JsonObject]) -> Iterator[Drawing]:
    """Yield the drawings of a question's versions, with those at which steps or outputs part."""
    for field in _LISTS:
        versions = asked.input.get(field)
        if isinstance(versions, list):
            marked = {*_parting_names(asked)}
            drawing = drawing_of_nodes(field, versions, partial(_role, asked), marked)
            if drawing is not None and drawing.dag:
                yield drawing
    if isinstance(asked.input.get("clients"), list):
        yield from _of_scenario(asked, steps)


def _role(asked: Asked, version: JsonObject) -> str:
    """Return the field of the input that names a version, or an empty text."""
    return next((role for role in _NAMED if asked.input.get(role) == version["id"]), "")


def _parting_names(asked: Asked) -> Iterator[str]:
    """Yield the versions that only one of two outputs lists.

    If the outputs differ in anything else, it is about the version that the input compares.
    """
    if len(asked.outputs) == 2:
        one, other = asked.outputs
        for field in {*one} & {*other}:
            left, right = one[field], other[field]
            if isinstance(left, list) and isinstance(right, list):
                yield from {*map(str, left)} ^ {*map(str, right)}
            elif left != right:
                yield str(asked.input.get("remote", asked.input.get("later")))


def _of_scenario(asked: Asked, parting: Sequence[Any]) -> Iterator[Drawing]:
    """Yield the version graph of each file. The action that made a version is its name: `#3`.

    Marked are the versions that the first parting action sees or uploads.
    """
    result = SCENARIO_STEPS.answer(asked.input, asked.reading)
    steps: list[Any] = steps_in(result.value) if isinstance(result, Output) else []
    numbers = [each["number"] for each in parting if isinstance(each.get("number"), int)]
    place: Any = min(numbers, default=None)
    if place is None and len(asked.outputs) == 2:
        place = first_parting(*asked.outputs)
    parted = [each for each in steps if each["number"] == place]
    marked = {each.get("origin", place if each["step"] == "upload" else None) for each in parted}
    uploads: dict[str, dict[int, Any]] = {}
    for each in steps:
        if each["step"] == "upload":
            uploads.setdefault(each["file"], {})[each["number"]] = each
    for path, versions in sorted(uploads.items()):
        yield Drawing(
            path,
            {
                n: [each for each in step["follows"] if each in versions]
                for n, step in versions.items()
            },
            {number: f"#{number}" for number in versions},
            {number: _note(step) for number, step in versions.items()},
            frozenset(marked & {*versions}),
        )


def _note(step: Any) -> str:
    said = "deletes it" if step["text"] is None else f"writes {step['text'][:_SHOWN]!r}"
    return f"{step['client']} {said}"


V = TypeVar("V")


def describe_history(history: History, reading: cd.Reading) -> str:
    """Return a history as text: its events, and for each file its version DAG and all clients.

    The results of polls are those of the design of snapshots. If the design of version maps has
    another result, the text shows it too.
    """
    session = new_session(reading, history.clients)
    lines = [f"{counted(history.clients, 'client')}, reading {reading.name}", ""]
    for number, event in enumerate(history.events, start=1):
        lines.append(f"{number:>3}  {_event_line(session, event)}")
    if history.settles:
        settled = "; A polls all others, resolves all conflicts, and all others poll A"
        lines.append(f"end  all clients come back{settled if session.settle() else ''}")
    for path, truth in sorted(session.snapshots.truths.items()):
        lines += [
            "",
            path,
            *(f"    {line}" for line in _drawn(session, path, truth).text().splitlines()),
        ]
        lines += [f"    {line}" for line in clients_at(session.snapshots, path)]
    return "\n".join(lines)


def drawings(history: History, reading: cd.Reading) -> tuple[Drawing, ...]:
    """Return the version DAG of each file at the end of the history, with all clients back.

    If it differs in the design of version maps, that one follows.
    """
    session = finished_session(history, reading)
    found: list[Drawing] = []
    for path, truth in sorted(session.snapshots.truths.items()):
        other = session.maps.truths.get(path, truth)
        found.append(_drawn(session, path, truth))
        if (other.names, dag_of(other)) != (truth.names, dag_of(truth)):
            found.append(evolve(_drawn(session, path, other), title=f"{path} in version maps"))
    return tuple(found)


def _event_line(session: Session, event: JsonObject) -> str:
    snapshots, maps = session.take(event)
    ours, theirs = _outcome(session.snapshots, snapshots), _outcome(session.maps, maps)
    return _told(snapshots, ours if ours == theirs else f"{ours}; in version maps: {theirs}")


def happened(run: Run[V], taken: Taken[V]) -> str:
    """Return an event with its results in one line."""
    return _told(taken, _outcome(run, taken))


def _told(taken: Taken[V], results: str) -> str:
    """Return the action as the notation writes it, or the event if there is none, and results."""
    action = spelled_action(taken.event if taken.step is None else taken.step, named=True)
    return f"{action}{': ' if results else ''}{results}"


def _outcome(run: Run[V], taken: Taken[V]) -> str:
    """Return the classifications and the uploads of an event, or the reason of its refusal."""
    if taken.refused is not None:
        return f"no effect ({taken.refused})"
    found = [_polled(run, polled) for polled in taken.polled]
    found += [f"{each.path} {run.truth(each.path).name(each.version)}" for each in taken.uploaded]
    return "; ".join(found)


def _polled(run: Run[V], polled: Polled[V]) -> str:
    name = run.name(polled.path, polled.theirs)
    wrong = "" if polled.found is polled.expected else f", expected {polled.expected}"
    return f"{polled.path} {name} {polled.found}{wrong}"


def _drawn(session: Session, path: str, truth: FileTruth) -> Drawing:
    """Return the version DAG, with the version maps if they belong to the same uploads."""
    names = dict(enumerate(truth.names))
    maps = session.maps.truths.get(path)
    notes: dict[int, str] = {}
    if maps is not None and maps.names == truth.names:
        notes = map_notes(maps)
    for number in names:
        if truth.contents[number] is None:
            notes[number] = f"{notes.get(number, '')} deletion".strip()
    return Drawing(path, dag_of(truth), names, notes)


def map_notes(truth: FileTruth) -> dict[int, str]:
    """Return number -> the version map, for the versions that have one."""
    return {
        number: f"({' '.join(f'{maker} {made}' for maker, made in sorted(key))})"
        for key, number in truth.numbers.items()
        if isinstance(key, frozenset)
    }


def clients_at(run: Run[V], path: str) -> list[str]:
    """Return one line for each client: its version of a file and its conflicts at the end."""
    lines: list[str] = []
    for nickname, client in sorted(run.folder.clients.items()):
        file = client.files.get(path)
        if file is not None and file.version is not None:
            name = run.name(path, file.version)
            held = [
                f"{run.name(path, each.version)} of {', '.join(each.nicknames)}"
                for each in file.conflicts
            ]
            away = "" if client.online else " (offline)"
            beside = f", in conflict with {'; '.join(held)}" if held else ""
            lines.append(f"{nickname} has {name}{beside}{away}")
    return lines


PICTURES: Final = Pictures(
    describe=under(READINGS, describe_history), drawings=under(READINGS, drawings)
)
"""The histories of this system as text and drawings."""
