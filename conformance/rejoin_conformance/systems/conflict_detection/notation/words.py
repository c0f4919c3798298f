"""Split text into statements and segments, and write names and texts.

A body consists of statements. A statement is one line, or several statements are on one line with
semicolons between them. A line with a deeper indentation continues the line above it. Two or more
spaces, or the `=` before an answer, separate the segments of a statement. The first segment is the
action or the question, the others are observations or answers.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Sequence
from typing import Final, NoReturn, TypeVar

from attrs import define, field, frozen

from rejoin_conformance.kit.phrases import END_OF_TEXT, NotationError

T = TypeVar("T")

WIDTH: Final = 96
"""The maximum length of a line; longer ones are continued on the next line."""
GAP: Final = "   "
"""The text between two segments."""
RESERVED: Final = frozenset({"after", "all", "deleted", "deletion", "nobody", "none", "nothing"})
"""Words with a fixed meaning; a name or text that equals one of them is quoted."""

_BARE: Final = re.compile(r"[A-Za-z0-9_.,/+*!?&%$@~^'-]+")
_RANGE: Final = re.compile(r"(\D*)(\d{1,3})\.\.(\d{1,3})")
_TOKEN: Final = re.compile(
    r"""(?P<gap>[ ]{2,})|(?P<space>[ ])|(?P<mark>[;:=<>()#])"""
    rf"""|(?P<quoted>"(?:[^"\\]|\\.)*")|(?P<bare>{_BARE.pattern})"""
)


@frozen
class Token:
    """A word or a mark. start: its column, from 0. glued: whether no space precedes it."""

    kind: str
    text: str
    start: int
    glued: bool


@define
class Segment:
    """Tokens to read in order. line: the number of their line, from 1. place: the next token."""

    line: int
    source: str
    tokens: Sequence[Token]
    place: int = field(default=0)

    @property
    def ended(self) -> bool:
        """Return whether no token is left."""
        return self.place == len(self.tokens)

    def fail(self, expected: str) -> NoReturn:
        """Raise NotationError with the expected text and the text found at this place."""
        found = END_OF_TEXT if self.ended else self.source[self.tokens[self.place].start :]
        raise NotationError(self.line, expected, found.strip())

    def reads(self, *texts: str) -> bool:
        """Return whether these bare words and marks come next, and consume them if they do."""
        coming = self.tokens[self.place : self.place + len(texts)]
        found = tuple(token.text for token in coming if token.kind != "quoted")
        if found != texts:
            return False
        self.place += len(texts)
        return True

    def need(self, text: str, expected: str = "") -> None:
        """Consume this word or mark. Raises NotationError."""
        if not self.reads(text):
            self.fail(expected or f"`{text}`")

    def word(self, expected: str) -> str:
        """Consume and return a name or a text. Raises NotationError."""
        if self.ended or self.tokens[self.place].kind == "mark":
            self.fail(expected)
        token = self.tokens[self.place]
        if token.kind == "bare":
            self.place += 1
            return token.text
        try:
            text = json.loads(token.text)
        except ValueError:
            self.fail(f"{expected} as a JSON string")
        self.place += 1
        return str(text)

    def words(self, expected: str, empty: str = "nothing") -> list[str]:
        """Consume and return all remaining names; none after the word `empty`.

        `t1..40` is short for the names from t1 to t40; a list with such a range is sorted.
        """
        if self.reads(empty):
            return []
        names: list[str] = []
        ranges = False
        while not self.ended or not names:
            token = None if self.ended else self.tokens[self.place]
            match = _RANGE.fullmatch(token.text) if token and token.kind == "bare" else None
            name = self.word(expected)
            if match is None:
                names.append(name)
                continue
            ranges = True
            names += [f"{match[1]}{each}" for each in range(int(match[2]), int(match[3]) + 1)]
        return sorted(names) if ranges else names

    def whole(self, expected: str, most: int | None = None) -> int:
        """Consume and return an integer, from 0 to `most` if `most` is given."""
        token = None if self.ended else self.tokens[self.place]
        if token is None or token.kind != "bare" or not re.fullmatch(r"-?\d{1,40}", token.text):
            self.fail(expected)
        number = int(token.text)
        if most is not None and not 0 <= number <= most:
            self.fail(f"{expected}, from 0 to {most}")
        self.place += 1
        return number

    def glued(self) -> bool:
        """Return whether a token comes next without a space before it."""
        return not self.ended and self.tokens[self.place].glued

    def end(
        self, expected: str = "the end of the statement, or two spaces before an observation"
    ) -> None:
        """Raise NotationError if a token is left."""
        if not self.ended:
            self.fail(expected)

    def items(self, name: str, value: Callable[[Segment], T]) -> dict[str, T]:
        """Consume and return all remaining pairs `name=value`; each name occurs once."""
        taken: dict[str, T] = {}
        while not self.ended:
            before = self.place
            key = self.word(f"{name}, `=` and its value")
            if not self.glued() or not self.reads("=") or not self.glued():
                self.fail(f"`=` and a value after {key!r}, without spaces")
            if key in taken:
                self.place = before
                self.fail(f"{name} that does not occur earlier in this list")
            taken[key] = value(self)
        return taken


Statement = Sequence[Segment]


def statements(lines: Sequence[str]) -> list[Statement]:
    """Return the statements of a body, each with at least one segment.

    Raises NotationError if a character cannot be part of a token.
    """
    parsed: list[Statement] = []
    base = next((_indentation(line) for line in lines if line.strip()), 0)
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        made = _statements_of(number, line)
        if _indentation(line) > base and parsed and made:
            parsed[-1] = [*parsed[-1], *made.pop(0)]
        parsed += made
    return parsed


def _indentation(line: str) -> int:
    return len(line) - len(line.lstrip(" "))


def _statements_of(number: int, line: str) -> list[Statement]:
    place = _indentation(line)
    parts: list[list[list[Token]]] = [[[]]]
    glued = False
    text = line.rstrip()
    while place < len(text):
        match = _TOKEN.match(text, place)
        if match is None:
            raise NotationError(number, "a name, a text or a mark", text[place:])
        kind = str(match.lastgroup)
        if kind == "gap":
            parts[-1].append([])
        elif match[0] == ";" and kind == "mark":
            parts.append([[]])
        elif kind != "space":
            if match[0] == "=" and not glued:
                parts[-1].append([])
            parts[-1][-1].append(Token(kind, match[0], place, glued))
        glued = kind not in {"gap", "space"} and match[0] != ";"
        place = match.end()
    return [
        [Segment(number, text, tokens) for tokens in segments if tokens]
        for segments in parts
        if any(segments)
    ]


def spelled(text: str) -> str:
    """Return the text of a name: bare if possible, else as a JSON string."""
    if _BARE.fullmatch(text) and text not in RESERVED and not _RANGE.fullmatch(text):
        return text
    return json.dumps(text)


def spelled_list(names: Sequence[str], empty: str = "nothing") -> str:
    """Return names as `Segment.words` reads them; four or more consecutive ones as a range."""
    if not names:
        return empty
    if [*names] == sorted(names):
        ranged = _with_ranges(names)
        if ranged is not None:
            return " ".join(ranged)
    return " ".join(map(spelled, names))


def _with_ranges(names: Sequence[str]) -> list[str] | None:
    """Return sorted names with ranges, or None if there is no range."""
    numbers: dict[str, list[int]] = {}
    others: list[str] = []
    for name in names:
        match = re.fullmatch(r"([A-Za-z_.,/+-]*)(0|[1-9]\d{0,2})", name)
        if match is None:
            others.append(name)
        else:
            numbers.setdefault(match[1], []).append(int(match[2]))
    written = [spelled(name) for name in others]
    found = False
    for prefix, all_numbers in numbers.items():
        for run in _runs(sorted(all_numbers)):
            long = len(run) > 3
            found |= long
            written += (
                [f"{prefix}{run[0]}..{run[-1]}"]
                if long
                else [spelled(f"{prefix}{each}") for each in run]
            )
    return written if found else None


def _runs(numbers: Iterable[int]) -> list[list[int]]:
    runs: list[list[int]] = []
    for number in numbers:
        if runs and number == runs[-1][-1] + 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    return runs


def in_lines(parts: Sequence[str], joint: str = "; ", indented: str = "") -> list[str]:
    """Return the parts on as few lines as their width allows, with a joint between parts."""
    lines: list[str] = []
    for part in parts:
        if lines and len(lines[-1]) + len(joint) + len(part) <= WIDTH:
            lines[-1] += joint + part
        else:
            lines.append(f"{indented if lines else ''}{part}")
    return lines
