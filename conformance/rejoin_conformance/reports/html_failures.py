"""The failures on a page: the request, both answers, and the explanation of each failure."""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from typing import Any, Final

from rejoin_conformance.adapters.results.records import Key, Record
from rejoin_conformance.adapters.runner.known_failures import KnownFailure
from rejoin_conformance.contract.notation import Notation, answer_text, question_text
from rejoin_conformance.contract.registry import system_named, system_names
from rejoin_conformance.corpus.clauses import clause_named
from rejoin_conformance.kit.json_types import JsonObject
from rejoin_conformance.kit.untrusted import shown_line
from rejoin_conformance.reports.columns import Column
from rejoin_conformance.reports.values import observed_text, text_shown, value_text

IN_FULL: Final = 500
"""The number of failures of a run that the page shows in full; it only names the others."""

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
    return [_failures(place, column, anchors) for place, column in enumerate(columns)]


def _failures(place: int, column: Column, anchors: Anchors) -> dict[str, Any]:
    failed = column.failures()
    return {
        "label": column.label,
        "in_full": [
            _failure(column, place, record, known, anchors[place, record.key])
            for record, known in failed[:IN_FULL]
        ],
        "by_name": [
            (
                anchors[place, record.key],
                f"{record.id} [{record.reading}]",
                record.verdict,
            )
            for record, _ in failed[IN_FULL:]
        ],
    }


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
        "expected": _expected(record),
        "observed": _observed(record),
        "input": _input(record),
        "clauses": [(name, clause_named(system, name)) for name in record.clauses],
        "command": _command(column, record),
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


def _command(column: Column, record: Record) -> str:
    """Return the command that runs only this vector."""
    choice = shlex.join(["--id", record.id, "--reading", record.reading])
    return shown_line(f"rejoin run --adapter {shlex.quote(column.command or 'CMD')} {choice}", 1000)
