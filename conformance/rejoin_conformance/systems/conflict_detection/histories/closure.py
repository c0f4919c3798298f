"""The follows relation as bit sets: for histories and searches that ask millions of times.

`rejoin.conflict_detection` says the same in the document's words, on any graph; the tests hold the
two to each other.
"""

from __future__ import annotations

from typing import TypeAlias

from rejoin import conflict_detection as cd

Closure: TypeAlias = tuple[int, ...]
"""For each version, numbered from 0 in the order of uploads: a bit for each version it follows."""


def extend_closure(closure: Closure, had: int) -> Closure:
    """Return the closure with one more version, whose maker had the versions of the bits `had`."""
    mask = had
    for version, followed in enumerate(closure):
        if had >> version & 1:
            mask |= followed
    return (*closure, mask)


def classify_by_closure(closure: Closure, ours: int | None, theirs: int) -> cd.Classification:
    """Return what a client that has `ours`, or no version, should make of `theirs`."""
    if ours is None or closure[theirs] >> ours & 1:
        return cd.Classification.OVERWRITE
    if ours == theirs:
        return cd.Classification.SAME
    if closure[ours] >> theirs & 1:
        return cd.Classification.STALE
    return cd.Classification.CONFLICT
