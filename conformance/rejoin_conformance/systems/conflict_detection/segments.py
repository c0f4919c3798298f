"""Split text into statements and segments.

A body consists of statements. A statement is one line, or several statements are on one line with
semicolons between them. A line with a deeper indentation continues the line above it. Two or more
spaces, or the `=` before an answer, separate the segments of a statement. The first segment is the
action or the question, the others are observations or answers.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from itertools import groupby
from typing import Final, TypeAlias, TypeVar

from rejoin_conformance.kit.phrases import END_OF_TEXT, Scanner, Token, scanner
from rejoin_conformance.systems.conflict_detection.kinds import WORDS, word

T = TypeVar("T")

GAP: Final = "   "
"""The text between two segments."""
_INTEGER: Final = re.compile(r"-?\d{1,40}")


class Segment(Scanner):
    """The tokens of one segment, read in order."""

    def end(
        self, expected: str = "the end of the statement, or two spaces before an observation"
    ) -> None:
        """Raise NotationError if a token is left."""
        if not self.at_end:
            self.fail(expected)

    def text_at(self, place: int) -> str:
        """Return the text of the token at a place, or an empty text after the last one."""
        return self.tokens[place].text if place < len(self.tokens) else END_OF_TEXT

    def whole(self, expected: str, most: int | None = None) -> int:
        """Take an integer, from 0 to `most` if `most` is given."""
        if self.next.kind != "bare" or not _INTEGER.fullmatch(self.next.text):
            self.fail(expected)
        number = int(self.next.text)
        if most is not None and not 0 <= number <= most:
            self.fail(f"{expected}, from 0 to {most}")
        self.place += 1
        return number

    def words_left(self, expected: str, empty: str = "nothing") -> list[str]:
        """Take all names that are left; none after the word `empty`.

        `t1..40` is short for the names from t1 to t40; a list with such a range is sorted.
        """
        if self.takes(empty):
            return []
        names: list[str] = []
        ranges = False
        while not self.at_end or not names:
            bare = self.next.kind == "bare"
            match = WORDS.range.fullmatch(self.next.text) if bare else None
            name = word(self, expected)
            if match is None:
                names.append(name)
            else:
                ranges = True
                names += [f"{match[1]}{each}" for each in range(int(match[2]), int(match[3]) + 1)]
        return sorted(names) if ranges else names

    def items(self, name: str, value: Callable[[Segment], T]) -> dict[str, T]:
        """Take all pairs `name=value` that are left; each name occurs once."""
        taken: dict[str, T] = {}
        while not self.at_end:
            before = self.place
            key = word(self, f"{name}, `=` and its value")
            if not (self.glued(0) and self.takes("=") and self.glued(0)):
                self.fail(f"`=` and a value after {key!r}, without spaces")
            if key in taken:
                self.place = before
                self.fail(f"{name} that does not occur earlier in this list")
            taken[key] = value(self)
        return taken


Statement: TypeAlias = Sequence[Segment]


def statements(lines: Sequence[str]) -> list[Statement]:
    """Return the statements of a body, each with at least one segment.

    Raises NotationError if a character cannot be part of a token.
    """
    parsed: list[Statement] = []
    base: int | None = None
    for _, line in groupby(scanner(WORDS, lines).tokens, key=lambda token: token.line):
        tokens = [token for token in line if token.kind != "end"]
        if not tokens:
            continue
        base = tokens[0].space if base is None else base
        made = [*_statements(tokens)]
        if tokens[0].space > base and parsed and made:
            parsed[-1] = [*parsed[-1], *made.pop(0)]
        parsed += made
    return parsed


def _statements(line: Sequence[Token]) -> Iterator[Statement]:
    """Yield the statements of one line."""
    statement: list[list[Token]] = [[]]
    for token in (*line, Token("mark", ";", line[0].line, 0)):
        if token.kind == "mark" and token.text == ";":
            if any(statement):
                yield [_segment(tokens) for tokens in statement if tokens]
            statement = [[]]
            continue
        if token.space > 1 or (token.text == "=" and token.kind == "mark" and token.space):
            statement.append([])
        statement[-1].append(token)


def _segment(tokens: Sequence[Token]) -> Segment:
    return Segment(WORDS, [*tokens, Token("end", END_OF_TEXT, tokens[0].line, 0)])
