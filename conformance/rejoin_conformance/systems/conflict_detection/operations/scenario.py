"""The operation `scenario`: clients act one after the other, with a report of every step."""

from __future__ import annotations

from typing import Final, TypeVar, cast

from rejoin import conflict_detection as cd
from rejoin_conformance.contract.operation import Operation
from rejoin_conformance.kit.json_types import Json, JsonObject
from rejoin_conformance.kit.schemas import (
    TEXT,
    any_of,
    hex_of,
    list_of,
    map_of,
    one_of_texts,
    record,
)
from rejoin_conformance.readings.expressions import under
from rejoin_conformance.systems.conflict_detection import READINGS
from rejoin_conformance.systems.conflict_detection.operations.fields import (
    text_of,
    text_or_none,
    texts_of,
)
from rejoin_conformance.systems.conflict_detection.operations.scenario_report import (
    REPORTS,
    STEP_REPORT,
    report,
)

V = TypeVar("V")

_TRUE: Final[JsonObject] = {"const": True}
_CLIENT: Final[dict[str, JsonObject]] = {"client": TEXT}
_FILE: Final[dict[str, JsonObject]] = {"file": TEXT}

STEP: Final = any_of(
    record({**_CLIENT, "edit": TEXT}, _FILE),
    record({**_CLIENT, "poll": TEXT}, _FILE),
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
)
"""One step. If `file` is missing, it is `foo`."""


def content_of(text: str) -> bytes:
    """Return a text of a scenario as a file's content: UTF-8, with lone surrogates allowed."""
    return text.encode("utf-8", "surrogatepass")


def act(folder: cd.Folder[V], step: JsonObject) -> tuple[cd.Outcome[V], JsonObject]:
    """Carry out one step.

    Returns the outcome, and the fields that a poll of all files adds to the report.
    """
    client = text_of(step, "client")
    file = text_of(step, "file") if "file" in step else "foo"
    if "edit" in step:
        return cd.edit(folder, client, file, content_of(text_of(step, "edit"))), {}
    if "poll" in step:
        return cd.poll(folder, client, text_of(step, "poll"), file), {}
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
    """Carry out a step that joins, changes a subscription, goes offline or comes back."""
    if "offline" in step:
        return cd.go_offline(folder, client)
    if "online" in step:
        return cd.come_back(folder, client)
    if "join" in step:
        files = cast("dict[str, str]", step["join"])
        return cd.join_folder(folder, client, {path: content_of(files[path]) for path in files})
    if "subscribe" in step:
        return cd.Outcome(cd.subscribe(folder, client, text_of(step, "subscribe")))
    return cd.Outcome(cd.unsubscribe(folder, client, text_of(step, "unsubscribe")))


def play(design: cd.Design[V], value: JsonObject) -> JsonObject:
    """Carry out a whole scenario in one design and return its output."""
    keys = cast("dict[str, str]", value.get("signing_keys", {}))
    folder: cd.Folder[V] = cd.Folder(design)
    for nickname in texts_of(value, "clients"):
        key = bytes.fromhex(keys[nickname]) if nickname in keys else None
        folder = cd.add_client(folder, nickname, key)
    wanted = frozenset(cast("list[str]", value.get("report", [])))
    steps: list[Json] = []
    for step in cast("list[JsonObject]", value["steps"]):
        outcome, extra = act(folder, step)
        folder = outcome.folder
        steps.append({**report(outcome, wanted), **extra})
    return {"steps": steps}


def _scenario(value: JsonObject, reading: cd.Reading) -> JsonObject:
    if value["design"] == "snapshots":
        return play(cd.SnapshotDesign(reading), value)
    return play(cd.MapDesign(reading), value)


SCENARIO: Final = Operation(
    name="conflict-detection/scenario",
    summary=(
        "Let clients edit, poll, resolve, delete and so on, step by step. Return for each step the "
        "classification of the poll, and the files of every client after the step. All clients "
        "subscribe to each other at the start. If a step is not possible, the whole scenario is "
        "rejected. `report` lists more fields to report for each step."
    ),
    input_schema=record(
        {
            "design": one_of_texts("snapshots", "version-maps"),
            "clients": list_of(TEXT),
            "steps": list_of(STEP),
        },
        {
            "report": list_of(one_of_texts(*REPORTS), unique=True),
            "signing_keys": map_of(hex_of(32)),
        },
    ),
    output_schema=record({"steps": list_of(STEP_REPORT)}),
    perform=under(READINGS, _scenario),
)
