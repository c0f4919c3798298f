"""Measure the coverage of the profiles of a system.

The coverage of a profile consists of the coverage keys of its histories: shapes, clauses decided
and kinds of events. The baseline is the profile `uniform`, which draws events of any kind one by
one.
"""

from __future__ import annotations

from functools import partial
from typing import Any, Final

from attrs import field, frozen, validators

from rejoin_conformance.contract.history import history_seed
from rejoin_conformance.contract.registry import system_named
from rejoin_conformance.contract.spread import Spread
from rejoin_conformance.kit.json_types import Json, JsonObject

UNIFORM: Final = "uniform"
OFTENER: Final = 5
"""The report lists a key that a profile covers at least this many times as often as `uniform`."""

BLOCK_SIZE: Final = 25


@frozen(kw_only=True)
class CoveragePlan:
    """The first `histories` histories of each profile under one reading."""

    system: str
    profiles: tuple[str, ...]
    reading: str
    seed: int = 1
    histories: int = field(default=1000, validator=validators.ge(1))

    @property
    def blocks_a_profile(self) -> int:
        """Return the number of blocks of one profile."""
        return -(-self.histories // BLOCK_SIZE)


def profile_coverage(plan: CoveragePlan, spread: Spread) -> JsonObject:
    """Return the coverage of each profile as data. It does not depend on where the work runs.

    `profiles`: profile -> `events`, the number of events in all its histories; `crashed`, the
    number of histories that could not be examined; and `reached`: key -> the number of `histories`
    with this key, and the index of the `first` one. `beyond`: profile -> the keys that `uniform`
    does not cover. `oftener`: profile -> the keys that both cover, but the profile in at least
    `OFTENER` times as many histories. The last two are missing if `uniform` was not measured.
    """
    pieces = spread.pieces(
        partial(block_coverage, plan),
        plan.blocks_a_profile * len(plan.profiles),
        "blocks of histories",
    )
    profiles: dict[str, Any] = {
        profile: {"events": 0, "crashed": 0, "reached": {}} for profile in plan.profiles
    }
    for number, piece in enumerate(pieces):
        _add(profiles[plan.profiles[number // plan.blocks_a_profile]], piece)
    for each in profiles.values():
        each["reached"] = dict(sorted(each["reached"].items()))
    report: JsonObject = {
        "system": plan.system,
        "reading": plan.reading,
        "seed": plan.seed,
        "histories": plan.histories,
        "profiles": profiles,
    }
    if UNIFORM in profiles:
        known = profiles[UNIFORM]["reached"]
        guided = {name: each["reached"] for name, each in profiles.items() if name != UNIFORM}
        report["beyond"] = {
            name: [what for what in found if what not in known] for name, found in guided.items()
        }
        report["oftener"] = {
            name: [
                what
                for what, each in found.items()
                if what in known and each["histories"] >= OFTENER * known[what]["histories"]
            ]
            for name, found in guided.items()
        }
    return report


def block_coverage(plan: CoveragePlan, number: int) -> Json:
    """Return the coverage of one block of one profile."""
    system = system_named(plan.system)
    profile = plan.profiles[number // plan.blocks_a_profile]
    start = number % plan.blocks_a_profile * BLOCK_SIZE
    found: dict[str, list[Json]] = {}
    events = crashed = 0
    for index in range(start, min(start + BLOCK_SIZE, plan.histories)):
        seed = history_seed(plan.seed, plan.system, profile, index)
        history = system.histories.generate(profile, seed)
        listed = system.histories.to_json(history).get("events")
        events += len(listed) if isinstance(listed, list) else 0
        try:
            coverage = system.histories.examine(history, plan.reading).coverage
        except Exception:  # noqa: BLE001 - continue with the other histories
            crashed += 1
            continue
        for what, count in coverage.items():
            if count:
                known = found.get(what)
                found[what] = [1, index] if known is None else [_count(known) + 1, known[1]]
    return {"events": events, "crashed": crashed, "reached": dict(sorted(found.items()))}


def _count(known: list[Json]) -> int:
    count = known[0]
    assert isinstance(count, int)
    return count


def _add(profile: dict[str, Any], piece: Any) -> None:
    """Add a block to a profile. Blocks come in order, so `first` stays correct."""
    profile["events"] += piece["events"]
    profile["crashed"] += piece["crashed"]
    for what, (count, first) in piece["reached"].items():
        known = profile["reached"].setdefault(what, {"histories": 0, "first": first})
        known["histories"] += count
