"""The results of runs as one HTML page: see `rendering` for the properties of every page."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from rejoin_conformance.corpus.clauses import clause_named
from rejoin_conformance.reports.columns import Column, worst
from rejoin_conformance.reports.html_failures import Anchors, anchors_of, failures
from rejoin_conformance.reports.matrix import Cell, Row, by_clause, by_operation
from rejoin_conformance.reports.rendering import page

_SIGNS: Final = {
    "conformant": ("pass", "✓"),
    "not conformant": ("fail", "✗"),
    "incomplete": ("known", "!"),
}
_STATES: Final = {
    "pass": ("pass", "✓"),
    "fail": ("fail", "✗"),
    "known": ("known", "!"),
    "not-declared": ("none", "○"),
    "absent": ("none", "○"),
}


def html_page(columns: Sequence[Column]) -> str:
    """Return the report of all runs as one file."""
    anchors = anchors_of(columns)
    tables = (
        ("Clauses", "clause", by_clause(columns)),
        ("Operations", "operation", by_operation(columns)),
    )
    systems = sorted({record.system for each in columns for record in each.summary.records})
    return page(
        "results.html",
        "Rejoin conformance",
        styles=("page.css",),
        script="page.js",
        runs=[_run(column) for column in columns],
        systems=[(system, system) for system in systems],
        labels=[(str(place), column.label) for place, column in enumerate(columns)],
        tables=[
            {
                "title": title,
                "first": first,
                "rows": [_row(row, anchors) for row in _failing_first(rows)],
            }
            for title, first, rows in tables
        ],
        failures=failures(columns, anchors) if anchors else [],
        no_failures="No vector failed."
        if worst(columns) == "conformant"
        else "The results contain no failure.",
    )


def _failing_first(rows: Sequence[Row]) -> list[Row]:
    return sorted(rows, key=lambda row: not row.fails)


def _run(column: Column) -> dict[str, Any]:
    kind, sign = _SIGNS[column.conclusion]
    bar = _bar(column)
    return {
        "label": column.label,
        "kind": kind,
        "sign": sign,
        "conclusion": column.conclusion,
        "why_incomplete": column.why_incomplete,
        "bar": bar,
        "bar_width": max(1, sum(part["width"] for part in bar)),
        "counts": column.counts(),
        "details": column.details,
        "restarts": column.restarts,
        "restarted": [
            (f"{each.id} [{each.reading}]", each.volatile.first_attempt)
            for each in column.summary.restarted
        ],
        "unexpected_passes": [record.id for record, _ in column.summary.unexpected_passes],
    }


def _bar(column: Column) -> list[dict[str, Any]]:
    """Return passed, known, failed and not declared as parts of a bar of about 1,000 units."""
    summary = column.summary
    counts = (
        ("pass", summary.verdicts["pass"] - len(summary.unexpected_passes)),
        ("known", len(summary.known)),
        ("fail", column.failed),
        ("none", summary.verdicts["not-declared"]),
    )
    total = max(1, sum(count for _, count in counts))
    parts: list[dict[str, Any]] = []
    place = 0
    for kind, count in counts:
        width = max(8, 1000 * count // total) if count else 0  # a single failure stays visible
        parts.append({"kind": kind, "place": place, "width": width})
        place += width
    return parts


def _row(row: Row, anchors: Anchors) -> dict[str, Any]:
    clause = clause_named(row.system, row.name)
    failing = (
        str(place) for place, cell in enumerate(row.cells) if cell.state in {"fail", "known"}
    )
    words = (row.name, *row.related, "" if clause is None else clause.text)
    return {
        "name": row.name,
        "system": row.system,
        "clause": clause,
        "failing": " ".join(failing),
        "search": " ".join(words).lower(),
        "cells": [_cell(place, cell, anchors) for place, cell in enumerate(row.cells)],
    }


def _cell(place: int, cell: Cell, anchors: Anchors) -> dict[str, Any]:
    kind, sign = _STATES[cell.state]
    anchor = None if cell.first is None else anchors[place, cell.first]
    return {"kind": kind, "sign": sign, "text": cell.text, "anchor": anchor}
