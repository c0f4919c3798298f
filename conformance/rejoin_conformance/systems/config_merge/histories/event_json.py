"""Histories as JSON and back. Bytes are hex, and integers of the data decimal strings."""

from __future__ import annotations

from typing import Final

from rejoin_conformance.kit.event_fields import (
    NotAHistoryError,
    bytes_in,
    decimal,
    fields_of,
    flag,
    list_in,
    one_of,
    whole,
)
from rejoin_conformance.kit.json_types import Json, JsonObject
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
from rejoin_conformance.systems.config_merge.histories.injections import KINDS

MOST_CLIENTS: Final = 8
_EVENT_FIELDS: Final[dict[str, tuple[str, ...]]] = {
    "edit": ("client", "changes"),
    "push": ("client", "delete", "delayed"),
    "fetch": ("client", "skip"),
    "resolve": ("client",),
    "inject": ("kind", "target", "salt"),
    "partition": ("members",),
    "heal": (),
    "deliver": (),
}


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
    """The inverse of `history_to_json`; NotAHistoryError for anything else."""
    known = fields_of(value, "seed", "clients", "window", "signed", "readers", "events")
    clients = whole(known["clients"], 1, MOST_CLIENTS)
    return History(
        seed=decimal(known["seed"]),
        clients=clients,
        window=whole(known["window"], 1),
        signed=flag(known["signed"]),
        readers=whole(known["readers"]),
        events=tuple(_event_from_json(event, clients) for event in list_in(known["events"])),
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


def _event_from_json(value: Json, clients: int) -> Event:
    known = dict(value) if isinstance(value, dict) else {}
    kind = one_of(known.pop("event", None), _EVENT_FIELDS)
    fields = fields_of(known, *_EVENT_FIELDS[kind])
    client = whole(fields["client"], 0, clients - 1) if "client" in fields else 0
    match kind:
        case "edit":
            return Edit(client, tuple(map(_change_from_json, list_in(fields["changes"]))))
        case "push":
            return Push(client, flag(fields["delete"]), flag(fields["delayed"]))
        case "fetch":
            return Fetch(client, whole(fields["skip"]))
        case "resolve":
            return Resolve(client)
        case "inject":
            made = one_of(fields["kind"], KINDS)
            return Inject(made, whole(fields["target"]), whole(fields["salt"]))
        case "partition":
            return Partition(whole(fields["members"]))
        case "heal":
            return Heal()
        case _:
            return Deliver()


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


def _change_from_json(value: Json) -> Change:
    known = dict(value) if isinstance(value, dict) else {}
    kind = one_of(known.pop("change", None), ("assign", "remove", "add", "discard"))
    extra = {"assign": ("value",), "remove": ()}.get(kind, ("element",))
    fields = fields_of(known, "path", *extra)
    path: Path = tuple(map(bytes_in, list_in(fields["path"])))
    if not path:
        raise NotAHistoryError("a path has at least one key")
    match kind:
        case "assign":
            return Assign(path, _scalar_from_json(fields["value"]))
        case "add":
            return Add(path, _scalar_from_json(fields["element"]))
        case "discard":
            return Discard(path, _scalar_from_json(fields["element"]))
        case _:
            return Remove(path)


def _scalar_to_json(value: Scalar) -> JsonObject:
    return {"str": value.hex()} if isinstance(value, bytes) else {"int": str(value)}


def _scalar_from_json(value: Json) -> Scalar:
    if isinstance(value, dict) and "str" in value:
        return bytes_in(fields_of(value, "str")["str"])
    return decimal(fields_of(value, "int")["int"])
