"""Histories as JSON and back: an event is its name under `event`, with its fields."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from attrs import asdict

from rejoin_conformance.json_types import Json, JsonObject
from rejoin_conformance.systems.conflict_detection.histories.events import (
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
    """The inverse of `history_to_json`."""
    known: Any = value
    events = tuple(event_from_json(each) for each in known["events"])
    return History(known["clients"], events, known["settles"])


def event_to_json(event: Event) -> JsonObject:
    """An event as data."""
    fields = asdict(event, value_serializer=lambda _event, _field, value: value)
    if isinstance(event, Join):
        fields["files"] = dict(event.files)
    return {"event": EVENT_NAMES[type(event)], **fields}


def event_from_json(value: JsonObject) -> Event:
    """The inverse of `event_to_json`."""
    fields: dict[str, Any] = {name: each for name, each in value.items() if name != "event"}
    if "files" in fields:
        fields["files"] = tuple(sorted(fields["files"].items()))
    return EVENTS[str(value["event"])](**fields)
