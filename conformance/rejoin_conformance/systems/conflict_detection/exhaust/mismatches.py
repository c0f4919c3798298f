"""Kinds of mismatches between the expected classification of a poll and the actual one."""

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
"""(classification by the follows relation, classification by the design), numbered by place."""

PLACE: Final = {pair: place for place, pair in enumerate(PAIRS)}

_OWN_NAMES: Final = {
    (cd.Classification.OVERWRITE, cd.Classification.CONFLICT): "false conflict",
    (cd.Classification.CONFLICT, cd.Classification.OVERWRITE): "false overwrite",
}


def kind_of(place: int) -> str | None:
    """Return the name of a mismatch, or None if the classifications of the pair agree."""
    expected, found = PAIRS[place]
    if expected is found:
        return None
    return _OWN_NAMES.get((expected, found), f"{expected} taken for {found}")


KINDS: Final = tuple(kind_of(place) for place in range(len(PAIRS)))

MISMATCHES: Final = tuple(place for place, kind in enumerate(KINDS) if kind is not None)
"""The pairs that do not agree, in the order of reports."""
