"""The kinds of the fields of actions, and how they are read and written."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any, Final

from rejoin_conformance.contract.rows import TRUE, Action, read_action
from rejoin_conformance.kit.json_types import Json, JsonObject
from rejoin_conformance.kit.phrases import Kind
from rejoin_conformance.kit.schemas import HEX, integer, list_of, one_of_texts
from rejoin_conformance.systems.config_merge.bytes_text import (
    is_string,
    read_integer,
    read_least,
    read_part,
)
from rejoin_conformance.systems.config_merge.changes import CHANGE, Path, change_json, change_of
from rejoin_conformance.systems.config_merge.data_text import key_text, read_key, value_text
from rejoin_conformance.systems.config_merge.injections import INJECTIONS
from rejoin_conformance.systems.config_merge.kinds import WHOLE_DATA

NAMES: Final = "ABCDEFGH"
"""The names of the clients of a history."""

NAME: Final[JsonObject] = {"type": "string", "minLength": 1}


def _named(known: Collection[str], expected: str) -> Callable[[Any], str]:
    """Return a function that takes one of these words."""
    return lambda text: text.take() if text.next.text in known else text.fail(expected)


def _read_changes(text: Any) -> list[Json]:
    if _follows(text, "end") and text.takes("nothing"):
        return []
    found: list[Json] = [_read_change(text)]
    while text.takes(","):
        found.append(_read_change(text))
    return found


def _follows(text: Any, *kinds: str) -> bool:
    """Return whether a token of one of these kinds comes after the next one."""
    return [each.kind for each in text.tokens[text.place + 1 :][:1]] in [[kind] for kind in kinds]


def _read_change(text: Any) -> JsonObject:
    if _follows(text, "bare", "quoted") and text.takes("remove"):
        return change_json("remove", _read_path(text))
    path = _read_path(text)
    kind = next((kind for kind, mark in _MARKS.items() if text.takes(mark)), "")
    if not kind:
        text.fail("`.` and a key, or `=`, `+` or `-` and a value")
    return change_json(kind, path, read_part(text) if is_string(text) else read_integer(text))


def _read_path(text: Any) -> Path:
    keys = [read_key(text)]
    while text.takes("."):
        keys.append(read_key(text))
    return tuple(keys)


def _change_text(given: Any) -> str:
    change = change_of(given)
    path = ".".join(map(key_text, change.path))
    if change.value is None:
        return f"remove {path}"
    return f"{path} {_MARKS[change.kind]} {value_text(change.value)}"


def _read_places(text: Any) -> int:
    skipped = 0
    while text.next.kind == "bare":
        place = read_integer(text, "a place")
        skipped |= 1 << place if place < _PLACES else text.refuse(f"a place below {_PLACES}")
    return skipped or text.fail("the places that a fetch leaves out")


def _places_text(skipped: int, _: object) -> str:
    return " ".join(str(bit) for bit in range(skipped.bit_length()) if skipped >> bit & 1)


def _read_clients(text: Any) -> list[Json]:
    if text.takes(_NOBODY):
        return []
    read = _named([*NAMES], f"clients by their letters, or `{_NOBODY}`")
    found: list[Json] = [read(text)]
    while text.next.kind == "bare":
        found.append(read(text))
    return found


def read_actions(
    text: Any, rows: Sequence[Action], clients: Sequence[str], instead: Sequence[str] = ()
) -> list[JsonObject]:
    """Take an action of the swarm, or the actions of a client with commas between them.

    instead: other words that can come, for the error.
    """
    swarm = dict.fromkeys([row.lead[0] for row in rows if not row.subject])
    if text.next.kind != "bare" or text.next.text not in (*swarm, *clients):
        words = ", ".join(f"`{word}`" for word in (*swarm, *instead))
        text.fail(f"{words} or the name of a client ({', '.join(clients)})")
    first = read_action(rows, text)
    found = [first]
    while "client" in first and text.takes(","):
        found.append(read_action(rows, text, {"client": first["client"]}))
    text.done()
    return found


_MARKS: Final = {"assign": "=", "add": "+", "discard": "-"}
_NOBODY: Final = "nobody"
_PLACES: Final = 64
KINDS: Final[Mapping[str, Kind]] = {
    "client": Kind(
        schema=NAME,
        read=lambda text: text.take(),
        write=lambda name, _: str(name),
        words="The client that takes the step.",
    ),
    "data": WHOLE_DATA,
    "message": Kind(
        schema=HEX,
        load=lambda value, _: bytes.fromhex(value),
        write=lambda value, sheet: sheet.name(bytes.fromhex(value)),
    ),
    "ciphertext": Kind(
        schema=HEX,
        load=lambda value, _: bytes.fromhex(value),
        write=lambda value, sheet: sheet.name_of_stored(bytes.fromhex(value)),
    ),
    "changes": Kind(
        schema=list_of(CHANGE),
        load=lambda each, _: tuple(map(change_of, each)),
        read=_read_changes,
        write=lambda each, _: ", ".join(map(_change_text, each)) or "nothing",
    ),
    "flag": TRUE,
    "places": Kind(schema=integer(1), read=_read_places, write=_places_text),
    "injection": Kind(
        schema=one_of_texts(*INJECTIONS),
        read=_named(INJECTIONS, f"the kind of an injection: {', '.join(INJECTIONS)}"),
        write=lambda kind, _: str(kind),
    ),
    "count": Kind(
        schema=integer(0), read=lambda text: read_least(text, 0), write=lambda count, _: str(count)
    ),
    "clients": Kind(
        schema=list_of(NAME, unique=True),
        read=_read_clients,
        write=lambda names, _: " ".join(names) or _NOBODY,
    ),
}
