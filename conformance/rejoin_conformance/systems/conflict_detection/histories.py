"""The random histories of conflict detection: drawn from profiles, run in both designs, checked.

A kept campaign depends on this module and on what it imports (`campaigns/kept/store.py`).
"""

from __future__ import annotations

from typing import Final, TypeVar

from rejoin import conflict_detection as cd
from rejoin_conformance.contract.history import Histories
from rejoin_conformance.kit.json_types import Json, JsonObject
from rejoin_conformance.readings.expressions import under
from rejoin_conformance.systems.conflict_detection import READINGS
from rejoin_conformance.systems.conflict_detection.calls import calls_of
from rejoin_conformance.systems.conflict_detection.drawing import generate
from rejoin_conformance.systems.conflict_detection.examine import (
    can_settle,
    examine,
    returns,
    settling,
)
from rejoin_conformance.systems.conflict_detection.history import (
    History,
    history_from_json,
    history_to_json,
)
from rejoin_conformance.systems.conflict_detection.profiles import SUMMARIES
from rejoin_conformance.systems.conflict_detection.run import (
    Run,
    Taken,
    map_run,
    snapshot_run,
)

V = TypeVar("V")


def outcome_of(history: History, reading: cd.Reading) -> JsonObject:
    """Return the outcome of a history in both designs.

    held: every client's files at the end, conflict files included. decided: the classifications of
    each poll, or the code of a refused step. stored: the links of every client's directory at the
    end.
    """
    runs: dict[str, JsonObject] = {
        "snapshots": _run(snapshot_run(reading, history.clients), history),
        "version-maps": _run(map_run(reading, history.clients), history),
    }
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


HISTORIES: Final[Histories[History]] = Histories(
    profiles=SUMMARIES,
    large=("long", "large"),
    generate=generate,
    examine=under(READINGS, examine),
    calls=calls_of,
    outcome=under(READINGS, outcome_of),
    to_json=history_to_json,
    from_json=history_from_json,
)
"""The random histories of this system."""
