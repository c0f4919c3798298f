"""A random history: a list of actions, as data and as text.

    3 clients, settled at the end
    A edits foo=1
    B polls foo of A
    A resolves foo=5 against conflict files 1 3
    garbage is collected

An event states an intention, not its result: only a run, in one design or the other, determines the
conflict files that a user can resolve. Every event can be carried out in every state, though it may
do nothing. So a history without some of its events is still a history.
"""

from __future__ import annotations

from typing import Any, Final

from attrs import frozen

from rejoin_conformance.contract.history import NotAHistoryError
from rejoin_conformance.kit.json_types import JsonObject
from rejoin_conformance.kit.phrases import NotationError
from rejoin_conformance.kit.schemas import BOOLEAN, integer, list_of, record
from rejoin_conformance.kit.validation import schema_fault, validator
from rejoin_conformance.systems.conflict_detection.actions import (
    NICKNAMES,
    ROWS,
    read_action,
    row_of,
    spelled_action,
)
from rejoin_conformance.systems.conflict_detection.kinds import is_client
from rejoin_conformance.systems.conflict_detection.segments import Statement, statements

_SETTLED: Final = "settled at the end"


@frozen
class History:
    """One random history.

    clients: the number of clients at the start. Other clients can join. events: actions; each names
    its file. settles: whether the history ends with a settlement: all clients come back, one client
    polls all others and resolves all conflicts, and all others poll it.
    """

    clients: int
    events: tuple[JsonObject, ...]
    settles: bool = False


_WHOLE: Final = validator(
    record(
        {
            "clients": integer(1, len(NICKNAMES)),
            "events": list_of({"type": "object"}),
            "settles": BOOLEAN,
        }
    )
)
_EVENTS: Final = {key: validator(row.event_schema()) for key, row in ROWS.items() if row.is_event}


def history_from_json(value: JsonObject) -> History:
    """Return a history from its data. Raises NotAHistoryError for any other data."""
    fault = schema_fault(_WHOLE, value)
    if fault is not None:
        raise NotAHistoryError(fault)
    whole: Any = value
    for place, event in enumerate(whole["events"]):
        fault = _event_fault(event)
        if fault:
            raise NotAHistoryError(f"$.events[{place}]{fault}")
    return History(whole["clients"], tuple(whole["events"]), whole["settles"])


def _event_fault(event: Any) -> str:
    """Return what is wrong with an event, after its place; empty if nothing is."""
    try:
        row = row_of(event)
    except KeyError:
        return f": expected an action: a field {', '.join(_EVENTS)}"
    if not row.is_event:
        return f": a history has no action `{row.key}`"
    fault = schema_fault(_EVENTS[row.key], event)
    if fault is not None:
        return fault.removeprefix("$")
    others = [event[name] for name, kind in row.fields.items() if is_client(kind)]
    return ": a client does not poll itself" if len({*others}) < len(others) else ""


def parse_history(source: str) -> History:
    """Return the history that a text describes. Raises NotationError."""
    listed = statements(source.split("\n"))
    if not listed:
        raise NotationError(1, "the number of clients, such as `3 clients`", "")
    head, *events = listed
    clients, settles = _head(head)
    head.done(f"`{_SETTLED}`, or the first event on the next line")
    return History(clients, tuple(map(_event, events)), settles)


def _head(text: Statement) -> tuple[int, bool]:
    count = text.next.text
    if not count.isdecimal() or not 0 < int(count) <= len(NICKNAMES):
        text.fail(f"1 to {len(NICKNAMES)} clients, such as `3 clients`")
    text.take()
    for noun in ("clients", "client"):
        if text.takes(f"{noun},", *_SETTLED.split()):
            return int(count), True
        if text.takes(noun):
            return int(count), False
    return text.fail("`clients`")


def _event(text: Statement) -> JsonObject:
    """Return the event of one line."""
    event = read_action(text, event=True)
    text.end("nothing more")
    text.done("the next event on a line of its own")
    fault = _event_fault(event)
    if fault:
        text.fail_at(0, f"an event of a history; here{fault}")
    return event


def render_history(history: History) -> str:
    """Return the text of a history."""
    count = "1 client" if history.clients == 1 else f"{history.clients} clients"
    head = f"{count}, {_SETTLED}" if history.settles else count
    return "\n".join([head, *(spelled_action(each, named=True) for each in history.events)])
