"""Plots as SVG: bars, with the colours of the page, and the same bytes each time."""

from __future__ import annotations

import io
import re
from collections.abc import Mapping, Sequence
from typing import Any, Final

import matplotlib as mpl
from attrs import frozen
from markupsafe import escape
from matplotlib.backends.backend_svg import FigureCanvasSVG
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter

_TEXT: Final = "#010203"
_LINE: Final = "#040506"
_COLOURS: Final = {
    _TEXT: "var(--color-foreground-primary)",
    _LINE: "var(--color-foreground-border)",
}
"""A colour that the library writes -> the colour of the page, which has a light and a dark form."""
_SERIES: Final = ("#4a90d9", "#e08a3c", "#3fae7a", "#b46ac9")
"""Colours that can be told apart on a light and on a dark ground."""
_ROW: Final = 0.36
_INCHES: Final = 8.0
_SETTINGS: Final[dict[Any, Any]] = {
    "svg.fonttype": "none",
    "svg.hashsalt": "rejoin",
    "font.family": "sans-serif",
    "font.size": 10,
    "text.color": _TEXT,
    "axes.labelcolor": _TEXT,
    "axes.edgecolor": _LINE,
    "xtick.color": _TEXT,
    "ytick.color": _TEXT,
    "grid.color": _LINE,
    "axes.spines.top": False,
    "axes.spines.right": False,
}
_SIZE: Final = re.compile(r'<svg [^>]*?width="[^"]*"|<svg [^>]*?height="[^"]*"')


@frozen(kw_only=True)
class Bars:
    """A plot of horizontal bars, one for each label, each of one part for each series.

    series: name -> a value for each label. percent: whether the values are shares of 1.
    """

    title: str
    labels: Sequence[str]
    series: Mapping[str, Sequence[float]]
    percent: bool = False


def bars_svg(bars: Bars) -> str:
    """Return a plot as one SVG element for a page."""
    with mpl.rc_context(_SETTINGS):
        figure = Figure(figsize=(_INCHES, _ROW * len(bars.labels) + 1.1), layout="constrained")
        axes = figure.add_subplot()
        places = range(len(bars.labels))
        ends = [0.0] * len(bars.labels)
        for (name, values), colour in zip(bars.series.items(), _SERIES, strict=False):
            axes.barh(places, values, left=ends, height=0.7, color=colour, label=name)
            ends = [end + value for end, value in zip(ends, values, strict=True)]
        axes.set_yticks(places, bars.labels)
        axes.invert_yaxis()
        axes.tick_params(length=0)
        axes.grid(axis="x", linewidth=0.6)
        axes.set_axisbelow(True)
        axes.xaxis.set_major_formatter(FuncFormatter(_percent if bars.percent else _plain))
        if len(bars.series) > 1:
            figure.legend(loc="outside lower left", ncols=len(bars.series), frameon=False)
        return _as_part_of_a_page(_svg(figure), bars.title)


def _percent(value: float, _place: int | None) -> str:
    return f"{value:.0%}"


def _plain(value: float, _place: int | None) -> str:
    return f"{value:,.0f}"


def _svg(figure: Figure) -> str:
    FigureCanvasSVG(figure)
    text = io.StringIO()
    figure.savefig(
        text,
        format="svg",
        transparent=True,
        metadata={"Date": None, "Creator": None, "Format": None, "Type": None},
    )
    return text.getvalue()


def _as_part_of_a_page(svg: str, title: str) -> str:
    """Return the element alone, with the colours and the fonts of the page."""
    element = svg[svg.index("<svg") :]
    for written, shown in _COLOURS.items():
        element = element.replace(written, shown)
    element = re.sub(r"<metadata>.*?</metadata>", "", element, flags=re.DOTALL)
    element = re.sub(r"'DejaVu Sans'[^;\"]*", "inherit", element)
    label = f'<svg role="img" aria-label="{escape(title)}"'
    return f'<div class="plot">{element.replace("<svg", label, 1)}</div>'
