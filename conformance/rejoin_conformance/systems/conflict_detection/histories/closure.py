"""The follows relation as bit sets, for histories and searches that use it millions of times.

`rejoin.conflict_detection` computes the same relation in the document's terms, on any graph. Tests
compare the two.
"""

from __future__ import annotations

from typing import TypeAlias

from rejoin import conflict_detection as cd

Closure: TypeAlias = tuple[int, ...]
"""Version -> the bits of the versions that it follows. Versions are numbered by upload, from 0."""


def extend_closure(closure: Closure, had: int) -> Closure:
    """Return the closure with one more version. had: the bits of the versions its maker had."""
    mask = had
    for version, followed in enumerate(closure):
        if had >> version & 1:
            mask |= followed
    return (*closure, mask)


def classify_by_closure(closure: Closure, ours: int | None, theirs: int) -> cd.Classification:
    """Return the right classification of `theirs` for a client that has `ours`, or no version."""
    if ours is None or closure[theirs] >> ours & 1:
        return cd.Classification.OVERWRITE
    if ours == theirs:
        return cd.Classification.SAME
    if closure[ours] >> theirs & 1:
        return cd.Classification.STALE
    return cd.Classification.CONFLICT
