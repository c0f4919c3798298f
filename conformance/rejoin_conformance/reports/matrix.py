"""The matrix of implementations by clause and by operation: the results of each row's vectors.

Besides the counts, a cell has one mark, which reports show as a colour and as a word.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import TypeAlias

from attrs import frozen

from rejoin_conformance.adapters.results.records import Key, Record
from rejoin_conformance.kit.document import Kind
from rejoin_conformance.reports.columns import Column


@frozen(kw_only=True)
class Cell:
    """The results of one row's vectors for one implementation.

    failed: unexpected failures, and known failures that pass.
    known: known failures.
    asked: all vectors except those whose operation is not declared.
    first: the first record that failed, expected or not.
    """

    failed: int
    known: int
    asked: int
    not_declared: int
    first: Key | None

    @property
    def kind(self) -> Kind:
        """Return the worst mark that applies to the cell."""
        if self.failed:
            return "fail"
        if self.known:
            return "known"
        return "pass" if self.asked else "none"

    @property
    def text(self) -> str:
        """Return the cell in words and figures."""
        if self.failed:
            return f"{self.failed:,} of {self.asked:,} failed"
        if self.known:
            return f"{self.known:,} of {self.asked:,} known to fail"
        if self.asked:
            return f"{self.asked:,} passed"
        return "not declared" if self.not_declared else "not run"


@frozen(kw_only=True)
class Row:
    """A clause or an operation, with a cell for each column.

    system: the system that it belongs to.
    related: the operations of a clause's vectors, or the clauses of an operation's vectors.
    """

    name: str
    system: str
    related: tuple[str, ...]
    cells: tuple[Cell, ...]

    @property
    def fails(self) -> bool:
        """Return whether some implementation fails here."""
        return any(cell.kind in {"fail", "known"} for cell in self.cells)


def by_clause(columns: Sequence[Column]) -> tuple[Row, ...]:
    """Return a sorted row for each clause in any run; a record counts in all of its clauses."""
    return _rows(columns, _clauses, _operation)


def by_operation(columns: Sequence[Column]) -> tuple[Row, ...]:
    """Return a row for each operation, sorted."""
    return _rows(columns, _operation, _clauses)


def _clauses(record: Record) -> tuple[str, ...]:
    return tuple(dict.fromkeys(record.clauses))


def _operation(record: Record) -> tuple[str, ...]:
    return (record.operation,)


_NamesOf: TypeAlias = Callable[[Record], tuple[str, ...]]


def _rows(columns: Sequence[Column], names_of: _NamesOf, related_to: _NamesOf) -> tuple[Row, ...]:
    systems: dict[str, str] = {}
    related: dict[str, set[str]] = {}
    for column in columns:
        for record in column.summary.records:
            for name in names_of(record):
                systems.setdefault(name, record.system)
                related.setdefault(name, set()).update(related_to(record))
    tables = [_cells(column, names_of) for column in columns]
    nothing = Cell(failed=0, known=0, asked=0, not_declared=0, first=None)
    return tuple(
        Row(
            name=name,
            system=systems[name],
            related=tuple(sorted(related[name])),
            cells=tuple(table.get(name, nothing) for table in tables),
        )
        for name in sorted(systems)
    )


def _cells(column: Column, names_of: _NamesOf) -> Mapping[str, Cell]:
    known = {record.key for record, _ in column.summary.known}
    unexpected_passes = {record.key for record, _ in column.summary.unexpected_passes}
    counts: dict[str, Counter[str]] = {}
    first: dict[str, Key] = {}
    for record in column.summary.records:
        key = record.key
        for name in names_of(record):
            counted = counts.setdefault(name, Counter())
            if record.verdict == "not-declared":
                counted["not declared"] += 1
                continue
            counted["asked"] += 1
            if record.failed:
                counted["known" if key in known else "failed"] += 1
                first.setdefault(name, key)
            elif key in unexpected_passes:
                counted["failed"] += 1
    return {
        name: Cell(
            failed=counted["failed"],
            known=counted["known"],
            asked=counted["asked"],
            not_declared=counted["not declared"],
            first=first.get(name),
        )
        for name, counted in counts.items()
    }
