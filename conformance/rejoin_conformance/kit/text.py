"""Text for people: the name that was probably meant, long lines folded, two texts side by side.

Numbers have their nouns and units. Text from an adapter is escaped, so that none of its control
characters reaches a terminal.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Mapping
from itertools import zip_longest
from typing import Final, TypeAlias

from rejoin_conformance.kit.json_types import Json


def counted(number: int, noun: str, plural: str | None = None) -> str:
    """Return a number with its noun, such as `1 vector` or `2,000 vectors`.

    plural: for a noun whose plural is not formed with -s.
    """
    return f"{number:,} {noun if number == 1 else plural or noun + 's'}"


def most_counted(counts: Mapping[str, int], shown: int = 3) -> str:
    """Return the names with the highest counts, and how many others there are."""
    names = sorted(counts, key=lambda name: (-counts[name], name))
    listed = ", ".join(f"{name} ({counts[name]:,})" for name in names[:shown])
    return f"{listed} and {len(names) - shown} more" if len(names) > shown else listed


def duration(seconds: float) -> str:
    """Return a number of seconds as a short text: `45 s`, `12 min`, `3 h 20 min`."""
    if seconds < 90:
        return f"{seconds:.0f} s"
    minutes = round(seconds / 60)
    return f"{minutes} min" if minutes < 90 else f"{minutes // 60} h {minutes % 60} min"


_LONGEST: Final = 200


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """Return `; did you mean X?` for the known name that is most like a name, or an empty text.

    The last parts of two paths must be alike too: a common folder alone says nothing. A last part
    alone finds the first path that ends with it.
    """
    asked, every = name[:_LONGEST], [*known]
    near = [
        each
        for each in difflib.get_close_matches(asked, every, 3)
        if difflib.get_close_matches(_last(asked), [_last(each)])
    ]
    if not near and "/" not in asked:
        ends = {_last(each): each for each in reversed(every)}
        near = [ends[each] for each in difflib.get_close_matches(asked, ends, 1, cutoff=0.8)]
    return f"; did you mean {near[0]}?" if near else ""


def _last(path: str) -> str:
    return path.rstrip("/").rpartition("/")[2]


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


_SEARCHED: Final = 250_000
"""The largest product of the numbers of lines for a search for equal lines, which is quadratic."""

_WHOLE: Final = 12
"""The number of lines up to which a text is shown whole."""
_AROUND: Final = 3
"""The number of equal lines to show before and after lines that differ."""

Marked: TypeAlias = list[tuple[bool, str]]
"""The lines of one text, each with whether it differs."""


def line_marks(one: str, other: str) -> tuple[Marked, Marked]:
    """Return the lines of both texts, each with whether the other text lacks it in that place."""
    left, right = one.split("\n"), other.split("\n")
    if len(left) * len(right) > _SEARCHED:
        pairs = list(zip_longest(left, right))
        return (
            [(a != b, a) for a, b in pairs if a is not None],
            [(a != b, b) for a, b in pairs if b is not None],
        )
    marked: tuple[Marked, Marked] = ([], [])
    for kind, begin, end, begin_other, end_other in difflib.SequenceMatcher(
        None, left, right, autojunk=False
    ).get_opcodes():
        differs = kind != "equal"
        marked[0].extend((differs, line) for line in left[begin:end])
        marked[1].extend((differs, line) for line in right[begin_other:end_other])
    return marked


def merged(one: str, other: str, names: tuple[str, str]) -> Marked:
    """Return two texts as one: the lines that both have once, others after the name of their side.

    Each line stands with whether only one side has it.
    """
    width = max(map(len, names))
    rest = [[*side] for side in line_marks(one, other)]
    lines: Marked = []
    while any(rest):
        for name, side in zip(names, rest, strict=True):
            while side and side[0][0]:
                lines.append((True, f"{name:<{width}}  {side.pop(0)[1]}"))
        if all(rest):
            lines.append((False, f"{'':<{width}}  {rest[0].pop(0)[1]}"))
            rest[1].pop(0)
    return lines


def around_marks(lines: Marked) -> Marked:
    """Return the lines of a long text near those that differ, and one line for each gap.

    A short text, and one without a difference, stays whole.
    """
    near = {
        number
        for place, (differs, _) in enumerate(lines)
        if differs
        for number in range(place - _AROUND, place + _AROUND + 1)
    }
    near |= {place + 1 for place in near if place + 2 in near}  # a gap of one line is not worth it
    if not near or len(lines) <= _WHOLE:
        return lines
    shown: Marked = []
    skipped = 0
    for place, line in enumerate([*lines, (False, "")]):
        kept = place in near and place < len(lines)
        if skipped and (kept or place == len(lines)):
            shown.append((False, f"... {counted(skipped, 'equal line')}"))
        skipped = 0 if kept else skipped + 1
        if kept:
            shown.append(line)
    return shown


_KEPT: Final = frozenset("\n\t")


def shown(text: str, limit: int = 2000) -> str:
    """Return the text with unprintable characters escaped, cut after `limit` characters."""
    cut = text if len(text) <= limit else text[:limit] + f"... ({len(text)} characters)"
    return "".join(each if each.isprintable() or each in _KEPT else _escape(each) for each in cut)


def shown_line(text: str, limit: int = 200) -> str:
    """Return the same text on one line."""
    return shown(text, limit).replace("\n", "\\n").replace("\t", "\\t")


def shown_bytes(data: bytes, limit: int = 120) -> str:
    """Return bytes that should be text on one line in quotes, with invalid UTF-8 as hex."""
    text = data[:limit].decode("utf-8", "backslashreplace")
    after = f" ... ({len(data)} bytes)" if len(data) > limit else ""
    return f'"{shown_line(text, 4 * limit)}"{after}'


def escaped(value: Json) -> Json:
    """Return JSON with unprintable characters escaped in all its texts."""
    if isinstance(value, str):
        return value if value.isprintable() else shown(value, len(value))
    if isinstance(value, list):
        return [escaped(each) for each in value]
    if isinstance(value, dict):
        return {str(escaped(name)): escaped(each) for name, each in value.items()}
    return value


def _escape(character: str) -> str:
    return character.encode("unicode_escape").decode("ascii")
