"""One result file as one column of a report, and the matrix of them by clause and by operation.

A result file may come from anywhere, and the adapter wrote most of it. Besides the counts, a cell
of the matrix has one mark, which reports show as a colour and as a word.
"""

from __future__ import annotations

import shlex
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any, Final, TypeAlias

from attrs import define, evolve, frozen

from rejoin_conformance.adapters.results.failure_groups import FailureGroup, grouped
from rejoin_conformance.adapters.results.file import Results
from rejoin_conformance.adapters.results.records import Key, Record
from rejoin_conformance.adapters.results.summary import MARKS, RunSummary, summarise
from rejoin_conformance.adapters.runner.known_failures import KnownFailure
from rejoin_conformance.kit.codec import plain
from rejoin_conformance.kit.document import Kind
from rejoin_conformance.kit.text import shown_line

_NAME: Final = 60


@frozen(kw_only=True)
class Column:
    """A run of the corpus against an implementation.

    label: the name of the run in the report; safe to show.
    details: further properties of the run, as (name, text); safe to show.
    command: the adapter's command as one types it; safe to show.
    """

    label: str
    details: tuple[tuple[str, str], ...]
    command: str
    summary: RunSummary

    @property
    def failed(self) -> int:
        """Return the number of unexpected failures and unexpected passes."""
        return len(self.summary.failures) + len(self.summary.unexpected_passes)

    def groups(self) -> list[tuple[FailureGroup, KnownFailure | None]]:
        """Return the unexpected failures in groups in reading order, then the known ones by ID."""
        known = ((FailureGroup(record, ()), entry) for record, entry in self.summary.known)
        return [*((group, None) for group in grouped(self.summary.failures)), *known]


def columns_of(files: Sequence[tuple[Path, Results]]) -> tuple[Column, ...]:
    """Return a column for each result file, in their order. Equal names get their files."""
    columns = [_column(results) for _, results in files]
    often = Counter(column.label for column in columns)
    return tuple(
        column
        if often[column.label] == 1
        else evolve(column, label=f"{column.label} ({shown_line(str(path), _NAME)})")
        for column, (path, _) in zip(columns, files, strict=True)
    )


def worst(columns: Iterable[Column]) -> Column:
    """Return the column with the worst conclusion; of several, the one with the most failures."""
    return max(columns, key=lambda each: ([*MARKS].index(each.summary.conclusion), each.failed))


def _column(results: Results) -> Column:
    configuration = results.configuration
    hello = configuration.adapter
    return Column(
        label=shown_line(f"{hello.name} {hello.version}".strip(), _NAME),
        details=tuple((title, text) for title, text in _details(results) if text),
        command=shown_line(shlex.join(configuration.command), 300),
        summary=summarise(
            results.records.values(), configuration, finished=results.footer is not None
        ),
    )


def _details(results: Results) -> Iterable[tuple[str, str]]:
    configuration, footer = results.configuration, results.footer
    yield "language", shown_line(configuration.adapter.language, _NAME)
    yield "suite", shown_line(configuration.suite, _NAME)
    used = sorted({(each.system, each.reading) for each in results.records.values()})
    yield "readings", shown_line(", ".join(f"{system}: {name}" for system, name in used), 300)
    selection: dict[str, Any] = plain(configuration.selection)
    chosen = [f"{name} {' '.join(selection[name])}" for name in sorted(selection)]
    yield "only", shown_line("; ".join(chosen), 300)
    yield "corpus", shown_line(configuration.corpus.digest[:16])
    yield "digest", "" if footer is None else shown_line(footer.digest[:16])


@define
class Cell:
    """The results of one row's vectors for one implementation.

    failed: unexpected failures, and known failures that pass.
    known: known failures.
    asked: all vectors except those whose operation is not declared.
    first: the first record that failed, expected or not.
    """

    failed: int = 0
    known: int = 0
    asked: int = 0
    not_declared: int = 0
    first: Key | None = None

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
    """A clause or an operation of a system, with a cell for each column."""

    name: str
    system: str
    cells: tuple[Cell, ...]

    @property
    def fails(self) -> bool:
        """Return whether some implementation fails here."""
        return any(cell.kind in {"fail", "known"} for cell in self.cells)


def by_clause(columns: Sequence[Column]) -> tuple[Row, ...]:
    """Return a sorted row for each clause in any run; a record counts in all of its clauses."""
    return _rows(columns, lambda record: record.clauses)


def by_operation(columns: Sequence[Column]) -> tuple[Row, ...]:
    """Return a row for each operation, sorted."""
    return _rows(columns, lambda record: (record.operation,))


_NamesOf: TypeAlias = Callable[[Record], tuple[str, ...]]


def _rows(columns: Sequence[Column], names_of: _NamesOf) -> tuple[Row, ...]:
    systems = {
        name: record.system
        for column in columns
        for record in column.summary.records
        for name in names_of(record)
    }
    tables = [_cells(column, names_of) for column in columns]
    return tuple(
        Row(name=name, system=systems[name], cells=tuple(table[name] for table in tables))
        for name in sorted(systems)
    )


def _cells(column: Column, names_of: _NamesOf) -> defaultdict[str, Cell]:
    known = {record.key for record, _ in column.summary.known}
    unexpected_passes = {record.key for record, _ in column.summary.unexpected_passes}
    cells: defaultdict[str, Cell] = defaultdict(Cell)
    for record in column.summary.records:
        for cell in (cells[name] for name in {*names_of(record)}):
            if record.verdict == "not-declared":
                cell.not_declared += 1
                continue
            cell.asked += 1
            if record.failed:
                cell.first = cell.first or record.key
            if record.key in known:
                cell.known += 1
            elif record.failed or record.key in unexpected_passes:
                cell.failed += 1
    return cells
