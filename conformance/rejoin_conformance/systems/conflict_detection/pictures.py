"""A history as text and as drawings: its events with their results, the versions of each file."""

from __future__ import annotations

from typing import Final, TypeVar

from attrs import evolve

from rejoin import conflict_detection as cd
from rejoin_conformance.contract.history import Pictures
from rejoin_conformance.kit.counted import counted
from rejoin_conformance.kit.dag_drawing import Drawing
from rejoin_conformance.kit.json_types import JsonObject
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
from rejoin_conformance.systems.conflict_detection.run import Polled, Run, Taken

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
