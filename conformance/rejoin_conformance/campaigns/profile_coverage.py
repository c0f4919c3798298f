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
from rejoin_conformance.kit.tree import Tree, add

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
    work = partial(block_coverage, plan)
    count = plan.blocks_a_profile * len(plan.profiles)
    pieces: list[Any] = spread.pieces(work, count, "blocks of histories")
    totals: dict[str, Tree] = {profile: {} for profile in plan.profiles}
    for number, piece in enumerate(pieces):
        add(totals[plan.profiles[number // plan.blocks_a_profile]], piece)
    profiles: Any = {profile: _reported(total) for profile, total in totals.items()}
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
    """Return the coverage of one block of one profile. The coverage of blocks adds up."""
    system = system_named(plan.system)
    profile = plan.profiles[number // plan.blocks_a_profile]
    start = number % plan.blocks_a_profile * BLOCK_SIZE
    found: Tree = {"events": 0, "crashed": 0, "reached": {}}
    for index in range(start, min(start + BLOCK_SIZE, plan.histories)):
        seed = history_seed(plan.seed, plan.system, profile, index)
        history = system.histories.generate(profile, seed)
        listed = system.histories.to_json(history).get("events")
        found["events"] += len(listed) if isinstance(listed, list) else 0
        try:
            coverage = system.histories.examine(history, plan.reading).coverage
        except Exception:  # noqa: BLE001 - continue with the other histories
            found["crashed"] += 1
            continue
        reached = {"histories": 1, "examples": [{"index": index}]}
        add(found["reached"], {what: reached for what, count in coverage.items() if count})
    return found


def _reported(total: Tree) -> Tree:
    """Return the coverage of a profile as the report has it, its keys in order."""
    reached = {
        what: {"histories": each["histories"], "first": each["examples"][0]["index"]}
        for what, each in sorted(total["reached"].items())
    }
    return {**total, "reached": reached}
