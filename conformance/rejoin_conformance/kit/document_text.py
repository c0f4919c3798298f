"""Documents as text for a terminal."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from rejoin_conformance.kit.dag_drawing import Drawing
from rejoin_conformance.kit.document import (
    Bars,
    Block,
    Code,
    Facts,
    Fold,
    Heading,
    Items,
    Table,
    Text,
    plain_text,
)
from rejoin_conformance.kit.text import folded
from rejoin_conformance.kit.untrusted import shown

_MARGIN: Final = "  "
_LONGEST: Final = 16_000
"""The number of characters of one block of code that are printed."""


def document_text(blocks: Sequence[Block], width: int = 0) -> str:
    """Return the blocks of a document as text. width: where to fold lines; 0 for nowhere."""
    lines = _lines(blocks, _MARGIN)
    return "\n".join(part for each in lines for part in (folded(each, width) if width else [each]))


def _lines(blocks: Iterable[Block], margin: str = "") -> Iterator[str]:
    """Yield the lines of blocks. margin: before the lines of lists and of code; none in a part."""
    before: Block | None = None
    for each in blocks:
        if before is not None and _apart(before, each, inside=not margin):
            yield ""
        yield from (line.rstrip() for line in _block(each, margin))
        before = each


def _apart(before: Block, after: Block, *, inside: bool) -> bool:
    """Return whether an empty line stands between two blocks. inside: whether a part has them."""
    if isinstance(before, Heading):
        return False
    if isinstance(before, Fold) and isinstance(after, Fold):
        return not (_is_short(before) and _is_short(after))
    if inside:
        short = Text | Items | Code | Facts | Table
        return not (isinstance(before, short | Fold) and isinstance(after, short | Fold))
    return not (isinstance(before, Text) and isinstance(after, Text | Items | Code | Facts))


def _is_short(fold: Fold) -> bool:
    """Return whether a part has at most one block, and that is a text."""
    return len(fold.blocks) < 2 and all(isinstance(each, Text | Code) for each in fold.blocks)


def _block(block: Block, margin: str) -> Iterator[str]:
    match block:
        case Heading() | Text():
            yield plain_text(block.line)
        case Items():
            yield from (f"{margin}{plain_text(each)}" for each in block.lines)
        case Facts():
            yield from _table(Table((), block.pairs))
        case Table():
            yield from _table(block)
        case Code():
            yield from (f"{margin}{line}" for line in shown(block.text, _LONGEST).split("\n"))
        case Bars():
            rows = [(name, f"{number:,}") for name, number in block.rows]
            yield from ([plain_text(block.title)] if block.title else [])
            yield from _indented(_table(Table((), rows, numbers=frozenset({1}))))
        case Drawing():
            yield from ([plain_text(block.title)] if block.title else [])
            yield from _indented(map(plain_text, block.text().splitlines()))
        case Fold():
            yield plain_text(block.summary)
            yield from _indented(_lines(block.blocks))


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
