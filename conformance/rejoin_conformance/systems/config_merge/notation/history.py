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
sign; `partition` names the clients on the far side. Such a set of clients is written as a number if
it has bits beyond the 26 letters.
"""

from __future__ import annotations

import string
from collections.abc import Callable
from typing import Final

from rejoin_conformance.kit.phrases import END_OF_TEXT, NotationError
from rejoin_conformance.systems.config_merge.histories import events as ev
from rejoin_conformance.systems.config_merge.histories.injections import KINDS
from rejoin_conformance.systems.config_merge.notation.data import (
    is_integer,
    key_text,
    read_integer,
    read_key,
    read_string,
    value_text,
    wrapped,
)
from rejoin_conformance.systems.config_merge.notation.statements import Reader, statements_of

_LETTERS: Final = string.ascii_uppercase
_NOBODY: Final = "nobody"
_MOST_PLACES: Final = 64


def render_history(history: ev.History) -> str:
    """Return the text of a history: a line of properties, and a line for each event."""
    opening = f"clients {' '.join(_LETTERS[: history.clients])}, window {history.window}"
    if history.signed:
        opening += ", signed"
    if history.readers:
        opening += f", readers {_members_text(history.readers)}"
    lines = [f"{opening}, seed {history.seed}"]
    for event in history.events:
        lines += wrapped(_event_text(event))
    return "\n".join(lines)


def _event_text(event: ev.Event) -> str:
    match event:
        case ev.Edit(client, changes):
            text = ", ".join(map(_change_text, changes))
            return f"{_LETTERS[client]} edits {text or 'nothing'}"
        case ev.Push(client, delete, delayed):
            text = ("" if delete else ", deletes nothing") + (", delayed" if delayed else "")
            return f"{_LETTERS[client]} pushes{text}"
        case ev.Fetch(client, skip):
            places = " ".join(str(bit) for bit in range(skip.bit_length()) if skip >> bit & 1)
            return f"{_LETTERS[client]} fetches{places and f', skips {places}'}"
        case ev.Resolve(client):
            return f"{_LETTERS[client]} resolves"
        case ev.Inject(kind, target, salt):
            return f"inject {kind}, target {target}, salt {salt}"
        case ev.Partition(members):
            return f"partition {_members_text(members)}"
        case ev.Heal():
            return "heal"
        case ev.Deliver():
            return "deliver"


def _change_text(change: ev.Change) -> str:
    path = ".".join(map(key_text, change.path))
    match change:
        case ev.Assign(_, value):
            return f"{path} = {value_text(value)}"
        case ev.Remove():
            return f"remove {path}"
        case ev.Add(_, element):
            return f"{path} + {value_text(element)}"
        case ev.Discard(_, element):
            return f"{path} - {value_text(element)}"


def _members_text(members: int) -> str:
    if members >> len(_LETTERS):
        return str(members)
    letters = [letter for bit, letter in enumerate(_LETTERS) if members >> bit & 1]
    return " ".join(letters) or _NOBODY


def parse_history(text: str) -> ev.History:
    """Return the history that a text describes. Raises NotationError."""
    statements = [*map(Reader, statements_of(text.split("\n")))]
    if not statements:
        raise NotationError(1, "`clients`, `window` and `seed` of a history", END_OF_TEXT)
    first, *rest = statements
    first.expect("clients")
    clients = 0
    while clients < ev.MOST_CLIENTS and first.take(_LETTERS[clients]):
        clients += 1
    if not clients:
        raise first.missing("the clients by their letters: `A B C`")
    first.expect(",", "window")
    window = _whole(first, "a window of at least 1", 1)
    signed = first.take(",", "signed")
    readers = _members(first) if first.take(",", "readers") else 0
    first.expect(",", "seed")
    seed = read_integer(first)
    first.end()
    return ev.History(
        seed=seed,
        clients=clients,
        window=window,
        signed=signed,
        readers=readers,
        events=tuple(_event(reader, clients) for reader in rest),
    )


def _event(reader: Reader, clients: int) -> ev.Event:
    event = _event_of_swarm(reader)
    if event is None:
        event = _event_of_client(reader, _client(reader, clients))
    reader.end()
    return event


def _event_of_swarm(reader: Reader) -> ev.Event | None:
    if reader.take("inject"):
        kind = reader.next("word", "the kind of an injection").text
        if kind not in KINDS:
            raise reader.wrong(f"the kind of an injection: {', '.join(KINDS)}")
        reader.expect(",", "target")
        target = _whole(reader, "a number of messages")
        reader.expect(",", "salt")
        return ev.Inject(kind, target, _whole(reader, "a number"))
    if reader.take("partition"):
        return ev.Partition(_members(reader))
    if reader.take("heal"):
        return ev.Heal()
    return ev.Deliver() if reader.take("deliver") else None


def _client(reader: Reader, clients: int) -> int:
    for client in range(clients):
        if reader.take(_LETTERS[client]):
            return client
    raise reader.missing(
        f"a client ({' '.join(_LETTERS[:clients])}), `inject`, `partition`, `heal` or `deliver`"
    )


def _event_of_client(reader: Reader, client: int) -> ev.Event:
    if reader.take("edits"):
        return ev.Edit(client, _changes(reader))
    if reader.take("pushes"):
        delete = not reader.take(",", "deletes", "nothing")
        return ev.Push(client, delete, reader.take(",", "delayed"))
    if reader.take("fetches"):
        return ev.Fetch(client, _places(reader) if reader.take(",", "skips") else 0)
    if reader.take("resolves"):
        return ev.Resolve(client)
    raise reader.missing("`edits`, `pushes`, `fetches` or `resolves`")


def _changes(reader: Reader) -> tuple[ev.Change, ...]:
    if reader.sees("nothing") and len(reader.statement) == reader.place + 1:
        reader.expect("nothing")
        return ()
    found = [_change(reader)]
    while reader.take(","):
        found.append(_change(reader))
    return tuple(found)


def _change(reader: Reader) -> ev.Change:
    after = Reader(reader.statement, reader.place + 1)
    removes = reader.sees("remove") and (after.sees_kind("word") or after.sees_kind("string"))
    if removes:
        reader.expect("remove")
        return ev.Remove(_path(reader))
    path = _path(reader)
    made: dict[str, Callable[[ev.Path, ev.Scalar], ev.Change]] = {
        "=": ev.Assign,
        "+": ev.Add,
        "-": ev.Discard,
    }
    for mark, make in made.items():
        if reader.take(mark):
            return make(path, _scalar(reader))
    raise reader.missing("`.` and a key, or `=`, `+` or `-` and a value")


def _path(reader: Reader) -> ev.Path:
    keys = [read_key(reader)]
    while reader.take("."):
        keys.append(read_key(reader))
    return tuple(keys)


def _scalar(reader: Reader) -> ev.Scalar:
    return read_string(reader) if reader.sees_kind("string") else read_integer(reader)


def _places(reader: Reader) -> int:
    skip = 0
    while reader.sees_kind("word"):
        place = _whole(reader, "a place")
        if place >= _MOST_PLACES:
            raise reader.wrong(f"a place below {_MOST_PLACES}")
        skip |= 1 << place
    if not skip:
        raise reader.missing("the places that a fetch leaves out")
    return skip


def _members(reader: Reader) -> int:
    if reader.take(_NOBODY):
        return 0
    if reader.sees_kind("word") and is_integer(reader.statement[reader.place].text):
        return read_integer(reader)
    members = 0
    while reader.sees_kind("word"):
        letter = reader.next("word", "").text
        if letter not in _LETTERS:
            raise reader.wrong("clients by their letters, `nobody`, or a number")
        members |= 1 << _LETTERS.index(letter)
    if not members:
        raise reader.missing("clients by their letters, `nobody`, or a number")
    return members


def _whole(reader: Reader, expected: str, least: int = 0) -> int:
    number = read_integer(reader)
    if number < least:
        raise reader.wrong(expected)
    return number
