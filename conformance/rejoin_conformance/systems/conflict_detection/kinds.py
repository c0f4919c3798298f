"""The kinds of the fields of actions: how each is written, read, checked and loaded."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from attrs import evolve

from rejoin_conformance.contract.rows import TRUE
from rejoin_conformance.kit.json_types import Json
from rejoin_conformance.kit.locations import saying, text_beside
from rejoin_conformance.kit.phrases import Kind, Scanner
from rejoin_conformance.kit.schemas import TEXT, integer, list_of, map_of, nullable
from rejoin_conformance.systems.conflict_detection.segments import (
    WORDS,
    items,
    spelled_items,
    spelled_list,
    word,
    words_left,
)

_MOST_FILES: Final = 1000


def content_of(text: str) -> bytes:
    """Return a text as a file's content: UTF-8, with lone surrogates allowed."""
    return text.encode("utf-8", "surrogatepass")


def text_of(content: bytes) -> str:
    """Return a file's content as a text; the inverse of `content_of`."""
    return content.decode("utf-8", "surrogatepass")


def _written(value: str, _: object) -> str:
    return WORDS.spelled(value)


def _load_text(value: str | None, _: object) -> bytes | None:
    return None if value is None else content_of(value)


def named(expected: str, load: Callable[[Any, Any], Any] = lambda value, _: value) -> Kind:
    """Return the kind of a name or text. expected: the text of the error if none comes next."""
    return Kind(
        schema=TEXT,
        read=lambda text: word(text, expected),
        write=_written,
        load=load,
    )


def names(expected: str = "a snapshot", empty: str = "nothing") -> Kind:
    """Return the kind of names up to the end of the segment. empty: the word for no name."""
    return Kind(
        schema=list_of(TEXT),
        read=lambda text: words_left(text, expected, empty),
        write=lambda names, _: spelled_list(names, empty),
        dump=lambda names, _: [*sorted(names)],
    )


def _read_client(text: Scanner) -> Json:
    return word(text, "a client")


_CLIENT: Final = Kind(schema=TEXT, read=_read_client, write=_written)


def is_client(kind: Kind) -> bool:
    """Return whether a field names a client."""
    return kind.read is _read_client


_TEXT: Final = named("a text", _load_text)
_FILE: Final = named("a file")


def valued(text: Scanner) -> str:
    """Take `=` and a text, without spaces."""
    if not (text.glued(0) and text.takes("=") and text.glued(0)):
        text.fail("`=` and a value, without spaces")
    return word(text, "a text")


def _pick(text: Scanner) -> Json:
    if text.takes("any", "conflict", "file"):
        return 0
    if not text.takes("conflict", "files"):
        text.fail("`any conflict file`, or `conflict files` and their numbers")
    pick = 0
    while not pick or text.next.text.isdecimal():
        if not (text.next.text.isdecimal() and 0 < int(text.next.text) <= _MOST_FILES):
            text.fail(f"the number of a conflict file, from 1 to {_MOST_FILES}")
        pick |= 1 << int(text.take()) - 1
    return pick


def _spelled_pick(pick: int, _: object) -> str:
    numbers = [str(place + 1) for place in range(pick.bit_length()) if pick >> place & 1]
    return f"conflict files {' '.join(numbers)}" if numbers else "any conflict file"


_KINDS: Final[Mapping[str, Kind]] = {
    "client": _CLIENT,
    "file": _FILE,
    "forged": TRUE,
    "edit": _TEXT,
    "change": Kind(
        schema=nullable(TEXT),
        read=lambda text: None if text.takes("to", "nothing") else valued(text),
        write=lambda text, _: " to nothing" if text is None else f"={WORDS.spelled(text)}",
        load=_load_text,
    ),
    "poll": _CLIENT,
    "stops": TRUE,
    "poll_all": _CLIENT,
    "resolve": evolve(names("a client, or `nobody`", "nobody"), dump=lambda names, _: names),
    "text": _TEXT,
    "undelete": _TEXT,
    "rename": _FILE,
    "join": Kind(
        schema=map_of(TEXT),
        read=lambda text: items(text, "a file", lambda text: word(text, "a text")),
        write=lambda files, _: spelled_items(files, WORDS.spelled, ""),
        load=lambda files, _: {name: content_of(text) for name, text in files.items()},
    ),
    "subscribe": _CLIENT,
    "unsubscribe": _CLIENT,
    "pick": Kind(schema=integer(0), read=_pick, write=_spelled_pick),
    "touch": _TEXT,
    "move": _FILE,
}
KINDS: Final = saying(text_beside(__name__), _KINDS)
"""The kinds of the fields of actions, by name; `kinds.txt` describes them."""
