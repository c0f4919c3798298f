"""Print a history for people: the DAG of its messages, then its events and their results."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Final

from rejoin import config_merge as cm
from rejoin_conformance.contract.history import Pictures
from rejoin_conformance.kit.counted import counted
from rejoin_conformance.kit.dag_drawing import Drawing
from rejoin_conformance.readings.expressions import under
from rejoin_conformance.systems.config_merge import READINGS
from rejoin_conformance.systems.config_merge.histories import events as ev
from rejoin_conformance.systems.config_merge.histories.check_merges import place_of
from rejoin_conformance.systems.config_merge.histories.evidence import named
from rejoin_conformance.systems.config_merge.histories.records import Record
from rejoin_conformance.systems.config_merge.histories.run import Run

CHANGES_SHOWN = 4


def describe_history(history: ev.History, reading: cm.Reading) -> str:
    """Return the history as text."""
    run = Run(history, reading)
    events = [f"{run.event:>4}  {_event(run, event)}" for event in history.events]
    run.exchange()
    context = "signed" if history.signed else "unsigned"
    readers = [str(client) for client in range(history.clients) if not history.can_sign(client)]
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
        + ", ".join(sorted({_head(client.head) for client in run.clients})),
    ]
    return "\n".join(lines)


def drawings_of(history: ev.History, reading: cm.Reading) -> tuple[Drawing, ...]:
    """Return the DAG of the messages at the end of the history, after the final exchange."""
    run = Run(history, reading)
    for event in history.events:
        run.perform(event)
    run.exchange()
    return (_drawing(run),)


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
    changes = f": {_changes(record.changes)}" if record.changes else ""
    return f"[{kind}, {who}{forged}{changes}]"


def _event(run: Run, event: ev.Event) -> str:
    """Carry out an event and return one line with the event and its result."""
    match event:
        case ev.Edit(client, changes):
            run.perform(event)
            return f"client {client} edits: {_changes(changes)}"
        case ev.Fetch(client, skip):
            before = len(run.clients[client].known)
            run.perform(event)
            new = len(run.clients[client].known) - before
            part = f", without the places {skip:#06x}" if skip else ""
            return f"client {client} fetches{part}: {counted(new, 'new message')}"
        case ev.Resolve(client):
            return f"client {client} resolves: {_resolution(run, event)}"
        case ev.Push(client, delete, delayed):
            before = len(run.pushed)
            run.perform(event)
            if len(run.pushed) == before:
                return f"client {client} pushes: nothing to push"
            pushed = run.pushed[-1]
            late = ", delayed until the next delivery" if delayed else ""
            obsolete = f", {len(pushed.obsolete)} obsolete" if pushed.obsolete else ""
            refused = " (deletion refused)" if pushed.obsolete and not delete else ""
            message = run.records[pushed.record].message
            return f"client {client} pushes {named(message)}{obsolete}{refused}{late}"
        case ev.Inject(kind, _, _):
            before = len(run.records)
            run.perform(event)
            new_message = (
                named(run.records[-1].message) if len(run.records) > before else "no message"
            )
            return f"injected: {kind.replace('-', ' ')} ({new_message})"
        case ev.Partition(members):
            run.perform(event)
            far = [str(k) for k in range(run.history.clients) if members >> k & 1]
            return f"the network splits: clients {', '.join(far)} reach the second side only"
        case ev.Heal():
            run.perform(event)
            return "the network is whole again"
        case ev.Deliver():
            waiting = len(run.network.on_the_way)
            run.perform(event)
            return f"delivery of {counted(waiting, 'delayed push', 'delayed pushes')}"


def _resolution(run: Run, event: ev.Resolve) -> str:
    before = len(run.resolved)
    run.perform(event)
    if len(run.resolved) == before:
        return "it has no valid message"
    resolution = run.resolved[-1].resolution
    ignored = Counter(each.why for each in resolution.ignored)
    why = ", ".join(f"{count} {each}" for each, count in sorted(ignored.items()))
    text = named(resolution.message)
    if resolution.merged:
        text = f"merges {', '.join(map(named, resolution.survivors))} into {text}"
    return f"{text} ({why})" if why else text


def _changes(changes: Sequence[ev.Change]) -> str:
    shown = ", ".join(_change(change) for change in changes[:CHANGES_SHOWN])
    more = len(changes) - CHANGES_SHOWN
    return f"{shown}, and {more} more" if more > 0 else shown


def _change(change: ev.Change) -> str:
    place = place_of(change.path)
    match change:
        case ev.Assign(_, value):
            return f"{place} = {_short(value)}"
        case ev.Remove():
            return f"{place} removed"
        case ev.Add(_, element):
            return f"{place} gains {_short(element)}"
        case _:
            return f"{place} loses {_short(change.element)}"


def _short(value: int | bytes) -> str:
    text = repr(value)
    return text if len(text) <= 24 else f"{text[:20]}... of {len(text)}"


def _head(head: cm.Message | None) -> str:
    return "nothing" if head is None else named(head)


PICTURES: Final = Pictures(
    describe=under(READINGS, describe_history), drawings=under(READINGS, drawings_of)
)
"""The functions that show this system's histories to people."""
