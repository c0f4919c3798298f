"""Distil campaigns in three steps, each spread in pieces: look, choose, shrink.

1. Each piece runs a part of the histories, and records for each key the first few histories that
   cover it. Memory therefore depends on the number of keys, not on the number of histories. Of a
   kept campaign, only some blocks run again (`kept_campaign`).
2. The recorded histories run again, and a small set is chosen that covers every key.
3. Each chosen history is shrunk as long as it covers the keys that it was chosen for.

Every step is a pure function of the plan, so the result does not depend on where the pieces run.
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
from rejoin_conformance.campaigns.distilling.coverage_keys import covers, keys_of
from rejoin_conformance.contract.history import history_seed
from rejoin_conformance.contract.registry import system_named
from rejoin_conformance.contract.spread import Spread
from rejoin_conformance.kit.json_types import Json, JsonObject, canonical_json
from rejoin_conformance.shrinking.histories import shrink_history

CARRIERS: Final = 6
"""The number of histories to record for each key: the first ones."""

PIECES: Final = 256
"""The maximum number of pieces. Each piece returns one record for each key."""

DEFAULT_TRIES: Final = 4000

_PIECE: Final = 50


@frozen(kw_only=True)
class DistilPlan:
    """The histories 0 .. histories - 1 of each profile, run under each of the readings.

    switched: further readings; differences from the first reading are also covered.
    tries: the maximum number of smaller histories to try for each one that is kept.
    only: the ranges of histories to run; empty means all.
    known: keys that need no history.
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
        """Return the indices of the histories to run of each profile."""
        return [*chain(*self.only)] if self.only else range(self.histories)

    @property
    def pieces(self) -> int:
        """Return the number of pieces of the histories of all profiles."""
        return min(PIECES, -(-len(self.indices) * len(self.profiles) // _PIECE))

    def made(self, profile: int, index: int) -> Any:
        """Return one of the histories."""
        name = self.profiles[profile]
        seed = history_seed(self.seed, self.system, name, index)
        return system_named(self.system).histories.generate(name, seed)

    def keys_of(self, history: Any) -> Keys:
        """Return the coverage keys of a history."""
        return keys_of(system_named(self.system), history, self.readings, self.switched)

    def new_keys_of(self, history: Any) -> Keys:
        """Return the coverage keys of a history that are not known."""
        return self.keys_of(history) - self.known


@frozen
class Distilled:
    """One history of a distilled set.

    reaches: the keys that it is kept for; it can cover more. minimal: whether the shrinking
    finished within the tries.
    """

    profile: str
    index: int
    history: JsonObject
    reaches: tuple[str, ...]
    minimal: bool


def distil(plan: DistilPlan, spread: Spread) -> tuple[Distilled, ...]:
    """Return the distilled set of the plan's histories, in the order of profile and index.

    A history that raises an exception covers nothing.
    """
    noted = _merged(spread.pieces(partial(look, plan), plan.pieces, "look"))
    carriers = sorted({carrier for carriers in noted.values() for carrier in carriers})
    looked = spread.pieces(partial(look_again, plan, tuple(carriers)), len(carriers), "choose")
    keys = {
        Candidate(int(each["size"]), profile, index): frozenset(each["keys"])
        for (profile, index), each in zip(carriers, map(_object, looked), strict=True)
    }
    taken = chosen(keys)
    purposes = shared_out(taken, keys)
    work = tuple((each.profile, each.index, purposes[each]) for each in taken)
    shrunk = [
        _object(each) for each in spread.pieces(partial(shrink, plan, work), len(work), "shrink")
    ]
    return _left(plan, noted.keys(), taken, purposes, shrunk)


def look(plan: DistilPlan, piece: int) -> Json:
    """Return for each key the first histories of a piece that cover it, as [profile, index]."""
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
    """Return the keys of one recorded history, and its size."""
    profile, index = carriers[piece]
    history = system_named(plan.system).histories.to_json(plan.made(profile, index))
    return {
        "size": len(canonical_json(history)),
        "keys": [*sorted(_keys(plan, profile, index))],
    }


def shrink(plan: DistilPlan, work: tuple[tuple[int, int, Keys], ...], piece: int) -> Json:
    """Shrink one chosen history as long as it covers its purpose. Return it with all its keys."""
    profile, index, purpose = work[piece]
    system = system_named(plan.system)
    shrunk = shrink_history(
        system.histories,
        plan.made(profile, index),
        lambda history: covers(system, history, plan.readings, purpose),
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
    except Exception:  # noqa: BLE001 - a campaign reports it as a failure
        return frozenset()


def _merged(pieces: Iterable[Json]) -> dict[str, list[tuple[int, int]]]:
    """Return key -> the first histories of all pieces that cover it, as (profile, index)."""
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
    """Return the histories to keep: a shrunk history can cover another one's keys."""
    results = dict(zip(taken, shrunk, strict=True))
    small = {
        each: Candidate(len(canonical_json(results[each]["history"])), each.profile, each.index)
        for each in taken
    }
    keys = {small[each]: frozenset(results[each]["keys"]) for each in taken}
    kept = without_redundant([*keys], keys, frozenset(needed))
    missing = {key: None for each in taken if small[each] not in kept for key in purposes[each]}
    histories = system_named(plan.system).histories
    found: list[Distilled] = []
    for each in sorted(taken, key=lambda each: (each.profile, each.index)):
        if small[each] in kept:
            taken_over = [key for key in missing if key in keys[small[each]]]
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
