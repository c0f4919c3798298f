"""Histories as JSON and back. Bytes are hex, and integers of the data decimal strings."""

from __future__ import annotations

from typing import Any, Final

from rejoin_conformance.json_types import Json, JsonObject
from rejoin_conformance.systems.config_merge.histories.events import (
    Add,
    Assign,
    Change,
    Deliver,
    Discard,
    Edit,
    Event,
    Fetch,
    Heal,
    History,
    Inject,
    Partition,
    Path,
    Push,
    Remove,
    Resolve,
    Scalar,
)


def history_to_json(history: History) -> JsonObject:
    """The history as data; the seed is a decimal string, for it may exceed 2^53."""
    return {
        "seed": str(history.seed),
        "clients": history.clients,
        "window": history.window,
        "signed": history.signed,
        "readers": history.readers,
        "events": [event_to_json(event) for event in history.events],
    }


def history_from_json(value: JsonObject) -> History:
    """The inverse of `history_to_json`."""
    known: Any = value
    return History(
        seed=int(known["seed"]),
        clients=known["clients"],
        window=known["window"],
        signed=known["signed"],
        readers=known["readers"],
        events=tuple(event_from_json(event) for event in known["events"]),
    )


def event_to_json(event: Event) -> JsonObject:
    """An event as data: its name under `event`, and its fields."""
    match event:
        case Edit(client, changes):
            listed: list[Json] = [_change_to_json(change) for change in changes]
            return {"event": "edit", "client": client, "changes": listed}
        case Push(client, delete, delayed):
            return {"event": "push", "client": client, "delete": delete, "delayed": delayed}
        case Fetch(client, skip):
            return {"event": "fetch", "client": client, "skip": skip}
        case Resolve(client):
            return {"event": "resolve", "client": client}
        case Inject(kind, target, salt):
            return {"event": "inject", "kind": kind, "target": target, "salt": salt}
        case Partition(members):
            return {"event": "partition", "members": members}
        case Heal():
            return {"event": "heal"}
        case Deliver():
            return {"event": "deliver"}


_FIELDLESS: Final[dict[str, Event]] = {"heal": Heal(), "deliver": Deliver()}


def event_from_json(value: Any) -> Event:
    """The inverse of `event_to_json`."""
    match value["event"]:
        case "edit":
            changes = tuple(_change_from_json(change) for change in value["changes"])
            return Edit(value["client"], changes)
        case "push":
            return Push(value["client"], value["delete"], value["delayed"])
        case "fetch":
            return Fetch(value["client"], value["skip"])
        case "resolve":
            return Resolve(value["client"])
        case "inject":
            return Inject(value["kind"], value["target"], value["salt"])
        case "partition":
            return Partition(value["members"])
        case name:
            return _FIELDLESS[name]


def _change_to_json(change: Change) -> JsonObject:
    path = [key.hex() for key in change.path]
    match change:
        case Assign(_, value):
            return {"change": "assign", "path": [*path], "value": _scalar_to_json(value)}
        case Remove():
            return {"change": "remove", "path": [*path]}
        case Add(_, element):
            return {"change": "add", "path": [*path], "element": _scalar_to_json(element)}
        case Discard(_, element):
            return {"change": "discard", "path": [*path], "element": _scalar_to_json(element)}


def _change_from_json(value: Any) -> Change:
    path: Path = tuple(bytes.fromhex(key) for key in value["path"])
    match value["change"]:
        case "assign":
            return Assign(path, _scalar_from_json(value["value"]))
        case "add":
            return Add(path, _scalar_from_json(value["element"]))
        case "discard":
            return Discard(path, _scalar_from_json(value["element"]))
        case _:
            return Remove(path)


def _scalar_to_json(value: Scalar) -> JsonObject:
    return {"str": value.hex()} if isinstance(value, bytes) else {"int": str(value)}


def _scalar_from_json(value: Any) -> Scalar:
    return bytes.fromhex(value["str"]) if "str" in value else int(value["int"])
