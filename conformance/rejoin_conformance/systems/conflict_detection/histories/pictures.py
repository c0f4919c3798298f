"""Tell a history to a person: its events with what came of them, and the versions of each file."""

from __future__ import annotations

from typing import Final, TypeVar

from rejoin import conflict_detection as cd
from rejoin_conformance.contract.history import Pictures
from rejoin_conformance.kit.dag_drawing import Drawing
from rejoin_conformance.systems.conflict_detection import READINGS
from rejoin_conformance.systems.conflict_detection.histories.events import Event, History
from rejoin_conformance.systems.conflict_detection.histories.examine import Session, new_session
from rejoin_conformance.systems.conflict_detection.histories.ground_truth import FileTruth, dag_of
from rejoin_conformance.systems.conflict_detection.histories.run import Polled, Run, Taken
from rejoin_conformance.systems.conflict_detection.notation.history import spelled_event
from rejoin_conformance.systems.conflict_detection.notation.steps import spelled_step

V = TypeVar("V")


def tell(history: History, reading: cd.Reading) -> str:
    """The events one by one; then for each file its version DAG, and what everybody has of it.

    What polls find is told as in the design of snapshots, and where the design of version maps
    finds something else, that too.
    """
    session = new_session(reading, history.clients)
    lines = [f"{history.clients} clients, reading {reading.name}", ""]
    for number, event in enumerate(history.events, start=1):
        lines.append(f"{number:>3}  {_told(session, event)}")
    if history.settles:
        settled = "; A polls all and resolves everything; all poll A" if session.settle() else ""
        lines.append(f"end  all come back{settled}")
    for path, truth in sorted(session.snapshots.truths.items()):
        lines += [
            "",
            path,
            *(f"    {line}" for line in _drawn(session, path, truth).text().splitlines()),
        ]
        lines += [f"    {line}" for line in _had(session.snapshots, path)]
    return "\n".join(lines)


def drawings(history: History, reading: cd.Reading) -> tuple[Drawing, ...]:
    """The version DAG of each file at the end of the history, everybody back."""
    session = new_session(reading, history.clients)
    for event in history.events:
        session.take(event)
    if history.settles:
        session.settle()
    return tuple(
        _drawn(session, path, truth) for path, truth in sorted(session.snapshots.truths.items())
    )


def _told(session: Session, event: Event) -> str:
    snapshots, maps = session.take(event)
    ours, theirs = _outcome(session.snapshots, snapshots), _outcome(session.maps, maps)
    told = ours if ours == theirs else f"{ours}; in version maps: {theirs}"
    return f"{_said(snapshots)}{': ' if told else ''}{told}"


def _said(taken: Taken[bytes]) -> str:
    """What was done, as the notation writes it: the step, or the event if it is none."""
    if taken.step is None or taken.step.client is None:
        return spelled_event(taken.event)
    return spelled_step(taken.step.said, named=True)


def _outcome(run: Run[V], taken: Taken[V]) -> str:
    """What was found, or made, or why nothing was done."""
    if taken.refused is not None:
        return f"nothing ({taken.refused})"
    found = [_polled(run, polled) for polled in taken.polled]
    found += [f"{each.path} {run.truth(each.path).name(each.version)}" for each in taken.uploaded]
    return "; ".join(found)


def _polled(run: Run[V], polled: Polled[V]) -> str:
    name = run.truth(polled.path).name(run.key(polled.theirs))
    wrong = "" if polled.found is polled.expected else f", should be {polled.expected}"
    return f"{polled.path} {name} {polled.found}{wrong}"


def _drawn(session: Session, path: str, truth: FileTruth) -> Drawing:
    """The version DAG, with the version maps where they name the same uploads."""
    names = dict(enumerate(truth.names))
    maps = session.maps.truths.get(path)
    notes: dict[int, str] = {}
    if maps is not None and maps.names == truth.names:
        for key, number in maps.numbers.items():
            entries = " ".join(
                f"{entry[0]} {entry[1]}" for entry in key if isinstance(entry, tuple)
            )
            notes[number] = f"({entries})"
    for number in names:
        if truth.contents[number] is None:
            notes[number] = f"{notes.get(number, '')} deletion".strip()
    return Drawing(path, dag_of(truth), names, notes)


def _had(run: Run[V], path: str) -> list[str]:
    """What each client has of a file at the end."""
    lines: list[str] = []
    for nickname, client in sorted(run.folder.clients.items()):
        file = client.files.get(path)
        if file is not None and file.version is not None:
            name = run.truth(path).name(run.key(file.version))
            held = [
                f"{run.truth(path).name(run.key(each.version))} of {', '.join(each.nicknames)}"
                for each in file.conflicts
            ]
            away = "" if client.online else ", is offline"
            beside = f", and beside it {'; '.join(held)}" if held else ""
            lines.append(f"{nickname} has {name}{beside}{away}")
    return lines


PICTURES: Final = Pictures(tell=READINGS.under(tell), drawings=READINGS.under(drawings))
"""The histories of this system for a person."""
