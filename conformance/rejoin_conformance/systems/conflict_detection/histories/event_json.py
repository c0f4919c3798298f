"""Histories as JSON and back: an event is its name under `event`, with its fields."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from rejoin_conformance.contract.history import NotAHistoryError
from rejoin_conformance.kit.codec import plain, read, strict_converter, tagged
from rejoin_conformance.kit.json_types import JsonObject
from rejoin_conformance.systems.conflict_detection.histories.events import (
    Collect,
    ComeBack,
    Delete,
    Discard,
    Edit,
    Event,
    Files,
    GoOffline,
    History,
    Join,
    Move,
    Poll,
    PollAll,
    Rename,
    Resolve,
    Subscribe,
    Text,
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
    """Return the history as data."""
    return plain(history, _CONVERTER)


def history_from_json(value: JsonObject) -> History:
    """Return a history from its data. Raises NotAHistoryError for any other data."""
    history = read(value, History, _CONVERTER, NotAHistoryError)
    for place, event in enumerate(history.events):
        match event:
            case Poll() | PollAll() | Subscribe() | Unsubscribe() if event.other == event.client:
                raise NotAHistoryError(f"$.events[{place}]: a client does not poll itself")
    return history


def event_to_json(event: Event) -> JsonObject:
    """Return an event as data: its name under `event`, and its fields."""
    return plain(event, _CONVERTER, Event)


def _files_from_json(value: Any, _: object) -> Files:
    return tuple(sorted(_CONVERTER.structure(value, dict[str, Text]).items()))


_CONVERTER: Final = strict_converter()
_CONVERTER.register_structure_hook_func(lambda kind: kind == Files, _files_from_json)
_CONVERTER.register_unstructure_hook_func(lambda kind: kind == Files, dict)
tagged(_CONVERTER, Event, "event", EVENTS)
