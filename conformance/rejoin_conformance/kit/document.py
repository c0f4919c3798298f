"""A small document: what a result has to say, once, for a terminal, for Markdown and for HTML.

A document is a list of blocks. A line of text is a string, a span, or several of them. All text can
come from an adapter: each renderer escapes it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Literal, TypeAlias

from attrs import Factory, field, frozen

from rejoin_conformance.kit.dag_drawing import Drawing
from rejoin_conformance.kit.untrusted import shown_line

Mark: TypeAlias = Literal["pass", "fail", "known", "none"]
Kind: TypeAlias = Literal["code", "quiet", "prose", "strong", Mark]


@frozen
class Span:
    """A part of a line. kind: how it looks; `prose` is Markdown of a clause, a mark is a verdict.

    to: the address or the anchor (`#name`) that it leads to. choose: the word and the column that a
    filter of the page shows when somebody follows the link.
    """

    text: str
    kind: Kind
    to: str = ""
    choose: tuple[str, str] = ("", "")


Line: TypeAlias = str | Span | tuple[str | Span, ...]


def spans(line: Line) -> tuple[str | Span, ...]:
    """Return the parts of a line."""
    return line if isinstance(line, tuple) else (line,)


def plain_text(line: Line) -> str:
    """Return a line as text without marks, escaped for a terminal."""
    parts = (each if isinstance(each, str) else each.text for each in spans(line))
    return shown_line("".join(parts), 1000)


@frozen
class Tags:
    """The words by which a page filters a part. failing: the columns in which it fails."""

    search: str
    system: str = ""
    failing: str = ""
    column: str = ""


@frozen
class Heading:
    """A title. note: a few words behind it. counted: whether a filter counts the parts below it."""

    line: Line
    level: int = 2
    note: str = ""
    counted: bool = False


@frozen
class Text:
    """A paragraph of one line."""

    line: Line


@frozen
class Items:
    """A list. anchors: the anchors of the items, if links lead to them."""

    lines: Sequence[Line]
    anchors: Sequence[str] = ()


@frozen
class Facts:
    """Names with their values."""

    pairs: Sequence[tuple[str, Line]]


@frozen
class Row:
    """A row of a table. says: a sentence about it, which a terminal leaves out."""

    cells: Sequence[Line]
    says: Line = ""
    tags: Tags | None = None


def _rows(rows: Iterable[Row | Sequence[Line]]) -> Sequence[Row]:
    return [each if isinstance(each, Row) else Row(each) for each in rows]


@frozen
class Table:
    """A table. numbers: the columns of numbers."""

    columns: Sequence[str]
    rows: Sequence[Row] = field(converter=_rows)
    numbers: frozenset[int] = frozenset()


@frozen
class Code:
    """Text as it is, in several lines. differing: the numbers of lines to mark."""

    text: str
    differing: frozenset[int] = frozenset()


@frozen
class Bars:
    """Amounts as bars: (name, amount, kind of bar). ends: what stands below the first and last."""

    title: str
    rows: Sequence[tuple[str, int, str]]
    form: Literal["histogram", "share", "plot"] = "histogram"
    ends: tuple[str, str] = ("", "")


@frozen
class Fold:
    """A part with a summary that can be opened. gist: a second line of the summary."""

    summary: Line
    blocks: Sequence[Block]
    gist: Line = ""
    anchor: str = ""
    tags: Tags | None = None
    is_open: bool = False


@frozen
class Beside:
    """Parts side by side: cards, or the sides of a comparison."""

    parts: Sequence[Sequence[Block]]
    form: Literal["runs", "sides", "histograms"] = "runs"


Block: TypeAlias = Heading | Text | Items | Facts | Table | Code | Bars | Drawing | Fold | Beside


@frozen
class Document:
    """A title and its blocks. filters: the choices of a page, such as system -> its values."""

    blocks: Sequence[Block]
    title: str = ""
    filters: Mapping[str, Sequence[tuple[str, str]]] = Factory(dict)
