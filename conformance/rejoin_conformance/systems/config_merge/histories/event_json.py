"""Convert histories to and from JSON. Bytes become hex, and integers in data decimal strings."""

from __future__ import annotations

from typing import Any, Final

from rejoin_conformance.contract.history import NotAHistoryError
from rejoin_conformance.kit.codec import plain, read, strict_converter, tagged
from rejoin_conformance.kit.json_forms import BigInt, unexpected
from rejoin_conformance.kit.json_types import JsonObject
from rejoin_conformance.systems.config_merge.histories import events as ev
from rejoin_conformance.systems.config_merge.histories.injections import KINDS

EVENTS: Final[dict[str, type[ev.Event]]] = {
    "edit": ev.Edit,
    "push": ev.Push,
    "fetch": ev.Fetch,
    "resolve": ev.Resolve,
    "inject": ev.Inject,
    "partition": ev.Partition,
    "heal": ev.Heal,
    "deliver": ev.Deliver,
}
CHANGES: Final[dict[str, type[ev.Change]]] = {
    "assign": ev.Assign,
    "remove": ev.Remove,
    "add": ev.Add,
    "discard": ev.Discard,
}


def history_to_json(history: ev.History) -> JsonObject:
    """Return the history as JSON."""
    return plain(history, _CONVERTER)


def history_from_json(value: JsonObject) -> ev.History:
    """Return the history for JSON from `history_to_json`.

    Raises NotAHistoryError for any other JSON.
    """
    history = read(value, ev.History, _CONVERTER, NotAHistoryError)
    for place, event in enumerate(history.events):
        client = (
            0
            if isinstance(event, ev.Inject | ev.Partition | ev.Heal | ev.Deliver)
            else event.client
        )
        if client >= history.clients:
            raise NotAHistoryError(f"$.events[{place}]: there is no client {client}")
        if isinstance(event, ev.Inject) and event.kind not in KINDS:
            raise NotAHistoryError(f"$.events[{place}]: the kind is not one of {', '.join(KINDS)}")
    return history


def event_to_json(event: ev.Event) -> JsonObject:
    """Return an event as JSON: its name under `event`, and its fields."""
    return plain(event, _CONVERTER, ev.Event)


def _scalar_to_json(value: ev.Scalar) -> JsonObject:
    return {"str": value.hex()} if isinstance(value, bytes) else {"int": str(value)}


def _scalar_from_json(value: Any, _: object) -> ev.Scalar:
    match value:
        case {"str": text, **others} if not others:
            return _CONVERTER.structure(text, bytes)
        case {"int": text, **others} if not others:
            return _CONVERTER.structure(text, BigInt)
        case _:
            raise unexpected("an object with the one field int or str", value)


_CONVERTER: Final = strict_converter()
_CONVERTER.register_structure_hook(ev.Scalar, _scalar_from_json)
_CONVERTER.register_unstructure_hook(ev.Scalar, _scalar_to_json)
tagged(_CONVERTER, ev.Change, "change", CHANGES)
tagged(_CONVERTER, ev.Event, "event", EVENTS)
