"""Markdown for a comment on a pull request: the failures of each implementation, and why.

The report shows the adapter's text as code, where Markdown ignores links, mentions and tags. The
fences are longer than any run of backticks inside. The report stays below the maximum length of a
comment.
"""

from __future__ import annotations

import html
from collections.abc import Iterator, Sequence
from typing import Final

from rejoin_conformance.adapters.results.failure_steps import lines_of
from rejoin_conformance.adapters.results.records import Record
from rejoin_conformance.adapters.runner.known_failures import KnownFailure
from rejoin_conformance.kit.untrusted import shown, shown_line
from rejoin_conformance.reports.columns import Column
from rejoin_conformance.reports.document_markdown import code, code_block
from rejoin_conformance.reports.matrix import Row, by_clause

_LONGEST: Final = 60_000
"""Maximum characters of the report; forges reject a comment of more than 65,536."""
_ROWS: Final = 60
_FAILURES: Final = 20
"""The maximum number of rows in the table of clauses, and of failures described for each run."""
_EXPLANATION: Final = 2000

_SIGNS: Final = {
    "conformant": "✅ conformant",
    "not conformant": "❌ not conformant",
    "incomplete": "⚠️ incomplete",
}


def markdown(columns: Sequence[Column]) -> str:
    """Return the report of all runs."""
    lines = ["## Rejoin conformance", "", *_overview(columns), *_clauses(columns)]
    text = "\n".join(lines) + "\n"
    for column in columns:
        failures = column.failures()
        for number, (record, known) in enumerate(failures):
            part = "\n".join(_failure(column, record, known)) + "\n"
            if number == _FAILURES or len(text) + len(part) > _LONGEST:
                left = f"{len(failures) - number:,} more failures of {code(column.label)}"
                text += f"\
... and {left}; the results file contains all of them\
\n"
                break
            text += part
    return text


def _overview(columns: Sequence[Column]) -> Iterator[str]:
    yield (
        "| Implementation | Conclusion | Passed | Failed | Known to fail | Not declared "
        "| Restarts |"
    )
    yield "|---|---|---:|---:|---:|---:|---:|"
    for column in columns:
        conclusion = _SIGNS[column.conclusion]
        if column.why_incomplete:
            conclusion += f" ({column.why_incomplete})"
        summary = column.summary
        yield (
            f"| {code(column.label, in_table=True)} | {conclusion} "
            f"| {summary.verdicts['pass']:,} | {len(summary.failures):,} "
            f"| {len(summary.known):,} | {summary.verdicts['not-declared']:,} "
            f"| {len(summary.restarted):,} |"
        )
    yield ""
    for column in columns:
        for record, entry in column.summary.unexpected_passes:
            vector = f"{record.id} [{record.reading}]"
            yield f"- {code(column.label)}: {code(vector)} passes and is listed as a known failure"
            yield f"  ({code(entry.reason)}); remove it from the list"
        for record in column.summary.restarted[:1]:
            vector = f"{record.id} [{record.reading}]"
            first = code(record.volatile.first_attempt)
            yield f"- {code(column.label)}: {column.restarts}: answers that needed another process."
            yield f"  The first is {code(vector)}: {first}"


def _clauses(columns: Sequence[Column]) -> Iterator[str]:
    """Yield the clauses that some implementation fails, and the number of the others."""
    rows = by_clause(columns)
    failing = [row for row in rows if row.fails]
    if failing:
        yield "| Clause | " + " | ".join(code(each.label, in_table=True) for each in columns) + " |"
        yield "|---|" + "---|" * len(columns)
        yield from (_clause_row(row) for row in failing[:_ROWS])
        yield ""
    if len(failing) > _ROWS:
        yield f"... and {len(failing) - _ROWS:,} more clauses with failures."
    sound = sum(1 for row in rows if not row.fails and any(cell.asked for cell in row.cells))
    yield f"{'Other clauses' if failing else 'Clauses'} without failures: {sound:,}."
    yield ""


def _clause_row(row: Row) -> str:
    cells = " | ".join(
        f"**{cell.text}**" if cell.state == "fail" else cell.text for cell in row.cells
    )
    return f"| {code(row.name, in_table=True)} | {cells} |"


def _failure(column: Column, record: Record, known: KnownFailure | None) -> Iterator[str]:
    name = html.escape(shown_line(f"{record.id} [{record.reading}]"))
    verdict = "known failure" if known else record.verdict
    yield "<details>"
    # The text up to the empty line is HTML; the text after it is Markdown.
    yield f"<summary>{verdict} <code>{name}</code></summary>"
    yield ""
    yield f"{code(column.label)}: {code(', '.join(record.clauses))}"
    if known is not None:
        yield f"Known: {code(known.reason)}"
    summary = shown_line(record.summary)
    explanation = shown(record.explanation, _EXPLANATION)
    yield ""
    steps = () if record.steps is None else lines_of(record.steps)
    yield from code_block("\n".join(line for line in (summary, explanation, *steps) if line))
    yield ""
    yield "</details>"
