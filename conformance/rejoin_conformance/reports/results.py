"""The results of runs as one document: an HTML page, or a comment on a pull request.

A form has room for some failures only. Those that are the first of a clause come before others.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from rejoin_conformance.adapters.results.failure_groups import FailureGroup, first_of_a_clause
from rejoin_conformance.adapters.results.records import Key, Record
from rejoin_conformance.adapters.results.text import (
    failure_blocks,
    name_of,
    summary_blocks,
)
from rejoin_conformance.adapters.runner.known_failures import KnownFailure
from rejoin_conformance.contract.asked_text import expected_text, input_text, observed_text
from rejoin_conformance.contract.registry import system_named, system_names
from rejoin_conformance.contract.system import drawings_of
from rejoin_conformance.corpus.clauses import clause_named
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
)
from rejoin_conformance.kit.text import around_marks, counted, line_marks
from rejoin_conformance.reports.columns import Column, Row, by_clause, by_operation, worst
from rejoin_conformance.reports.document_html import document_html
from rejoin_conformance.reports.document_markdown import document_markdown
from rejoin_conformance.reports.rendering import shortened

_TITLE: Final = "Rejoin conformance"
_DRAWN: Final = 60
"""The largest number of nodes of a drawing on the page."""
_IN_FULL: Final = 200
"""The number of failures, of all runs, that a form tells in full if there is room."""
_PAGE: Final = 1_500_000
_COMMENT: Final = 60_000
"""The number of characters of a form. Forges reject a comment of more than 65,536 characters."""
_ROWS: Final = 60
"""The number of clauses, and of further failures, that a comment lists."""


def html_page(columns: Sequence[Column]) -> str:
    """Return the report of all runs as one file."""
    return shortened(lambda most: document_html(_TITLE, [*_blocks(columns, most)]), _IN_FULL, _PAGE)


def markdown(columns: Sequence[Column]) -> str:
    """Return the report of all runs as Markdown for a comment."""

    def made(most: int) -> str:
        return document_markdown([Heading(_TITLE), *_blocks(columns, most, _ROWS)])

    return shortened(made, _IN_FULL, _COMMENT)


def _blocks(columns: Sequence[Column], most: int, rows: int | None = None) -> Iterator[Block]:
    """Yield the runs, their failures and their tables.

    most: the number of failures to tell in full. rows: the number of clauses that fail to list;
    None on a page, which lists all clauses and operations.
    """
    for column in columns:
        yield from _run(column)
    yield Heading("Kinds of failures")
    anchors: list[Mapping[Key, str]] = []
    for place, column in enumerate(columns, start=1):
        told, where = _failures(place, column, most // len(columns), rows)
        yield from told
        anchors.append(where)
    if not any(anchors):
        sound = worst(columns).summary.conclusion in {"conforms", "partial"}
        yield Text("No vector failed." if sound else "The results contain no failure.")
    labels = [Span(column.label, "code") for column in columns]
    clauses = sorted(by_clause(columns), key=lambda row: not row.fails)
    failing = [row for row in clauses if row.fails]
    listed = clauses if rows is None else failing[:rows]
    yield Heading("Clauses")
    if listed:
        yield Table(("clause", *labels), [_row(row, anchors) for row in listed])
    if rows is None:
        yield Heading("Operations")
        operations = sorted(by_operation(columns), key=lambda row: not row.fails)
        yield Table(("operation", *labels), [_row(row, anchors) for row in operations])
        return
    if more := len(failing) - len(listed):
        yield Text(f"... and {more:,} more clauses with failures.")
    sound_rows = sum(not row.fails and any(cell.asked for cell in row.cells) for row in clauses)
    yield Text(f"{'Other clauses' if listed else 'Clauses'} without failures: {sound_rows:,}.")


def _run(column: Column) -> Iterator[Block]:
    summary = column.summary
    yield Heading(column.label, level=3)
    yield from summary_blocks(summary, None)
    counts = (
        ("passed", summary.verdicts["pass"] - len(summary.unexpected_passes)),
        ("known to fail", len(summary.known)),
        ("failed", column.failed),
        ("not declared", summary.verdicts["not-declared"]),
    )
    yield Bars("vectors", [each for each in counts if each[1]])
    yield Facts(column.details)


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


def _failures(
    place: int, column: Column, most: int, rows: int | None
) -> tuple[Sequence[Block], Mapping[Key, str]]:
    """Return the failures of one run as blocks, and the anchor at which each is told.

    Those of `most` groups are told in full; on a page, the first of each clause at least in short;
    all others are named. place: that of the run, from 1.
    """
    groups = column.groups()
    firsts = first_of_a_clause([group.first for group, _ in groups])
    in_full = {*sorted(range(len(groups)), key=lambda number: number not in firsts)[:most]}
    blocks: list[Block] = []
    anchors: dict[Key, str] = {}
    rest = f"more-{place}"
    for number, (group, known) in enumerate(groups):
        told = number in in_full or (rows is None and number in firsts)
        anchor = f"failure-{place}-{number + 1}" if told else rest
        anchors |= dict.fromkeys((each.key for each in (group.first, *group.others)), anchor)
        if told:
            more: Sequence[Block] = [Text("The results file has this failure in full.")]
            if number in in_full:
                more = [*_answers(group.first)] if rows is None else ()
            blocks.append(_fold(column, group, known, anchor, more, rows))
    left = [Span(f"{key[0]} [{key[1]}]", "code") for key, at in anchors.items() if at == rest]
    if left:
        title = f"{column.label}: {counted(len(left), 'more failure')}"
        blocks.append(
            Fold(f"{title}. The results file has them in full", [Items(left[:rows])], anchor=rest)
        )
    return blocks, anchors


def _fold(
    column: Column,
    group: FailureGroup,
    known: KnownFailure | None,
    anchor: str,
    more: Sequence[Block],
    rows: int | None,
) -> Fold:
    first = group.first
    gist = first.explanation.partition("\n")[0]
    others = f" and {len(group.others)} more" if group.others else ""
    summary = (*name_of(first, known), " ", Span(column.label, "quiet"), " ",
               Span(gist + others, "quiet"))  # fmt: skip
    listed = [*failure_blocks(group, column.command, first.clauses, known, more)]
    if group.others:
        names = [Span(f"{each.id} [{each.reading}]", "code") for each in group.others]
        listed.append(Fold("The other failures", [Items(names[:rows])]))
    return Fold(summary, listed, anchor, is_open=first == column.summary.begin)


def _answers(record: Record) -> Iterator[Block]:
    """Yield both answers to a failure with the lines that differ, its input, and its drawings."""
    asked = record.asked
    sides = line_marks(expected_text(asked), observed_text(asked))
    for title, side in zip(("Expected", "Observed"), map(around_marks, sides), strict=True):
        marked = frozenset(place for place, (differs, _) in enumerate(side) if differs)
        yield Heading(title, level=4)
        yield Code("\n".join(line for _, line in side), marked)
    yield Heading(("Input of ", Span(record.operation, "code")), level=4)
    yield Code(input_text(asked))
    if record.input is not None and record.system in system_names():
        steps = () if record.steps is None else record.steps.parting
        drawn = drawings_of(system_named(record.system).draw, asked, steps)
        yield from (each for each in drawn if len(each.dag) <= _DRAWN)
