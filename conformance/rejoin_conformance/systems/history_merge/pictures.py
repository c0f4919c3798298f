"""A history as text and as a drawing: its messages, and the members after each."""

from __future__ import annotations

from typing import Final

from rejoin.history_merge import Reading
from rejoin_conformance.contract.history import Pictures
from rejoin_conformance.kit.counted import counted
from rejoin_conformance.kit.dag_drawing import Drawing
from rejoin_conformance.readings.expressions import under
from rejoin_conformance.systems.history_merge import READINGS
from rejoin_conformance.systems.history_merge.actions import History
from rejoin_conformance.systems.history_merge.outcome import shown
from rejoin_conformance.systems.history_merge.run import Message, Run, run_history


def describe_history(history: History, reading: Reading) -> str:
    """Return a history as text: a drawing with one line per message, and the members at the end."""
    run = run_history(history, reading)
    heard = sum("hear" in event for event in history.events)
    return "\n".join(
        [
            (
                f"{counted(len(run.messages), 'message')} by"
                f" {counted(len(run.views.seen), 'author')},"
                f" who heard from each other {counted(heard, 'time')}"
            ),
            "",
            _drawing(run).text(),
            "",
            *_authors(run),
            f"heads {' '.join(sorted(run.merges.heads()))}",
            f"members {shown(run.merges.members())}",
        ]
    )


def drawings_of(history: History, reading: Reading) -> tuple[Drawing, ...]:
    """Return the drawing of the DAG of all messages."""
    return (_drawing(run_history(history, reading)),)


def _drawing(run: Run) -> Drawing:
    numbers = {message.id: message.number for message in run.messages}
    dag = {
        message.number: [numbers[parent] for parent in message.parents] for message in run.messages
    }
    names = {message.number: message.id for message in run.messages}
    notes = {message.number: _note(message) for message in run.messages}
    return Drawing("messages", dag, names, notes)


def _note(message: Message) -> str:
    author, kind, who = (message.post[name] for name in ("author", "kind", "who"))
    done = " ".join([author, kind, *([] if who == [author] else who)])
    departed = "" if message.departed == message.state else f" from {shown(message.departed)}"
    merged = f" (merged {shown(message.departed)})" if len(message.parents) > 1 else ""
    return f"{done}: {shown(message.state)}{merged or departed}"


def _authors(run: Run) -> list[str]:
    lines = []
    for author, view in sorted(run.views.seen.items()):
        heads = run.ids(run.views.heads(view))
        if heads:
            state = run.merges.merge(heads)
            lines.append(f"{author} has seen {' '.join(heads)} and has the members {shown(state)}")
    return lines


PICTURES: Final = Pictures(
    describe=under(READINGS, describe_history), drawings=under(READINGS, drawings_of)
)
"""The histories of this system as text and drawings."""
