"""Histories as JSON and back: an event is its name under `event`, with its fields."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from attrs import asdict
from attrs import fields as attrs_fields

from rejoin_conformance.kit.event_fields import (
    NotAHistoryError,
    fields_of,
    flag,
    list_in,
    one_of,
    text,
    whole,
)
from rejoin_conformance.kit.json_types import Json, JsonObject
from rejoin_conformance.systems.conflict_detection.histories.events import (
    NICKNAMES,
    Collect,
    ComeBack,
    Delete,
    Discard,
    Edit,
    Event,
    GoOffline,
    History,
    Join,
    Move,
    Poll,
    PollAll,
    Rename,
    Resolve,
    Subscribe,
    Touch,
    Undelete,
    Unsubscribe,
)

EVENTS: Final[Mapping[str, type[Event]]] = {
    "edit": Edit,
    "poll": Poll,
    "poll-all": PollAll,
    "resolve": Resolve,
    "touch": Touch,
    "discard": Discard,
    "move": Move,
    "rename": Rename,
    "delete": Delete,
    "undelete": Undelete,
    "go-offline": GoOffline,
    "come-back": ComeBack,
    "join": Join,
    "subscribe": Subscribe,
    "unsubscribe": Unsubscribe,
    "collect": Collect,
}

EVENT_NAMES: Final[Mapping[type[Event], str]] = {kind: name for name, kind in EVENTS.items()}


def history_to_json(history: History) -> JsonObject:
    """The history as data."""
    events: list[Json] = [event_to_json(event) for event in history.events]
    return {"clients": history.clients, "events": events, "settles": history.settles}


def history_from_json(value: JsonObject) -> History:
    """The inverse of `history_to_json`; NotAHistoryError for anything else."""
    known = fields_of(value, "clients", "events", "settles")
    clients = whole(known["clients"], 1, len(NICKNAMES))
    events = tuple(event_from_json(each) for each in list_in(known["events"]))
    return History(clients, events, flag(known["settles"]))


def event_to_json(event: Event) -> JsonObject:
    """An event as data."""
    fields = asdict(event, value_serializer=lambda _event, _field, value: value)
    if isinstance(event, Join):
        fields["files"] = dict(event.files)
    return {"event": EVENT_NAMES[type(event)], **fields}


def event_from_json(value: Json) -> Event:
    """The inverse of `event_to_json`; NotAHistoryError for anything else."""
    known = dict(value) if isinstance(value, dict) else {}
    kind = EVENTS[one_of(known.pop("event", None), EVENTS)]
    given = fields_of(known, *(each.name for each in attrs_fields(kind)))
    taken: dict[str, Any] = {name: _field(name, each, kind) for name, each in given.items()}
    if "other" in taken and taken["other"] == taken["client"]:
        raise NotAHistoryError("no client polls itself")
    return kind(**taken)


def _field(name: str, value: Json, kind: type[Event]) -> Any:
    match name:
        case "client" | "other":
            return whole(value, 0, len(NICKNAMES) - 1)
        case "path" | "target":
            return text(value)
        case "files":
            if not isinstance(value, dict):
                raise NotAHistoryError("files are an object: path -> text")
            return tuple(sorted((path, whole(each)) for path, each in value.items()))
        case "text" if value is None and kind is Resolve:
            return None
        case _:
            return whole(value)
