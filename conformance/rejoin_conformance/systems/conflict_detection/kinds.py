"""The kinds of fields of conflict detection: how each is written, read, checked and loaded."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any, Final

from rejoin_conformance.contract.rows import TRUE
from rejoin_conformance.kit.json_types import Json, JsonObject
from rejoin_conformance.kit.phrases import Kind, Phrase, Scanner, Words
from rejoin_conformance.kit.schemas import (
    TEXT,
    integer,
    list_of,
    map_of,
    nullable,
)

WORDS: Final = Words(
    bare=r"[A-Za-z0-9_.,/+*!?&%$@~^'-]+",
    marks=r"[;:=<>()#]",
    reserved=frozenset({"after", "all", "deleted", "deletion", "nobody", "none", "nothing"}),
    range=re.compile(r"(\D*)(\d{1,3})\.\.(\d{1,3})"),
)
_MOST_FILES: Final = 1000


def content_of(text: str) -> bytes:
    """Return a text as a file's content: UTF-8, with lone surrogates allowed."""
    return text.encode("utf-8", "surrogatepass")


def text_of(content: bytes) -> str:
    """Return a file's content as a text; the inverse of `content_of`."""
    return content.decode("utf-8", "surrogatepass")


def is_word(text: Scanner) -> bool:
    """Return whether a name or a text comes next, also one that is a reserved word."""
    return text.next.kind in ("bare", "quoted")


def word(text: Scanner, expected: str) -> str:
    """Take a name or a text. Raises NotationError with `expected` if none comes next."""
    return text.take() if is_word(text) else text.fail(expected)


def _written(value: str, _: object) -> str:
    return WORDS.spelled(value)


def _load_text(value: str | None, _: object) -> bytes | None:
    return None if value is None else content_of(value)


def _named(expected: str, load: Callable[[Any, Any], Any] = lambda value, _: value) -> Kind:
    return Kind(schema=TEXT, read=lambda text: word(text, expected), write=_written, load=load)


def _changed(text: Scanner) -> Json:
    if text.takes("to", "nothing"):
        return None
    changed: str = Phrase("={text}", {"text": _TEXT}).read(text)["text"]
    return changed


def _files(text: Scanner) -> Json:
    found: JsonObject = {}
    while is_word(text):
        start = text.place
        name, value = Phrase("{file}={text}", KINDS).read(text).values()
        if name in found:
            text.place = start
            text.fail("a file that does not occur earlier in this list")
        found[name] = value
    return found


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


def _clients(text: Scanner) -> Json:
    if text.takes("nobody"):
        return []
    found: list[Json] = [word(text, "a client, or `nobody`")]
    while is_word(text):
        found.append(text.take())
    return found


_TEXT: Final = _named("a text", _load_text)
KINDS: Final[Mapping[str, Kind]] = {
    "client": _named("a client"),
    "file": _named("a file"),
    "text": _TEXT,
    "flag": TRUE,
    "clients": Kind(
        schema=list_of(TEXT),
        read=_clients,
        write=lambda names, _: " ".join(map(WORDS.spelled, names)) or "nobody",
    ),
    "change": Kind(
        schema=nullable(TEXT),
        read=_changed,
        write=lambda text, _: " to nothing" if text is None else f"={WORDS.spelled(text)}",
        load=_load_text,
    ),
    "files": Kind(
        schema=map_of(TEXT),
        read=_files,
        write=lambda files, _: " ".join(
            f"{WORDS.spelled(name)}={WORDS.spelled(text)}" for name, text in files.items()
        ),
        load=lambda files, _: {name: content_of(text) for name, text in files.items()},
    ),
    "pick": Kind(schema=integer(0), read=_pick, write=_spelled_pick),
}
"""The kinds of the fields of actions, by their names in templates."""
