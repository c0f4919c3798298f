"""Markdown for a comment on a pull request: the failures of each implementation, and why.

The report stays below the maximum length of a comment.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from rejoin_conformance.adapters.results.failure_blocks import failure_blocks, name_of
from rejoin_conformance.adapters.results.summary import Conclusion
from rejoin_conformance.kit.document import Block, Fold, Heading, Items, Line, Span, Table, Text
from rejoin_conformance.kit.text import counted
from rejoin_conformance.reports.columns import Column, Row, by_clause
from rejoin_conformance.reports.document_markdown import document_markdown

_LONGEST: Final = 60_000
"""Maximum characters of the report; forges reject a comment of more than 65,536."""
_ROWS: Final = 60
_FAILURES: Final = 20
"""The maximum number of rows in the table of clauses, and of failures described for each run."""

_SIGNS: Final[dict[Conclusion, str]] = {
    "conforms": "✅",
    "no unexpected failure": "🟡",
    "partial": "🟡",
    "incomplete": "⚠️",
    "not conformant": "❌",
}


def markdown(columns: Sequence[Column]) -> str:
    """Return the report of all runs."""
    heading = Heading("Rejoin conformance")
    text = document_markdown([heading, *_overview(columns), *_clauses(columns)])
    for column in columns:
        failures = column.groups()
        for number, (group, known) in enumerate(failures):
            told = [*failure_blocks(group, column.command, (), known)]
            title = (*name_of(group.first, known), " ", Span(column.label, "code"))
            part = f"\n{document_markdown([Fold(title, told)])}"
            if number == _FAILURES or len(text) + len(part) > _LONGEST:
                left = sum(1 + len(each.others) for each, _ in failures[number:])
                name, rest = Span(column.label, "code"), "; the results file contains all of them"
                line = (f"... and {counted(left, 'more failure')} of ", name, rest)
                text += f"\n{document_markdown([Text(line)])}"
                break
            text += part
    return text


def _overview(columns: Sequence[Column]) -> Iterator[Block]:
    titles = ("Implementation", "Conclusion", "Passed", "Failed", "Known to fail", "Not declared",
              "Restarts")  # fmt: skip
    rows: list[tuple[Line, ...]] = []
    for column in columns:
        summary = column.summary
        counts = (summary.verdicts["pass"], len(summary.failures), len(summary.known),
                  summary.verdicts["not-declared"], len(summary.restarted))  # fmt: skip
        conclusion = f"{_SIGNS[summary.conclusion]} {summary.verdict}"
        numbers = (f"{count:,}" for count in counts)
        rows.append((Span(column.label, "code"), conclusion, *numbers))
    yield Table(titles, rows, numbers=frozenset(range(2, len(titles))))
    notes: list[Line] = []
    for column in columns:
        label = Span(column.label, "code")
        for record, entry in column.summary.unexpected_passes:
            vector = Span(f"{record.id} [{record.reading}]", "code")
            why = " passes and is listed as a known failure ("
            reason = Span(entry.reason, "code")
            notes.append((label, ": ", vector, why, reason, "); remove it from the list"))
        for record in column.summary.restarted[:1]:
            vector = Span(f"{record.id} [{record.reading}]", "code")
            broke = f": {column.restarts}: answers that needed another process. The first is "
            notes.append((label, broke, vector, ": ", Span(record.volatile.first_attempt, "code")))
    if notes:
        yield Items(notes)


def _clauses(columns: Sequence[Column]) -> Iterator[Block]:
    """Yield the clauses that some implementation fails, and the number of the others."""
    rows = by_clause(columns)
    failing = [row for row in rows if row.fails]
    if failing:
        labels = (Span(each.label, "code") for each in columns)
        yield Table(("Clause", *labels), [_row(row) for row in failing[:_ROWS]])
    if len(failing) > _ROWS:
        yield Text(f"... and {len(failing) - _ROWS:,} more clauses with failures.")
    sound = sum(1 for row in rows if not row.fails and any(cell.asked for cell in row.cells))
    yield Text(f"{'Other clauses' if failing else 'Clauses'} without failures: {sound:,}.")


def _row(row: Row) -> list[Line]:
    return [Span(row.name, "code"), *(Span(cell.text, cell.kind) for cell in row.cells)]
