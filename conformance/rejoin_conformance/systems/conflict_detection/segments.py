"""Split text into statements and segments, and read and write names.

A body consists of statements. A statement is one line, or several statements are on one line with
semicolons between them. A line with a deeper indentation continues the line above it. Two or more
spaces, or the `=` before an answer, separate the segments of a statement. The first segment is the
action or the question, the others are observations or answers.

Names and pairs with the place `<i>` are repeated: `for i 1..9` makes a recipe, and `for each i
1..9` writes them out (`contract/drafting.py`).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any, Final, TypeAlias

from attrs import define, evolve, field

from rejoin_conformance.contract.drafting import (
    PLACE,
    numbered,
    read_numbers,
    read_repetition,
)
from rejoin_conformance.kit.json_types import Json
from rejoin_conformance.kit.phrases import END_OF_TEXT, Scanner, Token, Words, scanner

GAP: Final = "   "
"""The text between two segments."""
WORDS: Final = Words(
    bare=rf"(?:[A-Za-z0-9_.,/+*!?&%$@~^'-]|{PLACE})+",
    marks=rf"(?!{PLACE})[;:=<>()#]",
    reserved=frozenset({"after", "all", "deleted", "deletion", "nobody", "none", "nothing"}),
    range=re.compile(r"(\D*)(\d{1,3})\.\.(\d{1,3})"),
)
_INTEGER: Final = re.compile(r"-?\d{1,40}")
_COMPUTED: Final = re.compile(rf"\d*{PLACE}")


def word(text: Scanner, expected: str) -> str:
    """Take a name or a text. Raises NotationError with `expected` if none comes next."""
    return text.take() if text.next.kind in ("bare", "quoted") else text.fail(expected)


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


def number(text: Scanner, expected: str) -> Json:
    """Take an integer, or the recipe of one such as `<i+1>`."""
    place = text.next.kind == "bare" and _COMPUTED.fullmatch(text.next.text)
    return {"$number": text.take()} if place else whole(text, expected)


def repeats(found: object) -> bool:
    """Return whether a value has the place of a number."""
    return "<i" in str(found)


def repeated(text: Scanner, found: Json) -> list[Json]:
    """Return a value with the place of a number for each number that comes next, or once."""
    return read_repetition(text, [found]) if repeats(found) else [found]


def words_left(
    text: Scanner, expected: str, empty: str = "nothing", *, alone: bool = True
) -> list[Json]:
    """Take the names up to the end of the segment, at least one, or the word for no name.

    `t1..40` is short for the names from t1 to t40; a list with such a range is sorted. alone:
    whether `for` repeats a name, and not what the names belong to.
    """
    if text.takes(empty):
        return []
    names: list[Json] = []
    ranges = False
    while not names or not ends(text):
        if not alone and (text.would_take("for", "i") or text.would_take("for", "each")):
            break
        bare = text.next.kind == "bare"
        match = WORDS.range.fullmatch(text.next.text) if bare else None
        name = word(text, expected)
        ranges |= match is not None
        numbers = range(int(match[2]), int(match[3]) + 1) if match else ()
        told = [name] if not alone else repeated(text, name)
        names += [f"{match[1]}{each}" for each in numbers] if match else told
    return sorted(names, key=str) if ranges else names


def items(text: Scanner, name: str, value: Callable[[Scanner], Any]) -> dict[str, Any]:
    """Take the pairs `name=value` up to the end of the segment; each name occurs once."""
    taken: list[Any] = []
    keys: set[str] = set()
    while not ends(text):
        before = text.place
        key = word(text, f"{name}, `=` and its value")
        if not (text.glued(0) and text.takes("=") and text.glued(0)):
            text.fail(f"`=` and a value after {key!r}, without spaces")
        if key in keys and not repeats(key):
            text.place = before
            text.fail(f"{name} that does not occur earlier in this list")
        keys.add(key)
        taken += repeated(text, [key, value(text)])
    return with_pairs(taken)


def with_pairs(pairs: Sequence[Any]) -> dict[str, Any]:
    """Return the object of these pairs, or its recipe if some of them or their names repeat."""
    recipe = any(isinstance(each, dict) or repeats(each[0]) for each in pairs)
    return {"$fields": [*pairs]} if recipe else dict(pairs)


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


def without_repetition(statement: Statement) -> tuple[Statement, range, bool]:
    """Return a statement without its last segment if this is `for i 1..9`, and its numbers.

    Also returns whether it is `for each i 1..9`.
    """
    *others, last = statement
    if not others or not last.would_take("for"):
        return statement, range(0), False
    numbers, written_out = read_numbers(last)
    last.end()
    return others, numbers, written_out


def with_number(statement: Statement, number: int) -> Statement:
    """Return a statement with a number in its places."""
    made: list[Segment] = []
    for segment in statement:
        texts = numbered([token.text for token in segment.tokens], number)
        pairs = zip(segment.tokens, texts, strict=True)
        made.append(evolve(segment, tokens=[evolve(each, text=str(text)) for each, text in pairs]))
    return made
