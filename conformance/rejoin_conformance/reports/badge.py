"""A badge: JSON from which services such as shields.io draw a badge (`endpoint` schema)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from rejoin_conformance.adapters.results.summary import Conclusion
from rejoin_conformance.kit.json_types import JsonObject
from rejoin_conformance.kit.text import counted
from rejoin_conformance.reports.columns import Column, worst

_COLOURS: Final[dict[Conclusion, str]] = {
    "conforms": "brightgreen",
    "no unexpected failure": "yellow",
    "partial": "yellow",
    "incomplete": "lightgrey",
    "not conformant": "red",
}


def badge(columns: Sequence[Column]) -> JsonObject:
    """Return label, message and colour of the worst run."""
    run = worst(columns)
    summary = run.summary
    message = [summary.verdict.partition(" (")[0]]
    if summary.conclusion == "not conformant":
        restarts = len(summary.restarted)
        message = [f"{run.failed:,} failed"] if run.failed else []
        message += [counted(restarts, "restart")] if restarts else []
    return {
        "schemaVersion": 1,
        "label": "rejoin",
        "message": ", ".join(message),
        "color": _COLOURS[summary.conclusion],
    }
