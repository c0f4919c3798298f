"""The templates of this package, Markdown in them, and a DAG as SVG.

They escape all text, because it can come from anywhere.

A DAG is drawn as the playgrounds draw it: boxes in layers, parents above children. A box holds the
name of a node and the lines of its note, such as its state. Its shape and its colour say what it
is: a head, an origin or a base, a merge, an ignored node, or one at which two answers part.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from importlib.resources import files
from itertools import groupby, pairwise
from operator import itemgetter
from typing import Any, Final

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from rejoin_conformance.kit.dag_drawing import Drawing
from rejoin_conformance.kit.document import plain_text, spans
from rejoin_conformance.kit.layered import Place, heads, layered, origins
from rejoin_conformance.kit.text import shown, shown_line

_LONGEST_PROSE: Final = 20_000
_MARKDOWN: Final = re.compile(
    r"`(?P<code>[^`]+)`|\\(?P<escape>[!-/:-@\[-`{-~])|\*(?P<em>[^*\s`\\][^*`\\]*)\*|.", re.DOTALL
)
"""Code, a character escaped by a backslash, emphasised text, or any other character."""


def prose(text: str, limit: int | None = None) -> Markup:
    """Return Markdown without links, such as a clause's text, as HTML.

    The function cuts the text at a word if it has more than `limit` characters.
    """
    marked = list(_characters(shown_line(text, _LONGEST_PROSE)))
    if limit is not None and len(marked) > limit:
        marked = marked[:limit]
        while marked and marked.pop()[0] != " ":
            pass
        marked += [(each, "") for each in " ..."]
    runs = (
        (tag, "".join(character for character, _ in run))
        for tag, run in groupby(marked, key=itemgetter(1))
    )
    return Markup("").join(
        Markup("<{}>{}</{}>").format(tag, run, tag) if tag else run for tag, run in runs
    )


def _characters(text: str) -> Iterator[tuple[str, str]]:
    """Yield every visible character, and its tag: `code`, `em` or none."""
    for found in _MARKDOWN.finditer(text):
        kind = found.lastgroup or ""
        tag = kind if kind != "escape" else ""
        yield from ((each, tag) for each in found[kind or 0])


_LONGEST: Final = 12_000
"""The number of characters of one block of code that a page shows."""


@cache
def templates() -> Environment:
    """Return the templates with their filters."""
    environment = Environment(
        loader=PackageLoader(__package__),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=StrictUndefined,
    )
    filters: dict[str, Callable[..., object]] = {
        "line": lambda text, limit=300: shown_line(str(text), limit),
        "shown": lambda text: shown(text, _LONGEST),
        "prose": prose,
        "spans": spans,
        "plain": plain_text,
        "kind": lambda block: type(block).__name__,
        "comma": lambda number: f"{number:,}",
    }
    environment.filters |= filters
    return environment


def fragment(template: str, **values: Any) -> Markup:
    """Return a part of a page, which must not be escaped again."""
    text = templates().get_template(template).render(**values)
    return Markup(text + "\n")  # noqa: S704 - the template escaped it


@cache
def inline(name: str) -> Markup:
    """Return a file of the templates' folder to write into a page as it is."""
    path = files(__package__).joinpath("templates", name)
    return Markup(path.read_text(encoding="utf-8"))  # noqa: S704 - a file of this package


def shortened(made: Callable[[int], str], most: int, longest: int) -> str:
    """Return a form of a result that has at most `longest` characters, if it can be that short.

    made: how many things of each kind -> the form. most: how many of them at first; half as many
    if it is too long, and so on.
    """
    text = made(most)
    return text if len(text) <= longest or not most else shortened(made, most // 2, longest)


_LETTER: Final = 7.4
_LINE: Final = 16
_GAP: Final = 18
_BETWEEN: Final = 34
"""The height between two layers."""
_WIDEST: Final = 26
_LINES: Final = 3
"""The most characters of a line and the most lines of a note."""
_MOST: Final = 200


def dag_svg(drawing: Drawing) -> Markup:
    """Return the drawing as one SVG element; the colours come from the page's style."""
    dag = {
        node: [parent for parent in parents if parent in kept]
        for kept in [{*[*drawing.dag][:_MOST]}]
        for node, parents in drawing.dag.items()
        if node in kept
    }
    places = layered(dag)
    lines = {node: _lines(drawing, node) for node in dag}
    wide = max((len(line) for each in lines.values() for line in each), default=0) * _LETTER + 20
    high = max(map(len, lines.values()), default=1) * _LINE + 12
    box = _Box(max(wide, 44), high)
    columns, layers = places.size
    begins = {"origin": origins(dag)} if drawing.bases is None else {"base": drawing.bases}
    ignored = heads(dag) & drawing.ignored
    roles = {**begins, "head": heads(dag) - ignored, "ignored": ignored, "marked": drawing.marked}
    return fragment(
        "dag.html",
        title=f"DAG of {drawing.title or 'the history'}: {len(drawing.dag)} nodes",
        width=round(columns * (box.width + _GAP)),
        height=round(layers * (high + _BETWEEN) - _BETWEEN + 8) if dag else 0,
        edges=[box.way(way) for way in places.edges.values()],
        nodes=[
            {
                "roles": [role for role, nodes in roles.items() if node in nodes],
                "shape": box.shape(place, cut=any(node in nodes for nodes in begins.values())),
                "inner": box.shape(place, inside=3) if len(dag[node]) > 1 else "",
                "x": f"{box.middle(place)[0]:g}",
                "lines": [*box.texts(place, lines[node])],
            }
            for node, place in places.nodes.items()
        ],
        more=len(drawing.dag) - len(dag),
    )


def _lines(drawing: Drawing, node: int) -> list[str]:
    """Return the name of a node and the lines of its note."""
    name = shown_line(drawing.names[node], _WIDEST)
    note = shown_line(" ".join(drawing.notes.get(node, "").split()), 1000)
    return [name, *textwrap.wrap(note, _WIDEST, max_lines=_LINES, placeholder=" ...")]


class _Box:
    """The boxes of a drawing: they all have one size."""

    def __init__(self, width: float, height: float) -> None:
        self.width, self.height = width, height

    def middle(self, place: Place) -> tuple[float, float]:
        """Return the middle of the box at a place."""
        column, layer = place
        return (
            round((column + 0.5) * (self.width + _GAP), 1),
            layer * (self.height + _BETWEEN) + self.height / 2 + 4,
        )

    def shape(self, place: Place, *, cut: bool = False, inside: int = 0) -> str:
        """Return the outline of a box, with cut or with round corners. inside: how much smaller."""
        x, y = self.middle(place)
        wide, high, corner = self.width - 2 * inside, self.height - 2 * inside, 9 - inside
        left, top = round(x - wide / 2, 1), y - high / 2
        across, down = round(wide - 2 * corner, 1), high - 2 * corner
        turns = [(corner, corner), (-corner, corner), (-corner, -corner), (corner, -corner)]
        bends = [
            f"l{a} {b}" if cut else f"q{f'{a} 0' if a * b > 0 else f'0 {b}'} {a} {b}"
            for a, b in turns
        ]
        return (
            f"M{left + corner:g} {top:g}h{across:g}{bends[0]}v{down:g}{bends[1]}"
            f"h{-across:g}{bends[2]}v{-down:g}{bends[3]}z"
        )

    def texts(self, place: Place, lines: Sequence[str]) -> Iterator[tuple[str, str]]:
        """Yield the height and the text of each line of a box."""
        _, y = self.middle(place)
        for number, line in enumerate(lines):
            yield f"{y + 5 + (number - (len(lines) - 1) / 2) * _LINE:g}", line

    def way(self, places: Sequence[Place]) -> str:
        """Return the path of an edge, from the lower side of a parent to the top of a child."""
        points = [self.middle(place) for place in places]
        x, y = points[0][0], points[0][1] + self.height / 2
        text = f"M{x:g} {y:g}"
        for number, (_, (to_x, middle)) in enumerate(pairwise(points), start=2):
            to_y = middle - self.height / 2
            half = (y + to_y) / 2
            text += f"C{x:g} {half:g} {to_x:g} {half:g} {to_x:g} {to_y:g}"
            x, y = to_x, to_y
            if number < len(points):
                y = middle + self.height / 2
                text += f"V{y:g}"
        return text
