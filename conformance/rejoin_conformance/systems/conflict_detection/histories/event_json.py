"""Histories as JSON and back: an event is its name under `event`, with its fields."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from rejoin_conformance.contract.history import NotAHistoryError
from rejoin_conformance.kit.codec import plain, read, strict_converter, tagged
from rejoin_conformance.kit.json_types import JsonObject
from rejoin_conformance.systems.conflict_detection.histories import events as ev

EVENTS: Final[Mapping[str, type[ev.Event]]] = {
    "edit": ev.Edit,
    "poll": ev.Poll,
    "poll-all": ev.PollAll,
    "resolve": ev.Resolve,
    "touch": ev.Touch,
    "discard": ev.Discard,
    "move": ev.Move,
    "rename": ev.Rename,
    "delete": ev.Delete,
    "undelete": ev.Undelete,
    "go-offline": ev.GoOffline,
    "come-back": ev.ComeBack,
    "join": ev.Join,
    "subscribe": ev.Subscribe,
    "unsubscribe": ev.Unsubscribe,
    "change": ev.Change,
    "upload": ev.Upload,
    "poll-and-stop": ev.PollAndStop,
    "back-up": ev.BackUp,
    "set-back": ev.SetBack,
    "collect": ev.Collect,
}

EVENT_NAMES: Final[Mapping[type[ev.Event], str]] = {kind: name for name, kind in EVENTS.items()}


def history_to_json(history: ev.History) -> JsonObject:
    """Return the history as data."""
    return plain(history, _CONVERTER)


def history_from_json(value: JsonObject) -> ev.History:
    """Return a history from its data. Raises NotAHistoryError for any other data."""
    history = read(value, ev.History, _CONVERTER, NotAHistoryError)
    for place, event in enumerate(history.events):
        match event:
            case (
                ev.Poll() | ev.PollAll() | ev.PollAndStop() | ev.Subscribe() | ev.Unsubscribe()
            ) if event.other == event.client:
                raise NotAHistoryError(f"$.events[{place}]: a client does not poll itself")
    return history


def event_to_json(event: ev.Event) -> JsonObject:
    """Return an event as data: its name under `event`, and its fields."""
    return plain(event, _CONVERTER, ev.Event)


def _files_from_json(value: Any, _: object) -> ev.Files:
    return tuple(sorted(_CONVERTER.structure(value, dict[str, ev.Text]).items()))


_CONVERTER: Final = strict_converter()
_CONVERTER.register_structure_hook_func(lambda kind: kind == ev.Files, _files_from_json)
_CONVERTER.register_unstructure_hook_func(lambda kind: kind == ev.Files, dict)
tagged(_CONVERTER, ev.Event, "event", EVENTS)
