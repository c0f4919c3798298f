"""The failures on a page: the request, both answers, and the explanation of each failure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from rejoin_conformance.adapters.results.failure_groups import FailureGroup, grouped
from rejoin_conformance.adapters.results.failure_steps import lines_of
from rejoin_conformance.adapters.results.failures_text import alone
from rejoin_conformance.adapters.results.records import Key, Record
from rejoin_conformance.adapters.runner.known_failures import KnownFailure
from rejoin_conformance.contract.asked import output_in
from rejoin_conformance.contract.asked_text import (
    expected_text,
    input_text,
    observed_text,
    text_shown,
)
from rejoin_conformance.contract.drawing import drawings_of
from rejoin_conformance.contract.registry import system_named, system_names
from rejoin_conformance.corpus.clauses import clause_named
from rejoin_conformance.kit.line_marks import around_marks, line_marks
from rejoin_conformance.reports.bt_values import bt_values
from rejoin_conformance.reports.columns import Column
from rejoin_conformance.reports.dag_svg import dag_svg

_IN_FULL: Final = 700_000
"""The number of characters of failures that the page shows in full, over all runs. The page tells
the others in short if they are the first of a clause, and else only names them."""
_MARKUP: Final = 2_000
"""About how many characters of a failure are not its own text."""
_SHORT: Final = 600
_SUSPECTS: Final = 5
_DRAWN: Final = 60
"""The largest number of nodes of a drawing on the page."""
_NO_EXTRAS: Final[Mapping[str, Any]] = {"drawings": (), "bytes": ()}

_SHOWN_AS_THEY_ARE: Final = ("id", "reading", "verdict", "operation", "level")

Anchors = Mapping[tuple[int, Key], str]
"""(index of the column, vector and reading) -> the ID of the failure's element."""


def anchors_of(columns: Sequence[Column]) -> Anchors:
    """Return the place of each failure on the page."""
    return {
        (place, record.key): f"failure-{place + 1}-{number}"
        for place, column in enumerate(columns)
        for number, (record, _) in enumerate(column.failures(), start=1)
    }


def failures(columns: Sequence[Column], anchors: Anchors) -> list[dict[str, Any]]:
    """Return the failures of each run, for the template."""
    budget = _IN_FULL // max(1, len(columns))
    return [_failures(place, column, anchors, budget) for place, column in enumerate(columns)]


def _failures(place: int, column: Column, anchors: Anchors, budget: int) -> dict[str, Any]:
    summary = column.summary
    groups: list[tuple[FailureGroup, KnownFailure | None]] = [
        (group, None) for group in grouped(summary.failures)
    ]
    groups += [(FailureGroup(record, ()), known) for record, known in summary.known]
    firsts = _first_of_a_clause([group.first for group, _ in groups])
    items = {
        number: _failure(column, place, group.first, known, anchors[place, group.first.key])
        for number, (group, known) in enumerate(groups)
    }
    in_full: set[int] = set()
    for number in sorted(items, key=lambda number: number not in firsts):
        budget -= _MARKUP + sum(len(text) for text in _texts(items[number]))
        if budget < 0:
            break
        in_full.add(number)
        extras = _extras(groups[number][0].first)
        length = sum(len(text) for text in _texts_of_extras(extras))
        if length < budget // 4:  # so that no drawing takes the place of many failures
            budget -= length
            items[number] |= extras
    for number, (group, _) in enumerate(groups):
        items[number]["in_full"] = number in in_full
        items[number]["open"] = group.first == summary.begin
        if number not in in_full:
            items[number]["explanation"] = items[number]["explanation"][:_SHORT]
        items[number]["others"] = [
            (anchors[place, each.key], f"{each.id} [{each.reading}]") for each in group.others
        ]
    return {
        "label": column.label,
        "begin": None
        if summary.begin is None
        else (anchors[place, summary.begin.key], f"{summary.begin.id} [{summary.begin.reading}]"),
        "suspects": summary.suspects[:_SUSPECTS],
        "items": [items[number] for number in sorted(in_full | firsts)],
        "by_name": [
            (anchors[place, each.key], f"{each.id} [{each.reading}]", each.verdict)
            for number, (group, _) in enumerate(groups)
            if number not in in_full and number not in firsts
            for each in (group.first, *group.others)
        ],
    }


def _first_of_a_clause(records: Sequence[Record]) -> set[int]:
    """Return the places of the records that are the first of some clause."""
    told: set[str] = set()
    places = set()
    for place, record in enumerate(records):
        if not told.issuperset(record.clauses):
            places.add(place)
            told.update(record.clauses)
    return places


def _texts(item: Mapping[str, Any]) -> Iterator[str]:
    """Yield the texts of a failure that can be long."""
    yield from (item["explanation"], item["input"], item["stderr"])
    yield from (line for side in item["sides"] for _, line in side)
    yield from (clause.text for _, clause in item["clauses"] if clause is not None)
    if item["steps"] is not None:
        yield from lines_of(item["steps"])


def _texts_of_extras(extras: Mapping[str, Any]) -> Iterator[str]:
    yield from (drawing for _, drawing in extras["drawings"])
    yield from (text for each in extras["bytes"] for text in (each.hex, each.text))


def _extras(record: Record) -> dict[str, Any]:
    """Return the drawings of a failure, and its bytes with the values that they encode."""
    if record.input is None:
        return {**_NO_EXTRAS}
    asked, steps = record.asked, () if record.steps is None else record.steps.parting
    system = record.system
    draw = system_named(system).draw if system in system_names() else None
    expected, observed = (output_in(each) for each in (record.expected, record.observed))
    values = {"expected": expected, "observed": observed, "input": record.input}
    return {
        "drawings": [
            (each.title, dag_svg(each))
            for each in drawings_of(draw, asked, steps)
            if len(each.dag) <= _DRAWN
        ],
        "bytes": bt_values(values),
    }


def _failure(
    column: Column, place: int, record: Record, known: KnownFailure | None, anchor: str
) -> dict[str, Any]:
    system, asked = record.system, record.asked
    explanation = text_shown(record.explanation)
    words = (record.id, record.reading, record.operation, record.verdict,
             record.fault, *record.clauses)  # fmt: skip
    return {
        **{name: getattr(record, name) for name in _SHOWN_AS_THEY_ARE},
        "anchor": anchor,
        "place": place,
        "label": column.label,
        "system": system,
        "search": " ".join(words).lower(),
        "known": known,
        "gist": explanation.partition("\n")[0],
        "summary": text_shown(record.summary),
        "explanation": explanation,
        "sides": [*map(around_marks, line_marks(expected_text(asked), observed_text(asked)))],
        "input": input_text(asked),
        "clauses": [(name, clause_named(system, name)) for name in record.clauses],
        "steps": record.steps,
        "command": alone(record, column.command),
        "first_attempt": text_shown(record.volatile.first_attempt),
        "stderr": text_shown(record.volatile.stderr).strip(),
        **_NO_EXTRAS,
    }
