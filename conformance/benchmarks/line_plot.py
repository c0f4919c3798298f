"""Draw lines as an SVG image that is readable in light and dark, and is the same on every machine.

The panels of a plot stand below each other and share the horizontal axis. Each line ends with its
name, and has a shape of its own for its points, so that no reader depends on colours.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from html import escape
from typing import Final

from series import TradeOff

WIDTH: Final = 720
_LEFT: Final = 64
_RIGHT: Final = 172
_TOP: Final = 56
_PANEL: Final = 180
_BETWEEN: Final = 64
_BOTTOM: Final = 52
_LABEL: Final = 15
_INTERVALS: Final = 5

_STYLE: Final = """\
text { font: 13px system-ui, sans-serif; fill: #52514e; }
.title { font-size: 15px; font-weight: 600; fill: #0b0b0b; }
.ground { fill: #fcfcfb; }
.grid { stroke: #e4e3df; stroke-width: 1; }
.axis { stroke: #8a8883; stroke-width: 1; }
.line { fill: none; stroke-width: 2; stroke-linejoin: round; }
.s0 { stroke: #2a6fc4; } .s1 { stroke: #c8501d; stroke-dasharray: 8 8; }
.s2 { stroke: #127a5b; } .s3 { stroke: #8250b8; stroke-dasharray: 8 8; }
.f0 { fill: #2a6fc4; } .f1 { fill: #c8501d; } .f2 { fill: #127a5b; } .f3 { fill: #8250b8; }
@media (prefers-color-scheme: dark) {
  text { fill: #c3c2b7; }
  .title { fill: #ffffff; }
  .ground { fill: #1a1a19; }
  .grid { stroke: #383835; }
  .s0 { stroke: #5b9df0; } .s1 { stroke: #ef7d4b; }
  .s2 { stroke: #2fb489; } .s3 { stroke: #b48ae6; }
  .f0 { fill: #5b9df0; } .f1 { fill: #ef7d4b; } .f2 { fill: #2fb489; } .f3 { fill: #b48ae6; }
}
"""


def svg(plot: TradeOff) -> str:
    """Return a plot of the drawn quantities, with a line for each group, as an SVG file."""
    height = _TOP + len(plot.drawn) * (_PANEL + _BETWEEN) - _BETWEEN + _BOTTOM
    lines = [
        '<svg xmlns="http://www.w3.org/2000/svg" role="img" aria-labelledby="title"',
        f'     viewBox="0 0 {WIDTH} {height}">',
        f'<title id="title">{escape(plot.title)}</title>',
        f"<style>\n{_STYLE}</style>",
        f'<rect class="ground" width="{WIDTH}" height="{height}"/>',
        f'<text class="title" x="{_LEFT}" y="24">{escape(plot.title)}</text>',
    ]
    for place, quantity in enumerate(plot.drawn):
        lines += _panel(plot, quantity, _TOP + place * (_PANEL + _BETWEEN))
    lines.append(_text((_LEFT + WIDTH - _RIGHT) / 2, height - 14, plot.along, anchor="middle"))
    return "\n".join([*lines, "</svg>", ""])


def _panel(plot: TradeOff, quantity: str, top: float) -> Iterator[str]:
    drawn = [(each.group, each.shares()) for each in plot.series if each.quantity == quantity]
    highest = max(max(values) for _, values in drawn)
    step = step_of(highest)
    full = step * max(1, math.ceil(highest / step))
    bottom = top + _PANEL
    yield _text(_LEFT, top - 10, quantity)
    for number in range(round(full / step) + 1):
        y = bottom - _PANEL * number * step / full
        kind = "axis" if number == 0 else "grid"
        yield f'<path class="{kind}" d="M{_LEFT} {y:.1f}H{WIDTH - _RIGHT}"/>'
        yield _text(_LEFT - 8, y + 4, _number(number * step), anchor="end")
    for at in plot.at:
        yield _text(_across(plot, at), bottom + 18, f"{at:,}", anchor="middle")
    ends = _apart([bottom - _PANEL * values[-1] / full + 4 for _, values in drawn])
    for order, ((name, values), end) in enumerate(zip(drawn, ends, strict=True)):
        points = [
            (_across(plot, at), bottom - _PANEL * value / full)
            for at, value in zip(plot.at, values, strict=True)
        ]
        path = "L".join(f"{x:.1f} {y:.1f}" for x, y in points)
        yield f'<path class="line s{order}" d="M{path}"/>'
        for (x, y), at, value in zip(points, plot.at, values, strict=True):
            note = escape(f"{name}, {at:,}: {_number(round(value, 2))}")
            yield f'<path class="f{order}" d="{_mark(order, x, y)}"><title>{note}</title></path>'
        yield f'<path class="f{order}" d="{_mark(order, WIDTH - _RIGHT + 16, end - 4)}"/>'
        yield _text(WIDTH - _RIGHT + 28, end, name)


def step_of(highest: float) -> float:
    """Return the distance of the lines of the grid: 1, 2 or 5 times a power of ten."""
    if highest <= 0:
        return 1.0
    rough = highest / _INTERVALS
    power: float = 10.0 ** math.floor(math.log10(rough))
    return next(power * each for each in (1, 2, 5, 10) if power * each >= rough * 0.999)


def _across(plot: TradeOff, at: int) -> float:
    first, last = plot.at[0], plot.at[-1]
    inner = WIDTH - _LEFT - _RIGHT - 32
    return _LEFT + 16 + inner * (at - first) / max(1, last - first)


def _apart(places: Sequence[float]) -> list[float]:
    """Return the places of labels, moved down where they would cover each other."""
    moved = dict[int, float]()
    lowest = -math.inf
    for index in sorted(range(len(places)), key=places.__getitem__):
        lowest = max(places[index], lowest + _LABEL)
        moved[index] = lowest
    return [moved[index] for index in range(len(places))]


def _mark(order: int, x: float, y: float) -> str:
    """Return the path of a point: a disc, a square, a triangle or a diamond."""
    if order == 0:
        return f"M{x - 4:.1f} {y:.1f}a4 4 0 1 0 8 0a4 4 0 1 0 -8 0"
    if order == 1:
        return f"M{x - 3.5:.1f} {y - 3.5:.1f}h7v7h-7z"
    if order == 2:
        return f"M{x:.1f} {y - 4.5:.1f}l4.5 8h-9z"
    return f"M{x:.1f} {y - 5:.1f}l5 5l-5 5l-5 -5z"


def _text(x: float, y: float, text: str, *, anchor: str = "start") -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{escape(text)}</text>'


def _number(value: float) -> str:
    return f"{value:,.2f}".rstrip("0").rstrip(".")
