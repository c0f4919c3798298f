"""Kinds of mismatches: what a poll should have found, and what it found."""

from __future__ import annotations

from itertools import product
from typing import Final

from rejoin import conflict_detection as cd

CLASSES: Final = (
    cd.Classification.OVERWRITE,
    cd.Classification.CONFLICT,
    cd.Classification.STALE,
    cd.Classification.SAME,
)

PAIRS: Final = tuple(product(CLASSES, CLASSES))
"""(what the follows relation says, what the design says). A pair is known by its place here."""

PLACE: Final = {pair: place for place, pair in enumerate(PAIRS)}

_OWN_NAMES: Final = {
    (cd.Classification.OVERWRITE, cd.Classification.CONFLICT): "false conflict",
    (cd.Classification.CONFLICT, cd.Classification.OVERWRITE): "false overwrite",
}


def kind_of(place: int) -> str | None:
    """The name of a mismatch, or None where the two agree."""
    expected, found = PAIRS[place]
    if expected is found:
        return None
    return _OWN_NAMES.get((expected, found), f"{expected} taken for {found}")


KINDS: Final = tuple(kind_of(place) for place in range(len(PAIRS)))

MISMATCHES: Final = tuple(place for place, kind in enumerate(KINDS) if kind is not None)
"""The pairs that do not agree, in the order of reports."""
