"""The failures on a page: the request, both answers, and the explanation of each failure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from rejoin_conformance.adapters.results.failure_groups import FailureGroup, grouped
from rejoin_conformance.adapters.results.failures_text import alone
from rejoin_conformance.adapters.results.records import Key, Record
from rejoin_conformance.adapters.runner.known_failures import KnownFailure
from rejoin_conformance.contract.notation import Notation, answer_text, question_text
from rejoin_conformance.contract.registry import system_named, system_names
from rejoin_conformance.corpus.clauses import clause_named
from rejoin_conformance.kit.json_types import JsonObject
from rejoin_conformance.reports.columns import Column
from rejoin_conformance.reports.line_marks import line_marks
from rejoin_conformance.reports.values import observed_text, text_shown, value_text

_IN_FULL: Final = 700_000
"""The number of characters of failures that the page shows in full, over all runs. The page tells
the others in short if they are the first of a clause, and else only names them."""
_MARKUP: Final = 2_000
"""About how many characters of a failure are not its own text."""
_SHORT: Final = 600
_SUSPECTS: Final = 5

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
    for number, (group, _) in enumerate(groups):
        items[number]["in_full"] = number in in_full
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


def _failure(
    column: Column, place: int, record: Record, known: KnownFailure | None, anchor: str
) -> dict[str, Any]:
    system = record.system
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
        "sides": line_marks(_expected(record), _observed(record)),
        "input": _input(record),
        "clauses": [(name, clause_named(system, name)) for name in record.clauses],
        "command": alone(record, column.command),
        "first_attempt": text_shown(record.volatile.first_attempt),
        "stderr": text_shown(record.volatile.stderr).strip(),
    }


def _input(record: Record) -> str:
    """Return the input in the system's notation if possible, else as JSON."""
    text = None
    if record.input is not None:
        text = question_text(_notation_of(record), record.operation, record.input)
    return value_text(record.input) if text is None else text_shown(text)


def _expected(record: Record) -> str:
    text = _answer(record, record.expected)
    return value_text(record.expected) if text is None else text


def _observed(record: Record) -> str:
    text = _answer(record, record.observed)
    return observed_text(record.observed) if text is None else text


def _answer(record: Record, said: JsonObject | None) -> str | None:
    """Return an answer in the system's notation, or None if the notation cannot express it."""
    output = None if said is None else said.get("output")
    if record.input is None or not isinstance(output, dict):
        return None
    text = answer_text(_notation_of(record), record.operation, record.input, output)
    return None if text is None else text_shown(text)


def _notation_of(record: Record) -> Notation | None:
    system = record.system
    return system_named(system).notation if system in system_names() else None
