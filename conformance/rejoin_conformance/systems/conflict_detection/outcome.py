"""The outcome of a history, by which two readings are compared: files, decisions and links."""

from __future__ import annotations

from typing import TypeVar

from rejoin import conflict_detection as cd
from rejoin_conformance.kit.json_types import Json, JsonObject
from rejoin_conformance.systems.conflict_detection.examine import can_settle, returns, settling
from rejoin_conformance.systems.conflict_detection.history import History
from rejoin_conformance.systems.conflict_detection.run import Run, Taken, new_run
from rejoin_conformance.systems.conflict_detection.scenario import DESIGNS

V = TypeVar("V")


def outcome_of(history: History, reading: cd.Reading) -> JsonObject:
    """Return the outcome of a history in both designs.

    held: every client's files at the end, conflict files included. decided: the classifications of
    each poll, or the code of a refused step. stored: the links of every client's directory at the
    end.
    """
    runs = {design: _run(new_run(design, reading, history.clients), history) for design in DESIGNS}
    return {
        aspect: {design: outcome[aspect] for design, outcome in runs.items()}
        for aspect in ("held", "decided", "stored")
    }


def _run(run: Run[V], history: History) -> JsonObject:
    decided: list[Json] = [_decided(run.take(event)) for event in history.events]
    if history.settles:
        decided += [_decided(run.take(event)) for event in returns(run.folder)]
        if can_settle(run.folder):
            decided += [_decided(run.take(event)) for event in settling(run.folder)]
    held: JsonObject = {}
    stored: JsonObject = {}
    for nickname, client in sorted(run.folder.clients.items()):
        held[nickname] = {
            name: content.decode("utf-8", "backslashreplace")
            for name, content in cd.local_files(client).items()
        }
        links = run.links(client)
        stored[nickname] = {path: _linked(entry) for path, entry in sorted(links.items())}
    when: JsonObject = {f"event {place:03}": each for place, each in enumerate(decided)}
    return {"held": held, "decided": when, "stored": stored}


def _decided(taken: Taken[V]) -> Json:
    if taken.refused is not None:
        return taken.refused
    return {each.path: each.found.value for each in taken.polled}


def _linked(entry: cd.Entry) -> Json:
    if entry.version_map is not None:
        return dict(sorted(entry.version_map.items()))
    return None if entry.capability is None else entry.capability.hex()
