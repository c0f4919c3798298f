"""A small document: what a result has to say, once, for a terminal and for Markdown.

A document is a list of blocks. A line of text is a string, a span, or several of them. All text can
come from an adapter: each renderer escapes it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, TypeAlias

from attrs import frozen

from rejoin_conformance.kit.dag_drawing import Drawing
from rejoin_conformance.kit.untrusted import shown_line


@frozen
class Span:
    """A part of a line that is code, or `prose`: Markdown that somebody of the project wrote."""

    text: str
    kind: Literal["code", "prose"]


Line: TypeAlias = str | Span | tuple[str | Span, ...]


def spans(line: Line) -> tuple[str | Span, ...]:
    """Return the parts of a line."""
    return line if isinstance(line, tuple) else (line,)


def plain_text(line: Line) -> str:
    """Return a line as text without marks, escaped for a terminal."""
    parts = (each if isinstance(each, str) else each.text for each in spans(line))
    return shown_line("".join(parts), 1000)


@frozen
class Heading:
    """A title of a level: 1 is the title of a page."""

    line: Line
    level: int = 2


@frozen
class Text:
    """A paragraph of one line."""

    line: Line


@frozen
class Items:
    """A list."""

    lines: Sequence[Line]


@frozen
class Facts:
    """Names with their values."""

    pairs: Sequence[tuple[str, Line]]


@frozen
class Table:
    """A table. columns: their titles; may be empty. numbers: the places of columns of numbers."""

    columns: Sequence[str]
    rows: Sequence[Sequence[Line]]
    numbers: frozenset[int] = frozenset()


@frozen
class Code:
    """Text as it is, in several lines."""

    text: str


@frozen
class Fold:
    """A part with a summary; a terminal indents its blocks."""

    summary: Line
    blocks: Sequence[Block]


Block: TypeAlias = Heading | Text | Items | Facts | Table | Code | Drawing | Fold
