"""Random histories as text.

    clients A B C, window 5, signed, readers C, seed 1234
    A edits a = 1, d.x = "v", remove b, s + 2, s - "old"
    A pushes
    B fetches, skips 0 3
    B resolves
    A pushes, deletes nothing, delayed
    inject other-nonce, target 2, salt 7
    partition A C
    heal
    deliver

A client's changes are: put a scalar at a path, remove what is there, put an element into a set, or
take one out of it. `skips` lists the places that a fetch leaves out, modulo 16. `readers` cannot
sign; `partition` names the clients on the far side. The events are the rows of `actions`.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

from rejoin_conformance.contract.history import NotAHistoryError
from rejoin_conformance.contract.rows import TRUE, action_of
from rejoin_conformance.kit.codec import plain
from rejoin_conformance.kit.json_types import JsonObject
from rejoin_conformance.kit.phrases import END_OF_TEXT, Kind, NotationError, Phrase
from rejoin_conformance.systems.config_merge.actions import EVENTS, KINDS, NAMES, read_actions
from rejoin_conformance.systems.config_merge.body import Book
from rejoin_conformance.systems.config_merge.bytes_text import read_integer, read_least
from rejoin_conformance.systems.config_merge.data_text import wrapped
from rejoin_conformance.systems.config_merge.records import History, history_from_json
from rejoin_conformance.systems.config_merge.statements import Statement, statements


def _read_number_of_clients(text: Any) -> int:
    clients = 0
    while clients < len(NAMES) and text.takes(NAMES[clients]):
        clients += 1
    return clients or text.fail("the clients by their letters: `A B C`")


_OPENING: Final = Phrase(
    "clients {clients:letters}, window {window:number}[, signed{signed:flag}]"
    "[, readers {readers:clients}], seed {seed}",
    {
        **KINDS,
        "letters": Kind(
            schema={},
            read=_read_number_of_clients,
            write=lambda count, _: " ".join(NAMES[:count]),
        ),
        "number": Kind(
            schema={}, read=lambda text: read_least(text, 1), write=lambda number, _: str(number)
        ),
        "seed": Kind(
            schema={}, read=lambda text: str(read_integer(text)), write=lambda seed, _: str(seed)
        ),
        "flag": TRUE,
    },
)


def render_history(history: History) -> str:
    """Return the text of a history: a line of properties, and a line for each event."""
    said = {name: each for name, each in plain(history).items() if each}
    opening = _OPENING.write({"seed": history.seed, **said})
    return "\n".join(
        [opening, *(line for event in history.events for line in wrapped(event_text(event)))]
    )


def event_text(event: JsonObject) -> str:
    """Return the text of an event."""
    return action_of(EVENTS, event).write(event)


def parse_history(source: str) -> History:
    """Return the history that a text describes. Raises NotationError."""
    lines = source.split("\n")
    listed = statements(lines, Book())
    if not listed:
        raise NotationError(1, "`clients`, `window` and `seed` of a history", END_OF_TEXT)
    first, *rest = listed
    said: Any = {"signed": False, "readers": [], **_OPENING.read(first)}
    first.done()
    names = NAMES[: said["clients"]]
    _check(first, said["readers"], names)
    said["events"] = []
    for text in rest:
        events: list[Any] = read_actions(text, EVENTS, names)
        _check(text, events[0].get("partition", ()), names)
        said["events"] += events
    try:
        return history_from_json(said)
    except NotAHistoryError as error:
        raise NotationError(len(lines), f"a history ({error})", lines[-1]) from None


def _check(text: Statement, named: Iterable[str], known: str) -> None:
    if not {*named} <= {*known}:
        text.refuse(f"clients of the history ({', '.join(known)})")
