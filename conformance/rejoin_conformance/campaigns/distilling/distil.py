"""Distil campaigns in three steps, each spread in pieces: look, choose, shrink.

1. Each piece goes over a part of the histories, and notes for each key the first few that reach it.
   So memory depends on the number of keys, and not on the number of histories. Of a campaign that
   was kept, only some blocks are looked at: its counts tell which (`campaign`).
2. The noted histories are made again and looked at in full; a few are chosen that reach every key.
3. Each chosen history is shrunk while it reaches what it was chosen for.

Every step is a pure function of the plan: the result does not depend on how the pieces are spread.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import partial
from itertools import chain
from typing import Any, Final

from attrs import field, frozen, validators

from rejoin_conformance.campaigns.distilling.cover import (
    Candidate,
    Keys,
    chosen,
    shared_out,
    without_redundant,
)
from rejoin_conformance.campaigns.distilling.coverage_keys import keys_of, reaches
from rejoin_conformance.contract.history import history_seed
from rejoin_conformance.contract.registry import system_named
from rejoin_conformance.contract.spread import Spread
from rejoin_conformance.kit.json_types import Json, JsonObject, canonical_json
from rejoin_conformance.shrinking.histories import shrink_history

CARRIERS: Final = 6
"""How many of the histories that reach a key may be chosen for it: the first ones."""

PIECES: Final = 256
"""Into how many pieces the histories are dealt at most; each brings back one note a key."""

DEFAULT_TRIES: Final = 4000

_PIECE: Final = 50


@frozen(kw_only=True)
class DistilPlan:
    """The histories 0 .. histories - 1 of each profile, looked at under each of the readings.

    switched: other readings, from which the first one is to be told apart.
    tries: how many smaller histories are tried for each that is kept.
    only: the stretches of histories that are looked at; all of them where there are none.
    known: keys for which no history is needed.
    """

    system: str
    profiles: tuple[str, ...]
    readings: tuple[str, ...]
    seed: int
    histories: int = field(validator=validators.ge(1))
    switched: tuple[str, ...] = ()
    tries: int = DEFAULT_TRIES
    only: tuple[range, ...] = ()
    known: Keys = frozenset()

    @property
    def indices(self) -> Sequence[int]:
        """The histories of each profile that are looked at."""
        return [*chain(*self.only)] if self.only else range(self.histories)

    @property
    def pieces(self) -> int:
        """How many pieces the histories of all profiles are."""
        return min(PIECES, -(-len(self.indices) * len(self.profiles) // _PIECE))

    def made(self, profile: int, index: int) -> Any:
        """One of the histories."""
        name = self.profiles[profile]
        seed = history_seed(self.seed, self.system, name, index)
        return system_named(self.system).histories.generate(name, seed)

    def keys_of(self, history: Any) -> Keys:
        """All that a history reaches."""
        return keys_of(system_named(self.system), history, self.readings, self.switched)

    def new_keys_of(self, history: Any) -> Keys:
        """What a history reaches and is not known."""
        return self.keys_of(history) - self.known


@frozen
class Distilled:
    """One history of a distilled set.

    reaches: the keys that it is kept for; it may reach more. minimal: whether the tries sufficed.
    """

    profile: str
    index: int
    history: JsonObject
    reaches: tuple[str, ...]
    minimal: bool


def distil(plan: DistilPlan, spread: Spread) -> tuple[Distilled, ...]:
    """The distilled set of the plan's histories, in the order of profile and index.

    A history that cannot be made or looked at reaches nothing.
    """
    noted = _merged(spread.pieces(partial(look, plan), plan.pieces, "look"))
    carriers = sorted({carrier for carriers in noted.values() for carrier in carriers})
    looked = spread.pieces(partial(look_again, plan, tuple(carriers)), len(carriers), "choose")
    reach = {
        Candidate(int(each["size"]), profile, index): frozenset(each["keys"])
        for (profile, index), each in zip(carriers, map(_object, looked), strict=True)
    }
    taken = chosen(reach)
    purposes = shared_out(taken, reach)
    work = tuple((each.profile, each.index, purposes[each]) for each in taken)
    shrunk = [
        _object(each) for each in spread.pieces(partial(shrink, plan, work), len(work), "shrink")
    ]
    return _left(plan, noted.keys(), taken, purposes, shrunk)


def look(plan: DistilPlan, piece: int) -> Json:
    """For each key the first of a piece's histories that reach it, as [profile, index]."""
    noted: dict[str, list[Json]] = {}
    indices = plan.indices
    for number in range(piece, len(indices) * len(plan.profiles), plan.pieces):
        place, profile = divmod(number, len(plan.profiles))
        index = indices[place]
        for key in _keys(plan, profile, index):
            those = noted.setdefault(key, [])
            if len(those) < CARRIERS:
                those.append([profile, index])
    return {key: noted[key] for key in sorted(noted)}


def look_again(plan: DistilPlan, carriers: tuple[tuple[int, int], ...], piece: int) -> Json:
    """All that one noted history reaches, and its size."""
    profile, index = carriers[piece]
    history = system_named(plan.system).histories.to_json(plan.made(profile, index))
    return {
        "size": len(canonical_json(history)),
        "keys": [*sorted(_keys(plan, profile, index))],
    }


def shrink(plan: DistilPlan, work: tuple[tuple[int, int, Keys], ...], piece: int) -> Json:
    """One chosen history, shrunk while it reaches what it was chosen for; and all it reaches."""
    profile, index, purpose = work[piece]
    system = system_named(plan.system)
    shrunk = shrink_history(
        system.histories,
        plan.made(profile, index),
        lambda history: reaches(system, history, plan.readings, purpose),
        budget=plan.tries,
    )
    return {
        "history": system.histories.to_json(shrunk.history),
        "keys": [*sorted(plan.new_keys_of(shrunk.history))],
        "minimal": shrunk.minimal,
    }


def _keys(plan: DistilPlan, profile: int, index: int) -> Keys:
    try:
        return plan.new_keys_of(plan.made(profile, index))
    except Exception:  # noqa: BLE001 - a campaign counts it as a failure; here it shows nothing
        return frozenset()


def _merged(pieces: Iterable[Json]) -> dict[str, list[tuple[int, int]]]:
    """Key -> the first histories of all pieces that reach it, as (profile, index)."""
    noted: dict[str, list[tuple[int, int]]] = {}
    for piece in pieces:
        for key, those in _object(piece).items():
            noted.setdefault(key, []).extend((profile, index) for profile, index in those)
    first = {key: sorted(those, key=lambda each: each[::-1]) for key, those in noted.items()}
    return {key: those[:CARRIERS] for key, those in first.items()}


def _left(
    plan: DistilPlan,
    needed: Iterable[str],
    taken: tuple[Candidate, ...],
    purposes: dict[Candidate, Keys],
    shrunk: list[dict[str, Any]],
) -> tuple[Distilled, ...]:
    """What is kept in the end: shrunk histories may have come to reach each other's keys."""
    results = dict(zip(taken, shrunk, strict=True))
    small = {
        each: Candidate(len(canonical_json(results[each]["history"])), each.profile, each.index)
        for each in taken
    }
    reach = {small[each]: frozenset(results[each]["keys"]) for each in taken}
    kept = without_redundant([*reach], reach, frozenset(needed))
    missing = {key: None for each in taken if small[each] not in kept for key in purposes[each]}
    histories = system_named(plan.system).histories
    found: list[Distilled] = []
    for each in sorted(taken, key=lambda each: (each.profile, each.index)):
        if small[each] in kept:
            taken_over = [key for key in missing if key in reach[small[each]]]
            for key in taken_over:
                del missing[key]
            found.append(
                Distilled(
                    plan.profiles[each.profile],
                    each.index,
                    histories.to_json(histories.from_json(results[each]["history"])),
                    tuple(sorted({*purposes[each], *taken_over})),
                    results[each]["minimal"],
                )
            )
    return tuple(found)


def _object(value: Json) -> dict[str, Any]:
    assert isinstance(value, dict)
    return value
