"""Choose few histories that reach everything: greedy, then without what is redundant."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeAlias

from attrs import frozen

Keys: TypeAlias = frozenset[str]


@frozen(order=True)
class Candidate:
    """A history that may be chosen; the smaller one of two that reach as much.

    size: characters of its JSON. profile: which of the plan's. index: in that profile's campaign.
    """

    size: int
    profile: int
    index: int


def chosen(reach: Mapping[Candidate, Keys]) -> tuple[Candidate, ...]:
    """Candidates that together reach what all of them reach, the one that adds most first.

    Of those that add as many keys, the smallest, by `Candidate`'s order, is taken. In the end none
    can be left out.
    """
    missing = set[str]().union(*reach.values())
    taken: list[Candidate] = []
    while missing:
        best = min(reach, key=lambda each: (-len(reach[each] & missing), each))
        taken.append(best)
        missing -= reach[best]
    return without_redundant(taken, reach)


def without_redundant(
    taken: Sequence[Candidate], reach: Mapping[Candidate, Keys], needed: Keys | None = None
) -> tuple[Candidate, ...]:
    """The same without those whose keys the others reach; the largest are tried first.

    needed: the keys that have to be reached; all that `taken` reach where it is left out.
    """
    wanted = set().union(*(reach[each] for each in taken)) if needed is None else set(needed)
    left = list(taken)
    for each in sorted(taken, reverse=True):
        others = [other for other in left if other is not each]
        if wanted <= set[str]().union(*(reach[other] for other in others)):
            left = others
    return tuple(left)


def shared_out(
    taken: Sequence[Candidate], reach: Mapping[Candidate, Keys]
) -> dict[Candidate, Keys]:
    """What each is kept for: every key once, with those that nobody else reaches first of all.

    A key that several reach goes to the one that has most of its own already, so that the others
    can be made small.
    """
    carriers: dict[str, list[Candidate]] = {}
    for each in taken:
        for key in reach[each]:
            carriers.setdefault(key, []).append(each)
    own: dict[Candidate, set[str]] = {each: set() for each in taken}
    for key, those in carriers.items():
        if len(those) == 1:
            own[those[0]].add(key)
    alone = {each: len(keys) for each, keys in own.items()}
    for key, those in carriers.items():
        own[min(those, key=lambda each: (-alone[each], each))].add(key)
    return {each: frozenset(keys) for each, keys in own.items()}
