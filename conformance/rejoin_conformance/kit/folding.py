"""Fold long lines so that they fit a width, at the places where a reader expects a break."""

from __future__ import annotations

import re
from typing import Final

_PLACES: Final = re.compile(r'"(?:[^"\\]|\\.)*"|(?P<place>; +|   +|, +| )|(?P<bracket>[][{}()])')
"""The places to break a line at, outside quoted strings, and brackets."""
_RANKS: Final = (";", "   ", ",")


def folded(text: str, width: int, indent: str = "    ") -> list[str]:
    """Return the lines of a text, each at most `width` characters long if it has enough spaces.

    A line is broken after a semicolon, at a gap of three spaces or after a comma, outside as many
    brackets as possible; else at a space. A line that continues another one begins with the
    indentation of that line and `indent`.
    """
    return [part for line in text.split("\n") for part in _folded_line(line, width, indent)]


def _folded_line(line: str, width: int, indent: str) -> list[str]:
    margin = line[: len(line) - len(line.lstrip(" "))]
    lines: list[str] = []
    rest = line
    while len(rest) > width:
        begin = len(margin + indent) if lines else len(margin)
        place = _break(rest, begin, width)
        if place is None:
            break
        lines.append(rest[:place].rstrip(" "))
        rest = margin + indent + rest[place:].lstrip(" ")
    return [*lines, rest]


def _break(line: str, begin: int, width: int) -> int | None:
    """Return the best place to break a line, in its second half if there is one; else None.

    begin: where the text of the line begins.
    """
    half = begin + (width - begin) // 2
    best: tuple[bool, bool, int, int, int] | None = None
    depth = 0
    for match in _PLACES.finditer(line, begin):
        if match["bracket"]:
            depth += 1 if match["bracket"] in "[{(" else -1
        if not match["place"]:
            continue
        mark = match["place"]
        place = match.start() + (mark[0] in ";,")
        if place > width and best is not None:
            break
        if not begin < place or not line[match.end() :]:
            continue
        rank = next((at for at, each in enumerate(_RANKS) if mark.startswith(each)), len(_RANKS))
        cost = (place < half, rank == len(_RANKS), depth, rank, -place)
        best = cost if best is None or (place <= width and cost < best) else best
    return None if best is None else -best[-1]
