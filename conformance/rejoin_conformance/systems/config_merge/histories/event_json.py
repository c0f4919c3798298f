"""Convert histories to and from JSON. Bytes become hex, and integers in data decimal strings."""

from __future__ import annotations

from typing import Any, Final

from rejoin_conformance.contract.history import NotAHistoryError
from rejoin_conformance.kit.codec import (
    BigInt,
    plain,
    read,
    strict_converter,
    tagged,
    unexpected,
)
from rejoin_conformance.kit.json_types import JsonObject
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
    Push,
    Remove,
    Resolve,
    Scalar,
)
from rejoin_conformance.systems.config_merge.histories.injections import KINDS

EVENTS: Final[dict[str, type[Event]]] = {
    "edit": Edit,
    "push": Push,
    "fetch": Fetch,
    "resolve": Resolve,
    "inject": Inject,
    "partition": Partition,
    "heal": Heal,
    "deliver": Deliver,
}
CHANGES: Final[dict[str, type[Change]]] = {
    "assign": Assign,
    "remove": Remove,
    "add": Add,
    "discard": Discard,
}


def history_to_json(history: History) -> JsonObject:
    """Return the history as JSON."""
    return plain(history, _CONVERTER)


def history_from_json(value: JsonObject) -> History:
    """Return the history for JSON from `history_to_json`.

    Raises NotAHistoryError for any other JSON.
    """
    history = read(value, History, _CONVERTER, NotAHistoryError)
    for place, event in enumerate(history.events):
        client = 0 if isinstance(event, Inject | Partition | Heal | Deliver) else event.client
        if client >= history.clients:
            raise NotAHistoryError(f"$.events[{place}]: there is no client {client}")
        if isinstance(event, Inject) and event.kind not in KINDS:
            raise NotAHistoryError(f"$.events[{place}]: the kind is not one of {', '.join(KINDS)}")
    return history


def event_to_json(event: Event) -> JsonObject:
    """Return an event as JSON: its name under `event`, and its fields."""
    return plain(event, _CONVERTER, Event)


def _scalar_to_json(value: Scalar) -> JsonObject:
    return {"str": value.hex()} if isinstance(value, bytes) else {"int": str(value)}


def _scalar_from_json(value: Any, _: object) -> Scalar:
    match value:
        case {"str": text, **others} if not others:
            return _CONVERTER.structure(text, bytes)
        case {"int": text, **others} if not others:
            return _CONVERTER.structure(text, BigInt)
        case _:
            raise unexpected("an object with the one field int or str", value)


_CONVERTER: Final = strict_converter()
_CONVERTER.register_structure_hook(Scalar, _scalar_from_json)
_CONVERTER.register_unstructure_hook(Scalar, _scalar_to_json)
tagged(_CONVERTER, Change, "change", CHANGES)
tagged(_CONVERTER, Event, "event", EVENTS)
