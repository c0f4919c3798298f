"""Text as statements: the tokens of one question, definition or step each.

A statement begins at the indentation of the first line. A line with a deeper indentation continues
the statement above it. A semicolon outside brackets ends a statement.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from attrs import define

from rejoin_conformance.kit.phrases import Scanner, Token, Words, scanner

if TYPE_CHECKING:
    from rejoin_conformance.systems.config_merge.body import Book

_RESERVED: Final = (
    "after also but by bytes clients cut data diff end flip for hash head hex key merge none "
    "nothing of raw rows sealed sealed-libsession sees signature signed signing source store "
    "stored tail then to under unknown unreduced unsigned verify window with within"
)
RESERVED: Final = frozenset(_RESERVED.split())
"""Words that are not names of messages."""

_ESCAPED: Final = re.compile(rb'[^ -~]|["\\]')
_ESCAPE: Final = re.compile(r'\\(?:x([0-9a-f]{2})|(["\\])|(.?))')


def quoted(string: bytes) -> str:
    """Return the text of a string in quotes."""
    return f'"{_ESCAPED.sub(_escape, string).decode("ascii")}"'


def _escape(match: re.Match[bytes]) -> bytes:
    byte = match[0]
    return b"\\" + byte if byte in b'"\\' else b"\\x%02x" % byte[0]


def _unquoted(text: str) -> str:
    """Return the bytes of a quoted string, each as one character."""

    def byte(match: re.Match[str]) -> str:
        if match[3] is not None:
            raise ValueError(match[0])
        return chr(int(match[1], 16)) if match[1] else match[2]

    return _ESCAPE.sub(byte, text[1:-1].encode().decode("latin-1"))


_WORDS: Final = Words(
    bare=r"2\^[0-9]+(?:[+-][0-9]+)?|[A-Za-z0-9_]+(?:-[A-Za-z0-9_]+)*",
    marks=r"->|[][{}(),;:=+*/.-]",
    reserved=RESERVED,
    unquoted=_unquoted,
    quotes=r"a string with the escapes \\, \" and \xNN with two lower-case hex digits",
    quoted=lambda text: quoted(text.encode("latin-1")),
)


@define(slots=False)
class Statement(Scanner):
    """The tokens of one statement, which may go on on indented lines.

    book: the messages that have names.
    """

    book: Book = None  # type: ignore[assignment]  # set by `statements`

    def divided(self, *texts: str) -> tuple[Statement, Statement] | None:
        """Return what is before and after the first such tokens outside brackets, if any."""
        depth = 0
        for place, token in enumerate(self.tokens):
            self.place, start = place, self.place
            found, self.place = depth == 0 and self.would_take(*texts), start
            if found:
                after = place + len(texts)
                return self._part(self.tokens[:place]), self._part(self.tokens[after:-1])
            depth += _step(token)
        return None

    def _part(self, tokens: Sequence[Token]) -> Statement:
        return statement(tokens or self.tokens[-1:], self.book)

    def is_message(self) -> bool:
        """Return whether the name of a message can come next."""
        return self.next.kind == "bare" and self.is_name()


def statement(tokens: Sequence[Token], book: Book) -> Statement:
    """Return a statement of these tokens."""
    words = [token for token in tokens if token.kind != "end"]
    return Statement(_WORDS, [*words, Token("end", "", tokens[-1].line, 0)], book=book)


def statements(lines: Sequence[str], book: Book, before: int = 0) -> list[Statement]:
    """Return the statements of a text. Raises NotationError if a character begins no token.

    A statement begins at the indentation of the first one, or after a semicolon outside brackets.
    before: the number of lines before the text, for the line numbers in errors.
    """
    found: list[list[Token]] = [[]]
    margin, depth, begins = -1, 0, True
    for token in scanner(_WORDS, lines, before + 1).tokens:
        if token.kind == "end":
            begins = True
            continue
        if begins:
            margin = token.space if margin < 0 else margin
            if token.space <= margin:
                found.append([])
                depth = 0
            begins = False
        depth += _step(token)
        if (token.kind, token.text) == ("mark", ";") and depth <= 0:
            found.append([])
        else:
            found[-1].append(token)
    return [statement(tokens, book) for tokens in found if tokens]


def _step(token: Token) -> int:
    """Return the number of brackets that a token opens minus those that it closes."""
    return token.kind == "mark" and (token.text in "[{(") - (token.text in "]})")
