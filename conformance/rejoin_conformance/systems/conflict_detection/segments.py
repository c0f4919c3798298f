"""Split text into statements and segments, and read and write names.

A body consists of statements. A statement is one line, or several statements are on one line with
semicolons between them. A line with a deeper indentation continues the line above it. Two or more
spaces, or the `=` before an answer, separate the segments of a statement. The first segment is the
action or the question, the others are observations or answers. No name or text is read beyond a
segment.

Names and pairs with the place `<i>` are repeated: `for i 1..9` makes a recipe, and `for each i
1..9` writes them out (`contract/drafting.py`).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any, Final, NoReturn

from attrs import define, evolve, field

from rejoin_conformance.contract.drafting import PLACE, numbered, read_numbers, read_repetition
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
    """Take a name or a text of this segment. Raises NotationError if none comes next."""
    comes = text.next.kind in ("bare", "quoted") and not _at_gap(text)
    return text.take() if comes else text.fail(expected)


def whole(text: Scanner, expected: str) -> int:
    """Take an integer. Raises NotationError with `expected` if none comes next."""
    if text.next.kind != "bare" or not _INTEGER.fullmatch(text.next.text):
        text.fail(expected)
    return int(text.take())


def ends(text: Scanner) -> bool:
    """Return whether a segment ends here: a gap or the `=` of an answer comes next, or no word."""
    return text.next.kind == "end" or _at_gap(text)


def _at_gap(text: Scanner) -> bool:
    return isinstance(text, Statement) and text.place > text.start and text.begins_segment


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
class Statement(Scanner):
    """The tokens of one statement, read in order, one segment after the other.

    start: the place where the current segment begins. defined: the snapshots of the body.
    """

    start: int = 0
    defined: dict[str, bytes] = field(factory=dict)

    def end(
        self, expected: str = "the end of the statement, or two spaces before an observation"
    ) -> None:
        """Raise NotationError if a token of the segment is left."""
        if not ends(self):
            self.fail(expected)

    def next_segment(self) -> bool:
        """Go to the segment that begins here; return whether there is one."""
        self.start = self.place
        return not self.at_end

    @property
    def first_end(self) -> int:
        """Return the place after the first segment."""
        gaps = (at for at, token in enumerate(self.tokens) if at and _is_gap(token))
        return next(gaps, len(self.tokens) - 1)

    @property
    def begins_segment(self) -> bool:
        """Return whether the next token begins a segment that is not the first one."""
        return _is_gap(self.next)

    def fail_at(self, place: int, expected: str) -> NoReturn:
        """Raise NotationError at another token."""
        self.place = place
        self.fail(expected)

    def ahead(self, distance: int) -> str:
        """Return the text of a token of the segment that comes later; empty after its last one."""
        place = self.place + distance
        between = self.tokens[self.place + 1 : place + 1]
        ended = any(map(_is_gap, between)) or place >= len(self.tokens)
        return END_OF_TEXT if ended else self.tokens[place].text


def _is_gap(token: Token) -> bool:
    """Return whether a token begins a segment that is not the first one."""
    return token.space > 1 or (token.kind == "mark" and token.text == "=" and token.space > 0)


def statements(lines: Sequence[str]) -> list[Statement]:
    """Return the statements of a body. Raises NotationError for what is no token."""
    parsed: list[list[Token]] = []
    base: int | None = None
    for _, line in groupby(scanner(WORDS, lines).tokens, key=lambda token: token.line):
        tokens = [token for token in line if token.kind != "end"]
        if not tokens:
            continue
        base = tokens[0].space if base is None else base
        made = [*_split(tokens)]
        if tokens[0].space > base and parsed and made:
            first, *others = made.pop(0)
            parsed[-1] += [evolve(first, space=max(first.space, 2)), *others]
        parsed += made
    names: dict[str, bytes] = {}
    return [_statement(tokens, names) for tokens in parsed]


def _split(line: Iterable[Token]) -> Iterator[list[Token]]:
    """Yield the tokens of each statement of one line."""
    for ends_here, tokens in groupby(line, lambda each: (each.kind, each.text) == ("mark", ";")):
        if not ends_here:
            yield [*tokens]


def _statement(tokens: Sequence[Token], names: dict[str, bytes]) -> Statement:
    end = Token("end", END_OF_TEXT, tokens[-1].line, 0)
    return Statement(WORDS, [*tokens, end], defined=names)


def together(some: Sequence[Statement]) -> Statement:
    """Return several statements as one, with an end after each."""
    return evolve(some[0], tokens=[token for each in some for token in each.tokens])


def without_repetition(text: Statement) -> tuple[Statement, range, bool]:
    """Return a statement without its last segment if this is `for i 1..9`, and its numbers.

    Also returns whether it is `for each i 1..9`.
    """
    gaps = [place for place, token in enumerate(text.tokens) if place and _is_gap(token)]
    if not gaps or text.tokens[gaps[-1]].text != "for":
        return text, range(0), False
    told, last = text.tokens[: gaps[-1]], evolve(text, place=gaps[-1])
    numbers, written_out = read_numbers(last)
    last.done()
    return _statement(told, text.defined), numbers, written_out


def with_number(text: Statement, number: int) -> Statement:
    """Return a statement with a number in its places."""
    texts = numbered([token.text for token in text.tokens], number)
    pairs = zip(text.tokens, texts, strict=True)
    return evolve(text, tokens=[evolve(each, text=str(told)) for each, told in pairs])
