"""A small document: what a result has to say, once, for a terminal, Markdown and HTML.

A document is a list of blocks. A line of text is a string, a span, or several of them. All text can
come from an adapter: each renderer escapes it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final, Literal, TypeAlias

from attrs import frozen

from rejoin_conformance.kit.dag_drawing import Drawing
from rejoin_conformance.kit.text import shown_line

Kind: TypeAlias = Literal["code", "prose", "says", "quiet", "pass", "fail", "known", "none"]


@frozen
class Span:
    """A part of a line with a meaning.

    kind: `code`; `prose`: Markdown that somebody of the project wrote; `says`: a remark in such
    Markdown, which a page cuts and other forms leave out; `quiet`: a side note; or a mark: `pass`,
    `fail`, `known`, `none`. to: the anchor or address that it leads to on a page.
    """

    text: str
    kind: Kind
    to: str = ""


Line: TypeAlias = str | Span | tuple[str | Span, ...]


def spans(line: Line) -> tuple[str | Span, ...]:
    """Return the parts of a line."""
    return line if isinstance(line, tuple) else (line,)


def plain_text(line: Line) -> str:
    """Return a line as text without marks, escaped for a terminal."""
    return shown_line("".join(map(_unmarked, spans(line))), 1000)


def bars_text(bars: Bars) -> str:
    """Return names with numbers as one line, not escaped."""
    return f"{bars.title}: {'  '.join(f'{name} {number:,}' for name, number in bars.rows)}"


def _unmarked(part: str | Span) -> str:
    """Return a part as text. A backslash in Markdown makes the next character a plain one."""
    if isinstance(part, str):
        return part
    if part.kind != "prose":
        return part.text if part.kind != "says" else ""
    return _ESCAPED.sub(lambda found: found["code"] or found["plain"], part.text)


_ESCAPED: Final = re.compile(r"(?P<code>`[^`]*`)|\\(?P<plain>[!-/:-@\[-`{-~])")


@frozen
class Heading:
    """A title of a level: 1 is the title of a page. anchor: its name for links on the page."""

    line: Line
    level: int = 2
    anchor: str = ""


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

    columns: Sequence[Line]
    rows: Sequence[Sequence[Line]]
    numbers: frozenset[int] = frozenset()


@frozen
class Code:
    """Text as it is, in several lines. marked: the places of the lines to emphasise."""

    text: str
    marked: frozenset[int] = frozenset()


@frozen
class Bars:
    """Names with numbers on one line, which a page draws as bars."""

    title: str
    rows: Sequence[tuple[str, int]]


@frozen
class Fold:
    """A part with a summary; a terminal indents its blocks.

    anchor: its name on a page. is_open: whether a page shows its blocks at first.
    """

    summary: Line
    blocks: Sequence[Block]
    anchor: str = ""
    is_open: bool = False


Block: TypeAlias = Heading | Text | Items | Facts | Table | Code | Bars | Drawing | Fold
