"""Tables of figures as data, and as Markdown."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from attrs import evolve, frozen

from rejoin_conformance.kit.json_types import Json


@frozen
class Table:
    """A table. rows: a text in Markdown or an integer for each head; the first cell names a row."""

    heads: tuple[str, ...]
    rows: tuple[tuple[Json, ...], ...]

    def renewed(self, later: Table) -> Table:
        """Return a later table, with the rows of this one that it does not name."""
        rows = {row[0]: row for row in (*self.rows, *later.rows)}
        return evolve(later, rows=tuple(rows.values()))

    def markdown(self) -> str:
        """Return the table in Markdown. A column with a number is aligned on the right."""
        if not self.rows:
            return "There are none."
        return "\n".join(f"| {' | '.join(cells)} |" for cells in self._lines())

    def _lines(self) -> Iterator[Iterable[str]]:
        columns = zip(*self.rows, strict=True)
        yield self.heads
        yield ["--:" if any(map(_is_number, column)) else "---" for column in columns]
        yield from (map(_text, row) for row in self.rows)


def table_of(heads: str, rows: Iterable[Iterable[Json]]) -> Table:
    """Return a table. heads: separated by ` | `."""
    return Table(tuple(heads.split(" | ")), tuple(map(tuple, rows)))


def _text(cell: Json) -> str:
    return f"{cell:,}" if isinstance(cell, int) else str(cell).replace("|", "\\|")


def _is_number(cell: Json) -> bool:
    return isinstance(cell, int) or re.fullmatch(r"[\d,]+\.\d+", str(cell)) is not None
