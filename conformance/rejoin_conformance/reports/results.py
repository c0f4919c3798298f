"""The results of runs as one document: an HTML page, or a comment on a pull request.

A form has room for some failures only. Those that are the first of a clause come before others.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final

from attrs import define, field, frozen

from rejoin_conformance.adapters.results.failure_groups import FailureGroup
from rejoin_conformance.adapters.results.records import Key, Record
from rejoin_conformance.adapters.results.text import (
    failure_blocks,
    name_of,
    restart_blocks,
    summary_blocks,
)
from rejoin_conformance.adapters.runner.known_failures import KnownFailure
from rejoin_conformance.contract.asked_text import expected_text, input_text, observed_text
from rejoin_conformance.contract.operation import output_in
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
from rejoin_conformance.reports.bt_values import bt_values
from rejoin_conformance.reports.columns import Column, Row, by_clause, by_operation, worst
from rejoin_conformance.reports.document_html import blocks_html, document_html
from rejoin_conformance.reports.document_markdown import document_markdown

_TITLE: Final = "Rejoin conformance"
_DRAWN: Final = 60
"""The largest number of nodes of a drawing on the page."""


@frozen(kw_only=True)
class _Room:
    """What a form has room for.

    length: returns the characters that blocks take. characters: of failures, over all runs.
    rows: of the table of clauses, all of which fail; None for all clauses and operations, and for
    one failure of each clause, in short at least.
    """

    length: Callable[[Sequence[Block]], int]
    characters: int
    rows: int | None


_PAGE: Final = _Room(length=lambda each: len(blocks_html(each)), characters=800_000, rows=None)
_COMMENT: Final = _Room(
    length=lambda each: len(document_markdown(each)), characters=45_000, rows=60
)
"""Forges reject a comment of more than 65,536 characters."""


def html_page(columns: Sequence[Column]) -> str:
    """Return the report of all runs as one file."""
    return document_html(_TITLE, [*_blocks(columns, _PAGE)])


def markdown(columns: Sequence[Column]) -> str:
    """Return the report of all runs as Markdown for a comment."""
    return document_markdown([Heading(_TITLE), *_blocks(columns, _COMMENT)])


def _blocks(columns: Sequence[Column], room: _Room) -> Iterator[Block]:
    for column in columns:
        yield from _run(column)
    yield Heading("Kinds of failures")
    anchors: list[Mapping[Key, str]] = []
    for place, column in enumerate(columns):
        failures = _Failures(place, column, room, room.characters // len(columns))
        yield from failures.blocks()
        anchors.append(failures.anchors)
    if not any(anchors):
        sound = worst(columns).summary.conclusion in {"conforms", "partial"}
        yield Text("No vector failed." if sound else "The results contain no failure.")
    labels = [Span(column.label, "code") for column in columns]
    clauses = sorted(by_clause(columns), key=lambda row: not row.fails)
    listed = clauses
    if room.rows is not None:
        listed = [row for row in clauses if row.fails][: room.rows]
    yield Heading("Clauses")
    if listed:
        yield Table(("clause", *labels), [_row(row, anchors) for row in listed])
    if room.rows is None:
        yield Heading("Operations")
        operations = sorted(by_operation(columns), key=lambda row: not row.fails)
        yield Table(("operation", *labels), [_row(row, anchors) for row in operations])
        return
    more = sum(row.fails for row in clauses) - len(listed)
    yield from [Text(f"... and {more:,} more clauses with failures.")] if more else []
    sound_rows = sum(not row.fails and any(cell.asked for cell in row.cells) for row in clauses)
    yield Text(f"{'Other clauses' if listed else 'Clauses'} without failures: {sound_rows:,}.")


def _run(column: Column) -> Iterator[Block]:
    summary = column.summary
    yield Heading(column.label, level=3)
    yield from summary_blocks(summary, None)
    yield from restart_blocks(summary)
    counts = (
        ("passed", summary.verdicts["pass"] - len(summary.unexpected_passes)),
        ("known to fail", len(summary.known)),
        ("failed", column.failed),
        ("not declared", summary.verdicts["not-declared"]),
    )
    yield Bars("Vectors", [each for each in counts if each[1]])
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


@define
class _Failures:
    """The failures of one run. place: that of the run.

    left: the number of characters of failures that are still free. anchors: where each failure is
    told.
    """

    place: int
    column: Column
    room: _Room
    left: int
    anchors: dict[Key, str] = field(factory=dict)

    def blocks(self) -> Iterator[Block]:
        """Yield the failures that there is room for. Name the others."""
        groups = self.column.groups()
        firsts = _first_of_a_clause([group.first for group, _ in groups])
        folds: dict[int, Fold] = {}
        rest = f"more-{self.place + 1}"
        for number in sorted(range(len(groups)), key=lambda number: number not in firsts):
            group, known = groups[number]
            anchor = f"failure-{self.place + 1}-{number + 1}"
            fold = self._in_full(group, known, anchor)
            if fold is None and number in firsts and self.room.rows is None:
                why = Text("The results file has this failure in full.")
                fold = self._fold(group, known, anchor, [why])
            if fold is not None:
                folds[number] = fold
            told = anchor if fold is not None else rest
            self.anchors |= {each.key: told for each in (group.first, *group.others)}
        yield from (folds[number] for number in sorted(folds))
        left = [each for each, anchor in self.anchors.items() if anchor == rest]
        if left:
            names = [Span(f"{name} [{reading}]", "code") for name, reading in left]
            more = counted(len(left), "more failure")
            title = f"{self.column.label}: {more}. The results file has them in full"
            yield Fold(title, [Items(names[: self.room.rows])], anchor=rest)

    def _in_full(self, group: FailureGroup, known: KnownFailure | None, anchor: str) -> Fold | None:
        """Return a failure, on a page with answers and drawings; None if there is no room left."""
        if self.left <= 0:
            return None
        more: list[Block] = []
        if self.room.rows is None:
            more, extras = [*_answers(group.first)], [*_extras(group.first)]
            if self.room.length(extras) < self.left // 4:  # no drawings in place of many failures
                more += extras
        fold = self._fold(group, known, anchor, more)
        self.left -= self.room.length([fold])
        return fold if self.left > 0 else None

    def _fold(
        self, group: FailureGroup, known: KnownFailure | None, anchor: str, more: Sequence[Block]
    ) -> Fold:
        first = group.first
        gist = first.explanation.partition("\n")[0]
        others = f" and {len(group.others)} more" if group.others else ""
        summary = (*name_of(first, known), " ", Span(self.column.label, "quiet"), " ",
                   Span(gist + others, "quiet"))  # fmt: skip
        listed = [*failure_blocks(group, self.column.command, first.clauses, known, more)]
        if group.others:
            names = [Span(f"{each.id} [{each.reading}]", "code") for each in group.others]
            listed.append(Fold("The other failures", [Items(names[: self.room.rows])]))
        return Fold(summary, listed, anchor, is_open=first == self.column.summary.begin)


def _first_of_a_clause(records: Sequence[Record]) -> set[int]:
    """Return the places of the records that are the first of some clause."""
    told: set[str] = set()
    places = set()
    for place, record in enumerate(records):
        if not told.issuperset(record.clauses):
            places.add(place)
            told.update(record.clauses)
    return places


def _answers(record: Record) -> Iterator[Block]:
    """Yield both answers to a failure, with the lines that differ, and its input."""
    asked = record.asked
    sides = line_marks(expected_text(asked), observed_text(asked))
    for title, side in zip(("Expected", "Observed"), map(around_marks, sides), strict=True):
        marked = frozenset(place for place, (differs, _) in enumerate(side) if differs)
        yield Heading(title, level=4)
        yield Code("\n".join(line for _, line in side), marked)
    yield Heading(("Input of ", Span(record.operation, "code")), level=4)
    yield Code(input_text(asked))


def _extras(record: Record) -> Iterator[Block]:
    """Yield the drawings of a failure, and its bytes with the values that they encode."""
    if record.input is None:
        return
    steps = () if record.steps is None else record.steps.parting
    draw = system_named(record.system).draw if record.system in system_names() else None
    drawn = drawings_of(draw, record.asked, steps)
    yield from (each for each in drawn if len(each.dag) <= _DRAWN)
    expected, observed = (output_in(each) for each in (record.expected, record.observed))
    found = bt_values({"expected": expected, "observed": observed, "input": record.input})
    listed = [
        block
        for each in found
        for block in (Text(Span(each.place, "code")), Code(each.hex), Code(each.text))
    ]
    if listed:
        yield Fold("Bytes, and the values that they encode", listed)
