"""Two texts side by side: which lines of each differ from the other."""

from __future__ import annotations

from difflib import SequenceMatcher
from itertools import zip_longest
from typing import Final, TypeAlias

_SEARCHED: Final = 250_000
"""The largest product of the numbers of lines for a search for equal lines, which is quadratic."""

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
    for kind, begin, end, begin_other, end_other in SequenceMatcher(
        None, left, right, autojunk=False
    ).get_opcodes():
        differs = kind != "equal"
        marked[0].extend((differs, line) for line in left[begin:end])
        marked[1].extend((differs, line) for line in right[begin_other:end_other])
    return marked
