"""The plots of a campaign's page: histories per second over time, and coverage histograms.

Text stands beside the drawings, not in them, so that it keeps its size on a phone.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any, Final

from rejoin_conformance.campaigns.timeline import SECOND, Timeline

_PIECES: Final = 120
_WIDTH: Final = 960
_HEIGHT: Final = 180
_SCALE: Final = 1000
_ROWS: Final = 40

_APART: Final = "clause"
"""Clauses have their own table."""


def throughput(timeline: Timeline) -> dict[str, Any] | None:
    """Return histories per second over time, for the template; None if no block is finished.

    Breaks between runs are gaps.
    """
    rates = list(timeline.rates(_PIECES))
    if not rates:
        return None
    highest = max(rate for _, _, rate in rates) or 1.0
    step = _WIDTH / len(rates)
    breaks = len(timeline.spans()) - 1
    runs = f", in {breaks + 1} runs" if breaks else ""
    return {
        "summary": f"{timeline.rate():,.0f} histories a second on average{runs}",
        "highest": round(highest),
        "width": _WIDTH,
        "height": _HEIGHT,
        "bars": [
            {
                "x": f"{place * step:.1f}",
                "y": f"{_HEIGHT - _HEIGHT * rate / highest:.1f}",
                "width": f"{max(0.5, step - 0.5):.1f}",
                "height": f"{_HEIGHT * rate / highest:.1f}",
            }
            for place, (_, _, rate) in enumerate(rates)
            if rate > 0
        ],
        "begin": _time(rates[0][0]),
        "end": _time(rates[-1][1]),
    }


def histograms(coverage: Mapping[str, int]) -> list[dict[str, Any]]:
    """Return one histogram for each group of keys: shapes, kinds of events, kinds of polls."""
    groups: dict[str, list[tuple[str, int]]] = {}
    for key, count in coverage.items():
        group, _, value = key.rpartition(":")
        groups.setdefault(group, []).append((value, count))
    # Shapes first, because they are the goal of a campaign.
    ordered = sorted(groups, key=lambda each: (not each.startswith("shape"), each))
    return [_histogram(group, groups[group]) for group in ordered if group != _APART]


def _histogram(group: str, values: list[tuple[str, int]]) -> dict[str, Any]:
    ordered = sorted(values, key=lambda pair: _order(pair[0]))[:_ROWS]
    highest = max(count for _, count in ordered) or 1
    return {
        "name": group.removeprefix("shape:").replace("-", " ").replace(":", ", "),
        "rows": [
            {
                "value": value,
                "count": count,
                "scale": _SCALE,
                "width": max(4, _SCALE * count // highest) if count else 0,  # stays visible
            }
            for value, count in ordered
        ],
        "more": max(0, len(values) - _ROWS),
    }


def _order(value: str) -> tuple[int, int, str]:
    """Return a sort key: numbers and ranges by their start, words alphabetically."""
    number = re.match(r"\d+", value)
    return (0, int(number[0]), value) if number else (1, 0, value)


def _time(micros: int) -> str:
    return datetime.fromtimestamp(micros // SECOND, UTC).strftime("%Y-%m-%d %H:%M:%S")
