"""Two alternatives that the document names and that neither named reading follows.

A client can keep less history alive, and a user can see another name for a conflict file. A reading
chooses them with its fields `kept_generations` and `conflict_names`. `docs/trade-offs.md` in the
suite measures what they cost.

Source: "Leif's Proposal", Abstract; "a possible UI for resolving conflicts"
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterable
from typing import Final, TypeVar

from rejoin.conflict_detection.conflict_files import Conflicts

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")

PREVIOUS: Final = "previous"
"""The label of the conflict file of a client that made its own version."""


def recent(
    links_of: Callable[[K], Iterable[K]], roots: Collection[K], generations: int
) -> frozenset[K]:
    """Return snapshots, their ancestors that are at most so many generations behind, and contents.

    links_of: the parents and the content of a snapshot; a content has no links.

    Source: "Leif's Proposal", Abstract, how much history to retain
    """
    near = level = frozenset(roots)
    for _ in range(generations):
        level = frozenset(link for each in level for link in links_of(each)) - near
        near |= level
    return near | {link for each in near for link in links_of(each) if not links_of(link)}


def is_previous_taken(conflicts: Conflicts[V], other: str) -> bool:
    """Return whether the conflict file `previous` has the version of another client than `other`.

    A folder has only one file of that name.

    Source: "a possible UI for resolving conflicts"
    """
    return any(
        each.label == PREVIOUS and each.content is not None and other not in each.nicknames
        for each in conflicts
    )
