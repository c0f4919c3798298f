"""Text as statements of tokens, and a reader that walks over the tokens of one statement.

A statement begins at the indentation of the first line. A line with a deeper indentation continues
the statement above it. A semicolon outside brackets ends a statement.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final, Literal, TypeAlias

from attrs import define, frozen

from rejoin_conformance.kit.phrases import END_OF_TEXT, NotationError

Kind: TypeAlias = Literal["word", "string", "mark"]

_TOKEN: Final = re.compile(
    r'(?P<string>"(?:[^"\\]|\\.)*")'
    r"|(?P<word>2\^[0-9]+(?:[+-][0-9]+)?|[A-Za-z0-9_]+(?:-[A-Za-z0-9_]+)*)"
    r"|(?P<mark>->|[][{}(),;:=+*/.-])"
)
_ESCAPE: Final = re.compile(r'\\(x[0-9a-f]{2}|["\\])|\\')
_SHOWN: Final = 40


@frozen
class Token:
    """A word, a quoted string (with its quotes) or a mark. line: its line, from 1.

    A number is a word; so is a power of two with an offset, such as 2^62-1.
    """

    kind: Kind
    text: str
    line: int

    def string(self) -> bytes:
        """Return the bytes of a quoted string."""
        parts: list[bytes] = []
        end = 1
        for escape in _ESCAPE.finditer(self.text, 1, len(self.text) - 1):
            if escape[1] is None:
                expected = r"an escape: \\, \" or \xNN with two lower-case hex digits"
                raise NotationError(self.line, expected, self.text[escape.start() :][:4])
            parts.append(self.text[end : escape.start()].encode())
            parts.append(bytes.fromhex(escape[1][1:]) if len(escape[1]) > 1 else escape[1].encode())
            end = escape.end()
        parts.append(self.text[end:-1].encode())
        return b"".join(parts)


Statement: TypeAlias = tuple[Token, ...]
"""The tokens of one statement: never empty."""


def statements_of(lines: Sequence[str], before: int = 0) -> tuple[Statement, ...]:
    """Return the statements of a text. Raises NotationError if a character cannot begin a token.

    before: the number of lines before the text, for the line numbers in errors.
    """
    found: list[Statement] = []
    for group in _groups(lines, before + 1):
        tokens = [token for number, line in group for token in _tokens(number, line)]
        found += _divided(tokens)
    return tuple(found)


def _groups(lines: Sequence[str], first: int) -> Iterator[list[tuple[int, str]]]:
    """Yield the lines of each statement with their numbers. first: the number of the first line."""
    group: list[tuple[int, str]] = []
    margin = -1
    for number, line in enumerate(lines, start=first):
        stripped = line.lstrip()
        if not stripped:
            continue
        indent = len(line) - len(stripped)
        margin = indent if margin < 0 else margin
        if group and indent <= margin:
            yield group
            group = []
        group.append((number, line))
    if group:
        yield group


def _tokens(number: int, line: str) -> Iterator[Token]:
    place = 0
    while True:
        while place < len(line) and line[place].isspace():
            place += 1
        if place == len(line):
            return
        match = _TOKEN.match(line, place)
        if match is None:
            raise NotationError(
                number, 'a word, a number, a "string" or a mark', line[place:][:_SHOWN]
            )
        kind: Kind = "word" if match["word"] else "string" if match["string"] else "mark"
        yield Token(kind, match[0], number)
        place = match.end()


def _divided(tokens: Sequence[Token]) -> Iterator[Statement]:
    """Yield the tokens between semicolons that are not in brackets."""
    current: list[Token] = []
    depth = 0
    for token in tokens:
        if token.kind == "mark":
            depth += (token.text in "[{(") - (token.text in "]})")
            if token.text == ";" and depth <= 0:
                if current:
                    yield tuple(current)
                current = []
                continue
        current.append(token)
    if current:
        yield tuple(current)


@define
class Reader:
    """A position in a statement; reads the next tokens, and creates errors for this position."""

    statement: Statement
    place: int = 0

    @property
    def at_end(self) -> bool:
        """Return whether every token is read."""
        return self.place == len(self.statement)

    def sees(self, *texts: str) -> bool:
        """Return whether the next tokens, quoted strings aside, are these."""
        ahead = self.statement[self.place : self.place + len(texts)]
        return len(ahead) == len(texts) and all(
            token.kind != "string" and token.text == text
            for token, text in zip(ahead, texts, strict=True)
        )

    def sees_kind(self, kind: Kind) -> bool:
        """Return whether the next token is of that kind."""
        return not self.at_end and self.statement[self.place].kind == kind

    def take(self, *texts: str) -> bool:
        """Read these tokens if they come next; return whether they did."""
        if self.sees(*texts):
            self.place += len(texts)
            return True
        return False

    def expect(self, *texts: str) -> None:
        """Read these tokens. Raises NotationError if something else comes next."""
        if not self.take(*texts):
            raise self.missing(f"`{' '.join(texts)}`")

    def next(self, kind: Kind, expected: str) -> Token:
        """Read a token of a kind. Raises NotationError, which says what was expected."""
        if not self.sees_kind(kind):
            raise self.missing(expected)
        self.place += 1
        return self.statement[self.place - 1]

    def end(self) -> None:
        """Raise NotationError if a token is left."""
        if not self.at_end:
            raise self.missing("the end of the statement")

    def missing(self, expected: str) -> NotationError:
        """Return the error for a next token that is not the expected one."""
        if not self.at_end:
            token = self.statement[self.place]
            return NotationError(token.line, expected, token.text[:_SHOWN])
        return NotationError(self.statement[-1].line, expected, END_OF_TEXT)

    def wrong(self, expected: str) -> NotationError:
        """Return the error for a last token that is not the expected one."""
        token = self.statement[max(0, self.place - 1)]
        return NotationError(token.line, expected, token.text[:_SHOWN])
