"""Print a history for people: the DAG of its messages, then its events and their results."""

from __future__ import annotations

from collections import Counter
from typing import Final

from rejoin import config_merge as cm
from rejoin_conformance.contract.history import Pictures
from rejoin_conformance.kit.counted import counted
from rejoin_conformance.kit.dag_drawing import Drawing
from rejoin_conformance.kit.json_types import JsonObject
from rejoin_conformance.readings.expressions import under
from rejoin_conformance.systems.config_merge import READINGS
from rejoin_conformance.systems.config_merge.changes import Change, place_of
from rejoin_conformance.systems.config_merge.history_text import event_text
from rejoin_conformance.systems.config_merge.records import History, Record, named
from rejoin_conformance.systems.config_merge.run import Run, begun, run_history

CHANGES_SHOWN: Final = 4
WIDEST: Final = 100
"""The number of characters after which the text of an event is cut."""

_SIGNS: Final = {"assign": "= ", "remove": "removed", "add": "gains ", "discard": "loses "}


def describe_history(history: History, reading: cm.Reading) -> str:
    """Return the history as text."""
    run = begun(history, reading)
    events = [f"{run.event:>4}  {_event(run, event)}" for event in history.events]
    run.exchange()
    context = "signed" if history.signed else "unsigned"
    readers = [name for name in history.names if not history.can_sign(name)]
    heads = {client.head for client in run.clients.values()}
    lines = [
        f"{counted(history.clients, 'client')}, N = {run.history.window}, "
        f"{counted(len(run.records), f'{context} message')}, reading {reading.name}"
        + (f"; these clients cannot sign: {', '.join(readers)}" if readers else ""),
        "",
        "messages: seqno-hash <- the messages that it updates",
        _drawing(run).text(),
        "",
        "events",
        *events,
        f" end  after {counted(run.rounds, 'round')} of exchange nothing changes, and clients hold "
        + ", ".join(sorted("nothing" if head is None else named(head) for head in heads)),
    ]
    return "\n".join(lines)


def _drawing(run: Run) -> Drawing:
    """Return the DAG of the messages, each with its author, its kind and its changes."""
    records = sorted(run.records, key=lambda record: (record.message.seqno, record.index))
    dag = {record.index: record.parents for record in records}
    names = {record.index: named(record.message) for record in records}
    notes = {record.index: _made(record) for record in records}
    return Drawing("messages", dag, names, notes)


def _made(record: Record) -> str:
    who = "injected" if record.by is None else f"client {record.by}"
    kind = record.kind.replace("-", " ")
    forged = "" if record.honest or record.by is None else ", after a forged message"
    shown = ", ".join(_change(change) for change in record.changes[:CHANGES_SHOWN])
    more = len(record.changes) - CHANGES_SHOWN
    changes = f": {shown}{f', and {more} more' if more > 0 else ''}" if shown else ""
    return f"[{kind}, {who}{forged}{changes}]"


def _change(change: Change) -> str:
    text = "" if change.value is None else repr(change.value)
    short = text if len(text) <= 24 else f"{text[:20]}... of {len(text)}"
    return f"{place_of(change.path)} {_SIGNS[change.kind]}{short}"


def _event(run: Run, event: JsonObject) -> str:
    """Carry out an event and return one line with the event and its result."""
    text = event_text(event)
    result = _result(run, event)
    return (text if len(text) <= WIDEST else f"{text[:WIDEST]}...") + (result and f": {result}")


def _result(run: Run, event: JsonObject) -> str:
    client = str(event.get("client", ""))
    pushed, records, waiting = len(run.pushed), len(run.records), len(run.on_the_way)
    known = len(run.clients[client].known) if client else 0
    done = run.perform(event)
    if "fetch" in event:
        return counted(len(run.clients[client].known) - known, "new message")
    if "resolve" in event:
        return _resolution(None if done is None else done.made)
    if "push" in event:
        return _push(run) if len(run.pushed) > pushed else "nothing to push"
    if "inject" in event:
        return named(run.records[-1].message) if len(run.records) > records else "no message"
    if "deliver" in event:
        return counted(waiting, "delayed push", "delayed pushes")
    return "" if done is not None else "refused"


def _push(run: Run) -> str:
    pushed = run.pushed[-1]
    count = len(pushed.batch.delete)
    refused = "" if pushed.permitted else " (deletion refused)"
    return named(run.records[pushed.record].message) + (
        f", {count} obsolete{refused}" * bool(count)
    )


def _resolution(resolution: cm.Resolution | None) -> str:
    if resolution is None:
        return "it has no valid message"
    ignored = Counter(each.why for each in resolution.ignored)
    why = ", ".join(f"{count} {each}" for each, count in sorted(ignored.items()))
    text = named(resolution.message)
    if resolution.merged:
        text = f"merges {', '.join(map(named, resolution.survivors))} into {text}"
    return f"{text} ({why})" if why else text


PICTURES: Final[Pictures[History]] = Pictures(
    describe=under(READINGS, describe_history),
    drawings=under(READINGS, lambda history, reading: (_drawing(run_history(history, reading)),)),
)
"""The functions that show this system's histories to people."""
