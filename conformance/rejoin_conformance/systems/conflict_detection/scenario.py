"""Scenarios: clients act one after the other, with a report of each step."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from typing import Any, Final, TypeVar

from attrs import asdict

from rejoin import conflict_detection as cd
from rejoin_conformance.kit.json_types import Json, JsonObject
from rejoin_conformance.kit.phrases import Kind
from rejoin_conformance.kit.schemas import TEXT, hex_of, list_of, map_of, one_of_texts
from rejoin_conformance.systems.conflict_detection.acting import Done, act
from rejoin_conformance.systems.conflict_detection.actions import STEP
from rejoin_conformance.systems.conflict_detection.fields import by_nickname
from rejoin_conformance.systems.conflict_detection.kinds import text_of
from rejoin_conformance.systems.conflict_detection.reports import (
    OPERATIONS,
    REPORTS,
    Origins,
    report_schema,
)

V = TypeVar("V")

DESIGNS: Final[Mapping[str, Callable[[cd.Reading], cd.Design[Any]]]] = {
    "snapshots": cd.SnapshotDesign,
    "version-maps": cd.MapDesign,
}
STEPS_WORDS: Final = "The steps in order."
SCENARIO_FIELDS: Final[Mapping[str, Kind]] = {
    "design": Kind(schema=one_of_texts(*DESIGNS), words="The design: snapshots or version maps."),
    "clients": Kind(schema=list_of(TEXT), words="The nicknames of the clients, possibly none."),
    "steps": Kind(schema=list_of(STEP), words=STEPS_WORDS),
    "report": Kind(
        schema=list_of(one_of_texts(OPERATIONS, *REPORTS), unique=True),
        missing=(),
        words="The further fields that every step of the output has.",
    ),
    "signing_keys": Kind(
        schema=map_of(hex_of(32)),
        load=by_nickname,
        missing={},
        words="Client -> the seed of its signing key: 32 bytes. Only clients in `clients` sign; "
        "keys of others have no effect.",
    ),
    "reports": Kind(schema=list_of(report_schema()), words=STEPS_WORDS),
}
"""The kinds of the fields of scenarios, by name."""


# Playing a scenario.


def folder_of(value: Mapping[str, Any], reading: cd.Reading) -> cd.Folder[Any]:
    """Return the folder in which a scenario begins."""
    cd.checked_steps(len(value["steps"]))
    cd.checked_scenario(_size_of_lists(value["clients"]))
    keys = {name: bytes.fromhex(key) for name, key in value["signing_keys"].items()}
    folder: cd.Folder[Any] = cd.Folder(DESIGNS[value["design"]](reading))
    return cd.add_clients(folder, [(name, keys.get(name)) for name in value["clients"]])


def play(value: Mapping[str, Any], reading: cd.Reading) -> Json:
    """Carry out a whole scenario and return the report of each step."""
    steps = value["steps"]
    done, size = _done(folder_of(value, reading), steps), _size_of_lists(value["clients"])
    return reported(steps, done, value["report"], size)["steps"]


def _done(folder: cd.Folder[Any], steps: Iterable[JsonObject]) -> Iterator[Done]:
    for step in steps:
        done = act(folder, step)
        folder = done.outcome.folder
        yield done


def reported(
    steps: Iterable[JsonObject], done: Iterable[Done], wanted: Iterable[str], size: int = 0
) -> JsonObject:
    """Return the output of a scenario. done: what `act` returned for each step.

    size: that of the scenario before its first step.
    """
    asked, origins = frozenset(wanted), Origins()
    listed: list[Json] = []
    for number, (step, (outcome, found)) in enumerate(zip(steps, done, strict=True)):
        origins.note(outcome.folder, number)
        said = _report(outcome, asked, origins)
        if "poll_all" in step:
            said["classifications"] = {path: each.value for path, each in found.items()}
        written = _size_of_lists(outcome.folder.clients) if "join" in step else 0
        size = cd.checked_scenario(size + _size_of(said) + written)
        listed.append(said)
    return {"steps": listed}


def _size_of_lists(clients: Collection[str]) -> int:
    """Return the size of the lists of subscriptions: every client names all of them."""
    return len(clients) * _size_of(dict.fromkeys(clients))


def _size_of(report: Json) -> int:
    """Return the bytes of all names and texts in a report, and one for each name."""
    if isinstance(report, str):
        return len(report.encode("utf-8", "surrogatepass"))
    if isinstance(report, dict):
        return sum(1 + _size_of(name) + _size_of(each) for name, each in report.items())
    return 0


def _report(outcome: cd.Outcome[V], asked: frozenset[str], origins: Origins) -> JsonObject:
    folder, found = outcome.folder, outcome.classification
    clients = sorted(folder.clients.items())
    files: JsonObject = {
        name: {path: text_of(content) for path, content in cd.local_files(client).items()}
        for name, client in clients
    }
    said: JsonObject = {"classification": None if found is None else found.value, "files": files}
    if OPERATIONS in asked:
        total = cd.total(outcome.operations)
        said[OPERATIONS] = {**asdict(outcome.operations), "total": total}
    for name, each in REPORTS.items():
        if name in asked:
            said[name] = {who: each.tells(folder, client, origins) for who, client in clients}
    return said
