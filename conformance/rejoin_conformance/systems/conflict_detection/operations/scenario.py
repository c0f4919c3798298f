"""The operation `scenario`: clients act one after the other, and every step is looked at."""

from __future__ import annotations

from typing import Final, TypeVar, cast

from rejoin.conflict_detection.clients import Folder, Outcome, add_client, subscribe, unsubscribe
from rejoin.conflict_detection.deletion import delete, undelete
from rejoin.conflict_detection.designs import Design
from rejoin.conflict_detection.directories_and_polling import poll, poll_all
from rejoin.conflict_detection.local_changes import come_back, edit, go_offline, rename
from rejoin.conflict_detection.local_merge import join_folder
from rejoin.conflict_detection.map_design import MapDesign
from rejoin.conflict_detection.resolution import resolve
from rejoin.conflict_detection.snapshot_design import SnapshotDesign
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
from rejoin_conformance.systems.conflict_detection.operations.fields import (
    reading_named,
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
"""One step; `file` is `foo` where it is left out."""


def content_of(text: str) -> bytes:
    """A text of a scenario as a file's content: UTF-8, halves of surrogate pairs included."""
    return text.encode("utf-8", "surrogatepass")


def act(folder: Folder[V], step: JsonObject) -> tuple[Outcome[V], JsonObject]:
    """Carry out one step; the second value is what a step of several polls adds to its report."""
    client = text_of(step, "client")
    file = text_of(step, "file") if "file" in step else "foo"
    if "edit" in step:
        return edit(folder, client, file, content_of(text_of(step, "edit"))), {}
    if "poll" in step:
        return poll(folder, client, text_of(step, "poll"), file), {}
    if "poll_all" in step:
        polled = poll_all(folder, client, text_of(step, "poll_all"))
        found: JsonObject = {
            path: classification.value for path, classification in polled.classifications.items()
        }
        return Outcome(polled.folder, None, polled.operations), {"classifications": found}
    if "resolve" in step:
        text = text_or_none(step, "text")
        content = None if text is None else content_of(text)
        return resolve(folder, client, file, texts_of(step, "resolve"), content), {}
    if "delete" in step:
        return delete(folder, client, file), {}
    if "undelete" in step:
        return undelete(folder, client, file, content_of(text_of(step, "undelete"))), {}
    if "rename" in step:
        return rename(folder, client, file, text_of(step, "rename")), {}
    return _act_on_membership(folder, client, step), {}


def _act_on_membership(folder: Folder[V], client: str, step: JsonObject) -> Outcome[V]:
    """Joining, subscriptions, going offline and coming back."""
    if "offline" in step:
        return go_offline(folder, client)
    if "online" in step:
        return come_back(folder, client)
    if "join" in step:
        files = cast("dict[str, str]", step["join"])
        return join_folder(folder, client, {path: content_of(files[path]) for path in files})
    if "subscribe" in step:
        return Outcome(subscribe(folder, client, text_of(step, "subscribe")))
    return Outcome(unsubscribe(folder, client, text_of(step, "unsubscribe")))


def play(design: Design[V], value: JsonObject) -> JsonObject:
    """A whole scenario in one design."""
    keys = cast("dict[str, str]", value.get("signing_keys", {}))
    folder: Folder[V] = Folder(design)
    for nickname in texts_of(value, "clients"):
        key = bytes.fromhex(keys[nickname]) if nickname in keys else None
        folder = add_client(folder, nickname, key)
    wanted = frozenset(cast("list[str]", value.get("report", [])))
    steps: list[Json] = []
    for step in cast("list[JsonObject]", value["steps"]):
        outcome, extra = act(folder, step)
        folder = outcome.folder
        steps.append({**report(outcome, wanted), **extra})
    return {"steps": steps}


def _scenario(value: JsonObject, reading: str) -> JsonObject:
    if value["design"] == "snapshots":
        return play(SnapshotDesign(reading_named(reading)), value)
    return play(MapDesign(reading_named(reading)), value)


SCENARIO: Final = Operation(
    name="conflict-detection/scenario",
    summary=(
        "Clients edit, poll, resolve, delete and so on, step by step; after each step, what the "
        "poll found and what every client's user sees. All clients subscribe to each other. A "
        "step that is not possible makes the whole scenario one that is rejected. `report` asks "
        "for more to be reported of each step."
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
    perform=_scenario,
)
