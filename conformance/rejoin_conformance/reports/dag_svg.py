"""A DAG as SVG: a row a node, parents above children, each node in its lane, its name beside it."""

from __future__ import annotations

import html
from collections.abc import Iterator
from typing import Final

from rejoin_conformance.kit.dag_drawing import Drawing, lanes
from rejoin_conformance.reports.values import escaped

_ROW: Final = 24
_LANE: Final = 18
_DOT: Final = 5
_LETTER: Final = 8
_LONGEST: Final = 110
_MOST: Final = 200


def dag_svg(drawing: Drawing) -> str:
    """The drawing as one SVG element; the colours come from the page's style."""
    placed = list(lanes(drawing.dag))[:_MOST]
    if not placed:
        return '<p class="quiet">nothing was made</p>'
    places = {each.node: (each.lane, row) for row, each in enumerate(placed)}
    left = _LANE * (max(lane for lane, _ in places.values()) + 1) + _LANE // 2
    labels = [_label(drawing, each.node) for each in placed]
    width = left + _LETTER * max(map(len, labels)) + _LANE
    height = _ROW * len(placed)
    parts = [
        *(
            line
            for each in placed
            for parent in drawing.dag[each.node]
            for line in _edge(places[parent], places[each.node])
        ),
        *(
            f'<circle class="node" cx="{_x(lane)}" cy="{_y(row)}" r="{_DOT}"/>'
            f'<text x="{left}" y="{_y(row) + 4}">{html.escape(label)}</text>'
            for (lane, row), label in zip(places.values(), labels, strict=True)
        ),
    ]
    more = len(drawing.dag) - len(placed)
    rest = f'<p class="quiet">and {more:,} more</p>' if more > 0 else ""
    title = escaped(f"DAG of {drawing.title or 'the history'}: {len(drawing.dag)} nodes")
    return (
        f'<div class="wide"><svg class="dag" role="img" aria-label="{title}" width="{width}" '
        f'height="{height}" viewBox="0 0 {width} {height}">{"".join(parts)}</svg></div>{rest}'
    )


def _label(drawing: Drawing, node: int) -> str:
    note = drawing.notes.get(node)
    text = drawing.names[node] + (f"  {note}" if note else "")
    text = " ".join(text.split())
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 3]}..."


def _edge(parent: tuple[int, int], child: tuple[int, int]) -> Iterator[str]:
    """Down the parent's lane, then over to the child."""
    (from_lane, from_row), (to_lane, to_row) = parent, child
    x, y = _x(from_lane), _y(from_row)
    if from_lane == to_lane:
        yield f'<path class="edge" d="M{x} {y}V{_y(to_row)}"/>'
    else:
        turn = _y(to_row) - _ROW
        middle = _y(to_row) - _ROW // 2
        end = _x(to_lane)
        yield (
            f'<path class="edge" d="M{x} {y}V{turn}'
            f'C{x} {middle} {end} {middle} {end} {_y(to_row)}"/>'
        )


def _x(lane: int) -> int:
    return _LANE * lane + _LANE // 2 + 2


def _y(row: int) -> int:
    return _ROW * row + _ROW // 2
