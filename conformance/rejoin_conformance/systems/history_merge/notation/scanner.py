"""The words and marks of a text of this notation, one after the other, with their lines."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Sequence
from typing import Final, Literal, TypeAlias

from attrs import frozen

from rejoin_conformance.contract.notation import word
from rejoin_conformance.kit.phrases import END_OF_TEXT, NotationError

_TOKEN: Final = re.compile(
    r"""\s*(?:(?P<quoted>"(?:[^"\\]|\\.)*")
    |(?P<mark>->|[{}\[\]<:;=,])
    |(?P<bare>-?[A-Za-z0-9_][A-Za-z0-9_.+-]*))""",
    re.VERBOSE,
)
NOTHING: Final = "nothing"
"""The word for a list without nodes."""

Kind: TypeAlias = Literal["quoted", "mark", "bare", "end"]


@frozen
class Token:
    """A word or a mark, or the end of a line. text: as it is written, without quotes."""

    kind: Kind
    text: str
    line: int


class Scanner:
    """Reads a text from its first word to its last one.

    reserved: the bare words that are no names. A name that is spelled like one stands in quotes.
    state_types: the type of each state that was read so far; the reader of states notes it here.
    """

    def __init__(self, lines: Sequence[str], reserved: frozenset[str]) -> None:
        self._tokens = [*_tokens(lines)]
        words = (place for place, token in enumerate(self._tokens) if token.kind != "end")
        self._last_word = max(words, default=-1)
        self._reserved = reserved
        self._place = 0
        self.state_types: list[str] = []

    @property
    def next(self) -> Token:
        """Return the next token, which is not taken."""
        return self._tokens[min(self._place, len(self._tokens) - 1)]

    @property
    def at_end(self) -> bool:
        """Return whether nothing is left but the ends of lines."""
        return self._place > self._last_word

    def take(self) -> Token:
        """Return the next token, taken."""
        token = self.next
        self._place += 1
        return token

    def takes(self, text: str) -> bool:
        """Take the mark or keyword if it is the next one; whether it is."""
        found = self.next.text == text and self.next.kind in ("mark", "bare")
        self._place += found
        return found

    def expect(self, text: str) -> None:
        """Take the mark or keyword. Raises NotationError if something else is next."""
        if not self.takes(text):
            raise self.fault(f"`{text}`")

    def ends_statement(self) -> bool:
        """Take the semicolons and ends of lines that are next; whether there is one."""
        start = self._place
        while self._place < len(self._tokens) and (
            self.next.kind == "end" or (self.next.kind == "mark" and self.next.text == ";")
        ):
            self._place += 1
        return self._place > start

    def is_name(self) -> bool:
        """Return whether a name is next."""
        token = self.next
        return token.kind == "quoted" or (token.kind == "bare" and token.text not in self._reserved)

    def name(self, expected: str) -> str:
        """Take a name. Raises NotationError if none is next."""
        if not self.is_name():
            raise self.fault(expected)
        return self.take().text

    def names(self, expected: str) -> list[str]:
        """Take names, at least one, or the word for no name."""
        if self.takes(NOTHING):
            return []
        found = [self.name(f"{expected}, or `{NOTHING}`")]
        while self.is_name():
            found.append(self.take().text)
        return found

    def fault(self, expected: str) -> NotationError:
        """Return the error for text that is not the expected one."""
        token = self.next
        text = json.dumps(token.text) if token.kind == "quoted" else token.text
        return NotationError(token.line, expected, text)


def named(reserved: frozenset[str]) -> Callable[[str], str]:
    """Return a function that writes names so that a scanner with these words reads them back."""

    def write(name: str) -> str:
        return json.dumps(name) if name in reserved else word(name)

    return write


def _tokens(lines: Sequence[str]) -> Iterator[Token]:
    for number, line in enumerate(lines, start=1):
        place, end = 0, len(line.rstrip())
        while place < end:
            match = _TOKEN.match(line, place)
            if match is None:
                raise NotationError(number, "a name, a quoted text or a mark", line[place:].strip())
            place = match.end()
            yield _token(number, match)
        yield Token("end", END_OF_TEXT, number)
    if not lines:
        yield Token("end", END_OF_TEXT, 1)


def _token(line: int, match: re.Match[str]) -> Token:
    quoted = match["quoted"]
    if quoted is None:
        return Token("mark" if match["mark"] else "bare", match[0].strip(), line)
    try:
        return Token("quoted", json.loads(quoted), line)
    except ValueError:
        raise NotationError(line, "a text in quotes as JSON writes it", quoted) from None
