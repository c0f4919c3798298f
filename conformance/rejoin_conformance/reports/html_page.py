"""The results of runs as one HTML page: the runs, the failures, clauses and operations."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from rejoin_conformance.adapters.results.records import Key
from rejoin_conformance.adapters.results.summary import Conclusion
from rejoin_conformance.corpus.clauses import clause_named
from rejoin_conformance.kit.counted import counted
from rejoin_conformance.kit.document import (
    Bars,
    Block,
    Facts,
    Heading,
    Items,
    Kind,
    Line,
    Span,
    Table,
    Text,
)
from rejoin_conformance.reports.columns import Column, worst
from rejoin_conformance.reports.document_html import document_html
from rejoin_conformance.reports.html_failures import Failures
from rejoin_conformance.reports.matrix import Row, by_clause, by_operation

_IN_FULL: Final = 800_000
"""The number of characters of failures that the page shows in full, over all runs. The page tells
the others in short if they are the first of a clause, and else only names them."""
_LISTED: Final = 20

_MARKS: Final[Mapping[Conclusion, Kind]] = {
    "conforms": "pass",
    "no unexpected failure": "known",
    "partial": "known",
    "incomplete": "known",
    "not conformant": "fail",
}


def html_page(columns: Sequence[Column]) -> str:
    """Return the report of all runs as one file."""
    return document_html("Rejoin conformance", [*_blocks(columns)])


def _blocks(columns: Sequence[Column]) -> Iterator[Block]:
    for column in columns:
        yield from _run(column)
    yield Heading("Kinds of failures")
    anchors: list[Mapping[Key, str]] = []
    for place, column in enumerate(columns):
        failures = Failures(place, column, _IN_FULL // len(columns))
        yield from failures.blocks()
        anchors.append(failures.anchors)
    if not any(anchors):
        sound = worst(columns).summary.conclusion in {"conforms", "partial"}
        yield Text("No vector failed." if sound else "The results contain no failure.")
    labels = [column.label for column in columns]
    for title, first, rows in (
        ("Clauses", "clause", by_clause(columns)),
        ("Operations", "operation", by_operation(columns)),
    ):
        yield Heading(title)
        ordered = sorted(rows, key=lambda row: not row.fails)
        yield Table((first, *labels), [_row(row, anchors) for row in ordered])


def _run(column: Column) -> Iterator[Block]:
    summary = column.summary
    yield Heading(column.label, level=3)
    yield Text(Span(summary.verdict, _MARKS[summary.conclusion]))
    counts = (
        ("passed", summary.verdicts["pass"] - len(summary.unexpected_passes)),
        ("known to fail", len(summary.known)),
        ("failed", column.failed),
        ("not declared", summary.verdicts["not-declared"]),
    )
    yield Bars(column.counts(), [each for each in counts if each[1]])
    yield Facts(column.details)
    if summary.restarted:
        why = "answers that needed another process, because the adapter broke before"
        yield Text(f"{column.restarts}: {why}.")
        lines: list[Line] = [
            (Span(f"{each.id} [{each.reading}]", "code"), f" {each.volatile.first_attempt}")
            for each in summary.restarted[:_LISTED]
        ]
        yield Items(lines)
    surprises = [Span(record.id, "code") for record, _ in summary.unexpected_passes]
    if surprises:
        known = counted(len(surprises), "known failure passes", "known failures pass")
        yield Text(f"{known}. Remove from the list:")
        yield Items(surprises[:_LISTED])


def _row(row: Row, anchors: Sequence[Mapping[Key, str]]) -> list[Line]:
    clause = clause_named(row.system, row.name)
    title: tuple[str | Span, ...] = (Span(row.name, "code"),)
    if clause is not None:
        title = (*title, " ", Span(clause.level, "quiet"), Span(clause.text, "says"))
    cells = [
        Span(cell.text, cell.kind, "" if cell.first is None else f"#{anchors[place][cell.first]}")
        for place, cell in enumerate(row.cells)
    ]
    return [title, *cells]
