"""Choose a small set of histories with full coverage: greedy, then remove redundant ones."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeAlias

from attrs import frozen

Keys: TypeAlias = frozenset[str]


@frozen(order=True)
class Candidate:
    """A history that can be chosen. Of two with the same coverage, the smaller is chosen.

    size: the length of its JSON in characters. profile: the index of its profile in the plan.
    index: its index in the campaign of this profile.
    """

    size: int
    profile: int
    index: int


def chosen(keys: Mapping[Candidate, Keys]) -> tuple[Candidate, ...]:
    """Return candidates that together have the coverage of all, the one that adds most first.

    Of candidates that add the same number of keys, the smallest in `Candidate`'s order is chosen.
    No chosen candidate is redundant.
    """
    missing = set[str]().union(*keys.values())
    taken: list[Candidate] = []
    while missing:
        best = min(keys, key=lambda each: (-len(keys[each] & missing), each))
        taken.append(best)
        missing -= keys[best]
    return without_redundant(taken, keys)


def without_redundant(
    taken: Sequence[Candidate], keys: Mapping[Candidate, Keys], needed: Keys | None = None
) -> tuple[Candidate, ...]:
    """Return the candidates without redundant ones. The largest are removed first.

    needed: the keys to cover; None for all keys of `taken`.
    """
    wanted = set().union(*(keys[each] for each in taken)) if needed is None else set(needed)
    left = list(taken)
    for each in sorted(taken, reverse=True):
        others = [other for other in left if other is not each]
        if wanted <= set[str]().union(*(keys[other] for other in others)):
            left = others
    return tuple(left)


def shared_out(taken: Sequence[Candidate], keys: Mapping[Candidate, Keys]) -> dict[Candidate, Keys]:
    """Return the keys that each candidate is kept for. Every key has exactly one candidate.

    If several candidates have a key, it goes to the one with the most keys that no other has. The
    others can then shrink further.
    """
    carriers: dict[str, list[Candidate]] = {}
    for each in taken:
        for key in keys[each]:
            carriers.setdefault(key, []).append(each)
    own: dict[Candidate, set[str]] = {each: set() for each in taken}
    for key, those in carriers.items():
        if len(those) == 1:
            own[those[0]].add(key)
    alone = {each: len(keys) for each, keys in own.items()}
    for key, those in carriers.items():
        own[min(those, key=lambda each: (-alone[each], each))].add(key)
    return {each: frozenset(keys) for each, keys in own.items()}
