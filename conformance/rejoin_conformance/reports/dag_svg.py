"""A DAG as SVG: one row per node, parents above children; each node has a lane and a name.

A marked node has another colour, a ring, and a bold name.
"""

from __future__ import annotations

from typing import Final

from markupsafe import Markup

from rejoin_conformance.kit.dag_drawing import Drawing, lanes
from rejoin_conformance.kit.untrusted import shown_line
from rejoin_conformance.reports.rendering import fragment

_ROW: Final = 24
_LANE: Final = 18
_DOT: Final = 5
_LETTER: Final = 8
_LONGEST: Final = 110
_MOST: Final = 200


def dag_svg(drawing: Drawing) -> Markup:
    """Return the drawing as one SVG element; the colours come from the page's style."""
    placed = list(lanes(drawing.dag))[:_MOST]
    places = {each.node: (each.lane, row) for row, each in enumerate(placed)}
    left = _LANE * (max((lane for lane, _ in places.values()), default=0) + 1) + _LANE // 2
    labels = [_label(drawing, each.node) for each in placed]
    return fragment(
        "dag.html",
        title=f"DAG of {drawing.title or 'the history'}: {len(drawing.dag)} nodes",
        width=left + _LETTER * max(map(len, labels), default=0) + _LANE,
        height=_ROW * len(placed),
        edges=[
            _edge(places[parent], places[each.node])
            for each in placed
            for parent in drawing.dag[each.node]
        ],
        nodes=[
            {"x": _x(lane), "y": _y(row), "text": label, "marked": each.node in drawing.marked}
            for each, (lane, row), label in zip(placed, places.values(), labels, strict=True)
        ],
        radius=_DOT,
        left=left,
        more=len(drawing.dag) - len(placed),
    )


def _label(drawing: Drawing, node: int) -> str:
    note = drawing.notes.get(node)
    text = drawing.names[node] + (f"  {note}" if note else "")
    text = shown_line(" ".join(text.split()), 1000)
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 3]}..."


def _edge(parent: tuple[int, int], child: tuple[int, int]) -> str:
    """Return the path of an edge: down the parent's lane, then across to the child."""
    (from_lane, from_row), (to_lane, to_row) = parent, child
    x, y = _x(from_lane), _y(from_row)
    if from_lane == to_lane:
        return f"M{x} {y}V{_y(to_row)}"
    turn = _y(to_row) - _ROW
    middle = _y(to_row) - _ROW // 2
    end = _x(to_lane)
    return f"M{x} {y}V{turn}C{x} {middle} {end} {middle} {end} {_y(to_row)}"


def _x(lane: int) -> int:
    return _LANE * lane + _LANE // 2 + 2


def _y(row: int) -> int:
    return _ROW * row + _ROW // 2
