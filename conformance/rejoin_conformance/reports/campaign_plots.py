"""The plots of a campaign's page: histories a second over time, and histograms of what came up.

Text stands beside the drawings, not in them, so that it has its size on a phone, too.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from typing import Final

from rejoin_conformance.campaigns.timeline import SECOND, Timeline
from rejoin_conformance.reports.values import escaped

_PIECES: Final = 120
_WIDTH: Final = 960
_HEIGHT: Final = 180
_SCALE: Final = 1000
_ROWS: Final = 40

_APART: Final = "clause"
"""Clauses have a table of their own."""


def throughput(timeline: Timeline) -> Iterator[str]:
    """Histories a second, from the first block to the last; breaks are gaps."""
    rates = list(timeline.rates(_PIECES))
    if not rates:
        return
    highest = max(rate for _, _, rate in rates) or 1.0
    step = _WIDTH / len(rates)
    bars = "".join(
        f'<rect x="{place * step:.1f}" y="{_HEIGHT - _HEIGHT * rate / highest:.1f}" '
        f'width="{max(0.5, step - 0.5):.1f}" height="{_HEIGHT * rate / highest:.1f}"/>'
        for place, (_, _, rate) in enumerate(rates)
        if rate > 0
    )
    spans = timeline.spans()
    breaks = len(spans) - 1
    runs = f", in {len(spans)} runs with {breaks} breaks" if breaks else ""
    yield (
        f'<section><h2>Speed <span class="quiet small">{timeline.rate():,.0f} histories a second '
        f"on average{runs}</span></h2>"
    )
    yield f'<p class="small quiet">up to {highest:,.0f} a second</p>'
    yield (
        f'<svg class="plot" viewBox="0 0 {_WIDTH} {_HEIGHT}" preserveAspectRatio="none" role="img" '
        f'aria-label="histories a second over time, at most {highest:,.0f}">{bars}</svg>'
    )
    yield (
        f'<p class="small quiet ends"><span>{_time(rates[0][0])}</span>'
        f"<span>{_time(rates[-1][1])} UTC</span></p></section>"
    )


def histograms(coverage: Mapping[str, int]) -> Iterator[str]:
    """One histogram for each group of things counted: shapes, kinds of events, kinds of polls."""
    groups: dict[str, list[tuple[str, int]]] = {}
    for key, count in coverage.items():
        group, _, value = key.rpartition(":")
        groups.setdefault(group, []).append((value, count))
    yield '<div class="histograms">'
    # Shapes first: they are what a campaign is to reach.
    for group in sorted(groups, key=lambda each: (not each.startswith("shape"), each)):
        if group != _APART:
            yield from _histogram(group, groups[group])
    yield "</div>"


def _histogram(group: str, values: list[tuple[str, int]]) -> Iterator[str]:
    ordered = sorted(values, key=lambda pair: _order(pair[0]))[:_ROWS]
    highest = max(count for _, count in ordered) or 1
    name = group.removeprefix("shape:").replace("-", " ").replace(":", ", ")
    yield f'<figure><figcaption>{escaped(name)}</figcaption><table class="histogram"><tbody>'
    for value, count in ordered:
        # Where there is anything, it can be seen.
        width = max(4, _SCALE * count // highest) if count else 0
        yield (
            f'<tr><th scope="row">{escaped(value, 40)}</th><td class="drawn">'
            f'<svg viewBox="0 0 {_SCALE} 10" preserveAspectRatio="none" aria-hidden="true">'
            f'<rect width="{width}" height="10"/></svg></td><td class="number">{count:,}</td></tr>'
        )
    yield "</tbody></table>"
    if len(values) > _ROWS:
        yield f'<p class="quiet small">and {len(values) - _ROWS} more</p>'
    yield "</figure>"


def _order(value: str) -> tuple[int, int, str]:
    """Numbers by size, ranges and "9 or more" by where they begin, words by the alphabet."""
    number = re.match(r"\d+", value)
    return (0, int(number[0]), value) if number else (1, 0, value)


def _time(micros: int) -> str:
    return datetime.fromtimestamp(micros // SECOND, UTC).strftime("%Y-%m-%d %H:%M:%S")
