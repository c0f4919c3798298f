"""A badge: JSON from which services such as shields.io draw a badge (`endpoint` schema)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from rejoin_conformance.kit.counted import counted
from rejoin_conformance.kit.json_types import JsonObject
from rejoin_conformance.reports.columns import Column, Conclusion, worst

_COLOURS: Final[dict[Conclusion, str]] = {
    "conformant": "brightgreen",
    "not conformant": "red",
    "incomplete": "lightgrey",
}


def badge(columns: Sequence[Column]) -> JsonObject:
    """Return label, message and colour for all runs together; the worst run decides."""
    conclusion = worst(columns)
    return {
        "schemaVersion": 1,
        "label": "rejoin",
        "message": _message(columns, conclusion),
        "color": _COLOURS[conclusion],
    }


def _message(columns: Sequence[Column], conclusion: Conclusion) -> str:
    restarts = sum(len(column.summary.restarted) for column in columns)
    restarted = [counted(restarts, "restart")] if restarts else []
    if conclusion == "not conformant":
        failed = sum(column.failed for column in columns)
        return ", ".join(([f"{failed:,} failed"] if failed else []) + restarted)
    if conclusion == "incomplete":
        return conclusion
    passed = sum(column.summary.verdicts["pass"] for column in columns)
    known = sum(len(column.summary.known) for column in columns)
    parts = ["conformant", f"{passed:,} passed", *([f"{known:,} known to fail"] if known else [])]
    return ", ".join(parts + restarted)
