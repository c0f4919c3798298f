"""Documents as text for a terminal."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Final, TypeAlias

from rejoin_conformance.kit.dag_drawing import Drawing
from rejoin_conformance.kit.document import (
    Bars,
    Block,
    Code,
    Facts,
    Fold,
    Heading,
    Items,
    Line,
    Span,
    Table,
    Text,
    bars_text,
    plain_text,
    spans,
)
from rejoin_conformance.kit.text import folded, shown

_MARGIN: Final = "  "
_LONGEST: Final = 16_000
"""The number of characters of one block of code that are printed."""


_COLOURS: Final = {"pass": "32", "fail": "31", "known": "33"}
"""Kind of a mark -> the number of its colour on a terminal."""

Paint: TypeAlias = Callable[[Line], str]
"""A line -> its text, escaped, with or without colours."""


def coloured(line: Line) -> str:
    """Return a line as text, with the marks of verdicts in colours."""
    parts = [(plain_text(each), each) for each in spans(line)]
    return "".join(
        f"\x1b[{_COLOURS[each.kind]}m{text}\x1b[0m"
        if isinstance(each, Span) and each.kind in _COLOURS
        else text
        for text, each in parts
    )


def document_text(blocks: Sequence[Block], width: int = 0, paint: Paint = plain_text) -> str:
    """Return the blocks of a document as text. width: where to fold lines; 0 for nowhere."""
    lines = _lines(blocks, paint, _MARGIN)
    return "\n".join(part for each in lines for part in (folded(each, width) if width else [each]))


def _lines(blocks: Iterable[Block], paint: Paint, margin: str = "") -> Iterator[str]:
    """Yield the lines of blocks. margin: before the lines of lists and of code; none in a part."""
    before: Block | None = None
    for each in blocks:
        if before is not None and _apart(before, each, inside=not margin):
            yield ""
        yield from (line.rstrip() for line in _block(each, paint, margin))
        before = each


def _apart(before: Block, after: Block, *, inside: bool) -> bool:
    """Return whether an empty line stands between two blocks. inside: whether a part has them."""
    if isinstance(before, Heading):
        return False
    if isinstance(before, Fold) and isinstance(after, Fold):
        return not (_is_short(before) and _is_short(after))
    if inside:
        short = Text | Items | Code | Facts | Table | Bars
        return not (isinstance(before, short | Fold) and isinstance(after, short | Fold))
    return not (isinstance(before, Text) and isinstance(after, Text | Items | Code | Facts))


def _is_short(fold: Fold) -> bool:
    """Return whether a part has at most one block, and that is a text."""
    return len(fold.blocks) < 2 and all(isinstance(each, Text | Code) for each in fold.blocks)


def _block(block: Block, paint: Paint, margin: str) -> Iterator[str]:
    match block:
        case Heading() | Text():
            yield paint(block.line)
        case Items():
            yield from (f"{margin}{paint(each)}" for each in block.lines)
        case Facts():
            yield from _table(Table((), block.pairs))
        case Table():
            yield from _table(block)
        case Code():
            yield from (f"{margin}{line}" for line in shown(block.text, _LONGEST).split("\n"))
        case Bars():
            yield plain_text(bars_text(block))
        case Drawing():
            yield from ([plain_text(block.title)] if block.title else [])
            yield from _indented(map(plain_text, block.text().splitlines()))
        case Fold():
            yield paint(block.summary)
            yield from _indented(_lines(block.blocks, paint))


def _indented(lines: Iterable[str]) -> Iterator[str]:
    return (f"{_MARGIN}{line}" for line in lines)


def _table(table: Table) -> Iterator[str]:
    """Yield the lines of a table: text on the left of its column, numbers on the right."""
    rows = [[plain_text(cell) for cell in row] for row in table.rows]
    if any(table.columns):
        rows.insert(0, [plain_text(each) for each in table.columns])
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        yield "  ".join(
            cell.rjust(width) if place in table.numbers else cell.ljust(width)
            for place, (cell, width) in enumerate(zip(row, widths, strict=True))
        )
