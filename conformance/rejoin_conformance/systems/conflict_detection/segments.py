"""Split text into statements and segments, and read and write names.

A body consists of statements. A statement is one line, or several statements are on one line with
semicolons between them. A line with a deeper indentation continues the line above it. Two or more
spaces, or the `=` before an answer, separate the segments of a statement. The first segment is the
action or the question, the others are observations or answers.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any, Final, TypeAlias

from attrs import define, evolve, field

from rejoin_conformance.kit.phrases import END_OF_TEXT, Scanner, Token, Words, scanner

GAP: Final = "   "
"""The text between two segments."""
WORDS: Final = Words(
    bare=r"[A-Za-z0-9_.,/+*!?&%$@~^'-]+",
    marks=r"[;:=<>()#]",
    reserved=frozenset({"after", "all", "deleted", "deletion", "nobody", "none", "nothing"}),
    range=re.compile(r"(\D*)(\d{1,3})\.\.(\d{1,3})"),
)
_INTEGER: Final = re.compile(r"-?\d{1,40}")


def is_word(text: Scanner) -> bool:
    """Return whether a name or a text comes next, also one that is a reserved word."""
    return text.next.kind in ("bare", "quoted")


def word(text: Scanner, expected: str) -> str:
    """Take a name or a text. Raises NotationError with `expected` if none comes next."""
    return text.take() if is_word(text) else text.fail(expected)


def whole(text: Scanner, expected: str) -> int:
    """Take an integer. Raises NotationError with `expected` if none comes next."""
    if text.next.kind != "bare" or not _INTEGER.fullmatch(text.next.text):
        text.fail(expected)
    return int(text.take())


def ends(text: Scanner) -> bool:
    """Return whether a segment ends here: a gap, `=` or `;` comes next, or no word."""
    token = text.next
    separates = token.kind == "mark" and (token.text == ";" or (token.text == "=" and token.space))
    return token.kind == "end" or (token.space > 1 and text.place > 0) or bool(separates)


def words_left(text: Scanner, expected: str, empty: str = "nothing") -> list[str]:
    """Take the names up to the end of the segment, at least one, or the word for no name.

    `t1..40` is short for the names from t1 to t40; a list with such a range is sorted.
    """
    if text.takes(empty):
        return []
    names: list[str] = []
    ranges = False
    while not names or not ends(text):
        bare = text.next.kind == "bare"
        match = WORDS.range.fullmatch(text.next.text) if bare else None
        name = word(text, expected)
        ranges |= match is not None
        numbers = range(int(match[2]), int(match[3]) + 1) if match else ()
        names += [f"{match[1]}{each}" for each in numbers] if match else [name]
    return sorted(names) if ranges else names


def items(text: Scanner, name: str, value: Callable[[Scanner], Any]) -> dict[str, Any]:
    """Take the pairs `name=value` up to the end of the segment; each name occurs once."""
    taken: dict[str, Any] = {}
    while not ends(text):
        before = text.place
        key = word(text, f"{name}, `=` and its value")
        if not (text.glued(0) and text.takes("=") and text.glued(0)):
            text.fail(f"`=` and a value after {key!r}, without spaces")
        if key in taken:
            text.place = before
            text.fail(f"{name} that does not occur earlier in this list")
        taken[key] = value(text)
    return taken


def spelled_items(pairs: Mapping[str, Any], value: Callable[[Any], str], empty: str) -> str:
    """Return the text of pairs."""
    return " ".join(f"{WORDS.spelled(name)}={value(each)}" for name, each in pairs.items()) or empty


def spelled_list(names: Iterable[str], empty: str = "nothing") -> str:
    """Return the text of names in a row."""
    return " ".join(map(WORDS.spelled, names)) or empty


@define(slots=False)
class Segment(Scanner):
    """The tokens of one segment, read in order. defined: the snapshots that the body defines."""

    defined: dict[str, bytes] = field(factory=dict)

    def end(
        self, expected: str = "the end of the statement, or two spaces before an observation"
    ) -> None:
        """Raise NotationError if a token is left."""
        if not self.at_end:
            self.fail(expected)

    def text_at(self, place: int) -> str:
        """Return the text of the token at a place, or an empty text after the last one."""
        return self.tokens[place].text if place < len(self.tokens) else END_OF_TEXT


Statement: TypeAlias = Sequence[Segment]


def statements(lines: Sequence[str]) -> list[Statement]:
    """Return the statements of a body, each with at least one segment.

    Raises NotationError if a character cannot be part of a token.
    """
    parsed: list[Statement] = []
    base: int | None = None
    names: dict[str, bytes] = {}
    for _, line in groupby(scanner(WORDS, lines).tokens, key=lambda token: token.line):
        tokens = [token for token in line if token.kind != "end"]
        if not tokens:
            continue
        base = tokens[0].space if base is None else base
        made = [*_statements(tokens, names)]
        if tokens[0].space > base and parsed and made:
            parsed[-1] = [*parsed[-1], *made.pop(0)]
        parsed += made
    return parsed


def _statements(line: Sequence[Token], names: dict[str, bytes]) -> Iterator[Statement]:
    """Yield the statements of one line."""
    statement: list[list[Token]] = [[]]
    for token in (*line, Token("mark", ";", line[0].line, 0)):
        if token.kind == "mark" and token.text == ";":
            if any(statement):
                yield [_segment(tokens, names) for tokens in statement if tokens]
            statement = [[]]
            continue
        if token.space > 1 or (token.text == "=" and token.kind == "mark" and token.space):
            statement.append([])
        statement[-1].append(token)


def _segment(tokens: Sequence[Token], names: dict[str, bytes]) -> Segment:
    end = Token("end", END_OF_TEXT, tokens[-1].line, 0)
    return Segment(WORDS, [*tokens, end], defined=names)


def flat(asked: Sequence[Statement]) -> Segment:
    """Return the tokens of statements as one text, with an end after each statement."""
    tokens: list[Token] = []
    for statement in asked:
        if tokens:
            tokens.append(Token("end", END_OF_TEXT, tokens[-1].line, 0))
        for place, segment in enumerate(statement):
            first, *others = segment.tokens[:-1]
            tokens += [evolve(first, space=max(first.space, 2 * (place > 0))), *others]
    return _segment(tokens, asked[0][0].defined)
