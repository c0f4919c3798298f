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

from typing import Any, Final

from rejoin_conformance.kit.json_types import Json, JsonObject
from rejoin_conformance.kit.phrases import END_OF_TEXT, NotationError
from rejoin_conformance.systems.config_merge.actions import NAMES
from rejoin_conformance.systems.config_merge.changes import (
    Change,
    Path,
    Scalar,
    change_json,
    change_of,
)
from rejoin_conformance.systems.config_merge.injections import INJECTIONS
from rejoin_conformance.systems.config_merge.notation.data import (
    key_text,
    read_integer,
    read_key,
    read_string,
    value_text,
    wrapped,
)
from rejoin_conformance.systems.config_merge.notation.statements import Reader, statements_of
from rejoin_conformance.systems.config_merge.records import History

_NOBODY: Final = "nobody"
_MOST_PLACES: Final = 64


def render_history(history: History) -> str:
    """Return the text of a history: a line of properties, and a line for each event."""
    opening = f"clients {' '.join(history.names)}, window {history.window}"
    if history.signed:
        opening += ", signed"
    if history.readers:
        opening += f", readers {' '.join(history.readers)}"
    lines = [f"{opening}, seed {history.seed}"]
    for event in history.events:
        lines += wrapped(event_text(event))
    return "\n".join(lines)


def event_text(given: JsonObject) -> str:
    """Return the text of an event."""
    event: Any = given
    client = event.get("client", "")
    if "changes" in event:
        text = ", ".join(_change_text(change_of(each)) for each in event["changes"])
        return f"{client} edits {text or 'nothing'}"
    if "push" in event:
        text = ", deletes nothing" if "deletes_nothing" in event else ""
        return f"{client} pushes{text}{', delayed' if 'delayed' in event else ''}"
    if "fetch" in event:
        skip = event.get("skip", 0)
        places = " ".join(str(bit) for bit in range(skip.bit_length()) if skip >> bit & 1)
        return f"{client} fetches{places and f', skips {places}'}"
    if "resolve" in event:
        return f"{client} resolves"
    if "inject" in event:
        return f"inject {event['inject']}, target {event['target']}, salt {event['salt']}"
    if "partition" in event:
        return f"partition {' '.join(event['partition']) or _NOBODY}"
    return str(next(iter(event)))


def _change_text(change: Change) -> str:
    path = ".".join(map(key_text, change.path))
    if change.value is None:
        return f"remove {path}"
    mark = {"assign": "=", "add": "+", "discard": "-"}[change.kind]
    return f"{path} {mark} {value_text(change.value)}"


def parse_history(text: str) -> History:
    """Return the history that a text describes. Raises NotationError."""
    statements = [*map(Reader, statements_of(text.split("\n")))]
    if not statements:
        raise NotationError(1, "`clients`, `window` and `seed` of a history", END_OF_TEXT)
    first, *rest = statements
    first.expect("clients")
    clients = 0
    while clients < len(NAMES) and first.take(NAMES[clients]):
        clients += 1
    if not clients:
        raise first.missing("the clients by their letters: `A B C`")
    names = NAMES[:clients]
    first.expect(",", "window")
    window = _whole(first, "a window of at least 1", 1)
    signed = first.take(",", "signed")
    readers = _members(first, names) if first.take(",", "readers") else []
    first.expect(",", "seed")
    seed = read_integer(first)
    first.end()
    events = tuple(_event(reader, names) for reader in rest)
    return History(seed, clients, window, signed, tuple(map(str, readers)), events)


def _event(reader: Reader, names: str) -> JsonObject:
    event = _event_of_swarm(reader, names)
    if event is None:
        event = _event_of_client(reader, _client(reader, names))
    reader.end()
    return event


def _event_of_swarm(reader: Reader, names: str) -> JsonObject | None:
    if reader.take("inject"):
        kind = reader.next("word", "the kind of an injection").text
        if kind not in INJECTIONS:
            raise reader.wrong(f"the kind of an injection: {', '.join(INJECTIONS)}")
        reader.expect(",", "target")
        target = _whole(reader, "a number of messages")
        reader.expect(",", "salt")
        return {"inject": kind, "target": target, "salt": _whole(reader, "a number")}
    if reader.take("partition"):
        return {"partition": _members(reader, names)}
    if reader.take("heal"):
        return {"heal": True}
    return {"deliver": True} if reader.take("deliver") else None


def _client(reader: Reader, names: str) -> str:
    for client in names:
        if reader.take(client):
            return client
    raise reader.missing(
        f"a client ({' '.join(names)}), `inject`, `partition`, `heal` or `deliver`"
    )


def _event_of_client(reader: Reader, client: str) -> JsonObject:
    if reader.take("edits"):
        return {"client": client, "changes": _changes(reader)}
    event: JsonObject
    if reader.take("pushes"):
        event = {"client": client, "push": True}
        if reader.take(",", "deletes", "nothing"):
            event["deletes_nothing"] = True
        return {**event, "delayed": True} if reader.take(",", "delayed") else event
    if reader.take("fetches"):
        skip = _places(reader) if reader.take(",", "skips") else 0
        event = {"client": client, "fetch": True}
        return {**event, "skip": skip} if skip else event
    if reader.take("resolves"):
        return {"client": client, "resolve": True}
    raise reader.missing("`edits`, `pushes`, `fetches` or `resolves`")


def _changes(reader: Reader) -> list[Json]:
    if reader.sees("nothing") and len(reader.statement) == reader.place + 1:
        reader.expect("nothing")
        return []
    found: list[Json] = [_change(reader)]
    while reader.take(","):
        found.append(_change(reader))
    return found


def _change(reader: Reader) -> JsonObject:
    after = Reader(reader.statement, reader.place + 1)
    removes = reader.sees("remove") and (after.sees_kind("word") or after.sees_kind("string"))
    if removes:
        reader.expect("remove")
        return change_json("remove", _path(reader))
    path = _path(reader)
    for mark, kind in (("=", "assign"), ("+", "add"), ("-", "discard")):
        if reader.take(mark):
            return change_json(kind, path, _scalar(reader))
    raise reader.missing("`.` and a key, or `=`, `+` or `-` and a value")


def _path(reader: Reader) -> Path:
    keys = [read_key(reader)]
    while reader.take("."):
        keys.append(read_key(reader))
    return tuple(keys)


def _scalar(reader: Reader) -> Scalar:
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


def _members(reader: Reader, names: str) -> list[Json]:
    if reader.take(_NOBODY):
        return []
    members: list[Json] = []
    while reader.sees_kind("word"):
        letter = reader.next("word", "").text
        if letter not in names:
            raise reader.wrong("clients by their letters, or `nobody`")
        members.append(letter)
    if not members:
        raise reader.missing("clients by their letters, or `nobody`")
    return members


def _whole(reader: Reader, expected: str, least: int = 0) -> int:
    number = read_integer(reader)
    if number < least:
        raise reader.wrong(expected)
    return number
