"""The operation `scenario`: clients act one after the other, with a report of every step."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, Final, TypeVar, cast

from rejoin import conflict_detection as cd
from rejoin_conformance.contract.operation import Operation
from rejoin_conformance.kit.json_types import Json, JsonObject
from rejoin_conformance.kit.schemas import (
    TEXT,
    any_of,
    hex_of,
    list_of,
    map_of,
    nullable,
    one_of_texts,
    record,
)
from rejoin_conformance.readings.expressions import under
from rejoin_conformance.systems.conflict_detection import READINGS
from rejoin_conformance.systems.conflict_detection.operations.features import (
    SCENARIO_FEATURES,
    step_words,
)
from rejoin_conformance.systems.conflict_detection.operations.fields import (
    text_of,
    text_or_none,
    texts_of,
)
from rejoin_conformance.systems.conflict_detection.operations.forging import (
    edit_with_forged_signature,
)
from rejoin_conformance.systems.conflict_detection.operations.scenario_report import (
    REPORTS,
    STEP_REPORT,
    Origins,
    report,
)

V = TypeVar("V")

_TRUE: Final[JsonObject] = {"const": True}
_CLIENT: Final[dict[str, JsonObject]] = {"client": TEXT}
_FILE: Final[dict[str, JsonObject]] = {"file": TEXT}

STEP: Final = any_of(
    record({**_CLIENT, "edit": TEXT}, {**_FILE, "forged": _TRUE}),
    record({**_CLIENT, "change": nullable(TEXT)}, _FILE),
    record({**_CLIENT, "upload": _TRUE}),
    record({**_CLIENT, "poll": TEXT}, {**_FILE, "stops": _TRUE}),
    record({**_CLIENT, "poll_all": TEXT}),
    record({**_CLIENT, "resolve": list_of(TEXT)}, {**_FILE, "text": TEXT}),
    record({**_CLIENT, "delete": _TRUE}, _FILE),
    record({**_CLIENT, "undelete": TEXT}, _FILE),
    record({**_CLIENT, "rename": TEXT}, _FILE),
    record({**_CLIENT, "offline": _TRUE}),
    record({**_CLIENT, "online": _TRUE}),
    record({**_CLIENT, "join": map_of(TEXT)}),
    record({**_CLIENT, "subscribe": TEXT}),
    record({**_CLIENT, "unsubscribe": TEXT}),
    record({**_CLIENT, "back_up": _TRUE}),
    record({**_CLIENT, "set_back": _TRUE}),
    record({"collect_garbage": _TRUE}),
)
"""One step. If `file` is missing, it is `foo`.

`forged`: the lowest bit in the first byte of the new snapshot's signature is changed. `change`: a
change that the client does not notice until `upload`, null for a deletion. `stops`: the client
stops at the end of the poll, and during an overwrite before it links the version; it is then
offline. `collect_garbage`: all clients renew their leases, and the grid drops the objects without a
lease.
"""


_OF_A_CLIENT: Final[Mapping[str, Callable[[cd.Folder[Any], str], cd.Outcome[Any]]]] = {
    "offline": cd.go_offline,
    "online": cd.come_back,
    "upload": cd.upload_changes,
    "back_up": cd.back_up,
    "set_back": cd.set_back,
}
"""Field of a step -> the action that needs nothing else."""


def content_of(text: str) -> bytes:
    """Return a text of a scenario as a file's content: UTF-8, with lone surrogates allowed."""
    return text.encode("utf-8", "surrogatepass")


def act(folder: cd.Folder[V], step: JsonObject) -> tuple[cd.Outcome[V], JsonObject]:
    """Carry out one step.

    Returns the outcome, and the fields that a poll of all files adds to the report.
    """
    if "collect_garbage" in step:
        return _without_garbage(folder), {}
    client = text_of(step, "client")
    file = text_of(step, "file") if "file" in step else "foo"
    if "edit" in step:
        edit = edit_with_forged_signature if "forged" in step else cd.edit
        return edit(folder, client, file, content_of(text_of(step, "edit"))), {}
    if "change" in step:
        changed = text_or_none(step, "change")
        unnoticed = None if changed is None else content_of(changed)
        return cd.change_unnoticed(folder, client, file, unnoticed), {}
    if "poll" in step:
        other = text_of(step, "poll")
        return cd.poll(folder, client, other, file, stops="stops" in step), {}
    if "poll_all" in step:
        polled = cd.poll_all(folder, client, text_of(step, "poll_all"))
        found: JsonObject = {
            path: classification.value for path, classification in polled.classifications.items()
        }
        return cd.Outcome(polled.folder, None, polled.operations), {"classifications": found}
    if "resolve" in step:
        text = text_or_none(step, "text")
        content = None if text is None else content_of(text)
        return cd.resolve(folder, client, file, texts_of(step, "resolve"), content), {}
    if "delete" in step:
        return cd.delete(folder, client, file), {}
    if "undelete" in step:
        return cd.undelete(folder, client, file, content_of(text_of(step, "undelete"))), {}
    if "rename" in step:
        return cd.rename(folder, client, file, text_of(step, "rename")), {}
    return _act_on_membership(folder, client, step), {}


def _act_on_membership(folder: cd.Folder[V], client: str, step: JsonObject) -> cd.Outcome[V]:
    """Carry out a step that is about no file, or that joins or changes a subscription."""
    for name, action in _OF_A_CLIENT.items():
        if name in step:
            return action(folder, client)
    if "join" in step:
        files = cast("dict[str, str]", step["join"])
        return cd.join_folder(folder, client, {path: content_of(files[path]) for path in files})
    if "subscribe" in step:
        return cd.Outcome(cd.subscribe(folder, client, text_of(step, "subscribe")))
    return cd.Outcome(cd.unsubscribe(folder, client, text_of(step, "unsubscribe")))


def _without_garbage(folder: cd.Folder[V]) -> cd.Outcome[V]:
    leases: dict[bytes, int] = {}
    for nickname in sorted(folder.clients):
        leases = cd.renew_leases(folder, leases, nickname, 1)
    return cd.Outcome(cd.collect_garbage(folder, leases, 0))


def play(design: cd.Design[V], value: JsonObject) -> JsonObject:
    """Carry out a whole scenario in one design and return its output."""
    folder = folder_of(design, value)
    outcomes = _outcomes(folder, cast("list[JsonObject]", value["steps"]))
    return reported(outcomes, cast("list[str]", value.get("report", [])))


def _outcomes(
    folder: cd.Folder[V], steps: Iterable[JsonObject]
) -> Iterator[tuple[cd.Outcome[V], JsonObject]]:
    for step in steps:
        outcome, extra = act(folder, step)
        folder = outcome.folder
        yield outcome, extra


def reported(
    outcomes: Iterable[tuple[cd.Outcome[V], JsonObject]], wanted: Iterable[str]
) -> JsonObject:
    """Return the output of a scenario. outcomes: what `act` returned for each step."""
    reports = frozenset(wanted)
    origins = Origins()
    steps: list[Json] = []
    for number, (outcome, extra) in enumerate(outcomes):
        origins.note(outcome.folder, number)
        steps.append({**report(outcome, reports, origins), **extra})
    return {"steps": steps}


def folder_of(design: cd.Design[V], value: JsonObject) -> cd.Folder[V]:
    """Return the folder in which a scenario begins."""
    keys = cast("dict[str, str]", value.get("signing_keys", {}))
    folder: cd.Folder[V] = cd.Folder(design)
    for nickname in texts_of(value, "clients"):
        key = bytes.fromhex(keys[nickname]) if nickname in keys else None
        folder = cd.add_client(folder, nickname, key)
    return folder


def _scenario(value: JsonObject, reading: cd.Reading) -> JsonObject:
    if value["design"] == "snapshots":
        return play(cd.SnapshotDesign(reading), value)
    return play(cd.MapDesign(reading), value)


SCENARIO_INPUT: Final = record(
    {
        "design": one_of_texts("snapshots", "version-maps"),
        "clients": list_of(TEXT),
        "steps": list_of(STEP),
    },
    {
        "report": list_of(one_of_texts(*REPORTS), unique=True),
        "signing_keys": map_of(hex_of(32)),
    },
)

SCENARIO: Final = Operation(
    name="conflict-detection/scenario",
    summary=(
        "Let clients edit, poll, resolve, delete and so on, step by step. Return for each step the "
        "classification of the poll, and the files of every client after the step. All clients "
        "subscribe to each other at the start. If a step is not possible, the whole scenario is "
        "rejected, also the steps before it. `report` lists more fields to report for each step."
    ),
    input_schema=SCENARIO_INPUT,
    output_schema=record({"steps": list_of(STEP_REPORT)}),
    perform=under(READINGS, _scenario),
    features=SCENARIO_FEATURES,
    step_words=step_words,
)
