"""Measure the coverage of the profiles of a system: one campaign of each.

The coverage of a profile consists of the coverage keys of its histories: shapes, clauses decided
and kinds of events. The baseline is the profile `uniform`, which draws events of any kind one by
one.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from typing import Any, Final

from attrs import evolve

from rejoin_conformance.campaigns.block import NO_CRASH
from rejoin_conformance.campaigns.plan import Plan
from rejoin_conformance.campaigns.run_campaign import run_campaign
from rejoin_conformance.campaigns.workplace import Workplace
from rejoin_conformance.contract.registry import system_named
from rejoin_conformance.kit.json_types import JsonObject

UNIFORM: Final = "uniform"
OFTENER: Final = 5
"""The report lists a key that a profile covers at least this many times as often as `uniform`."""


def profile_coverage(plan: Plan, profiles: Iterable[str], place: Workplace) -> JsonObject:
    """Return the coverage of each profile as data. It does not depend on where the work runs.

    plan: a campaign that checks laws under one reading; its profile does not matter.

    `profiles`: profile -> `events`, the number of events in all its histories; `crashed`, the
    number of histories that could not be examined; and `reached`: key -> the number of histories
    with this key. `beyond`: profile -> the keys that `uniform` does not cover. `oftener`: profile
    -> the keys that both cover, but the profile in at least `OFTENER` times as many histories. The
    last two are missing if `uniform` was not measured.
    """
    measured: dict[str, Any] = {
        name: _coverage(evolve(plan, profile=name), place) for name in profiles
    }
    report: JsonObject = {
        "system": plan.system,
        "reading": plan.readings[0],
        "seed": plan.seed,
        "histories": plan.histories,
        "profiles": {**measured},
    }
    if UNIFORM in measured:
        known = measured[UNIFORM]["reached"]
        guided = {name: each["reached"] for name, each in measured.items() if name != UNIFORM}
        report["beyond"] = {
            name: [key for key in found if key not in known] for name, found in guided.items()
        }
        report["oftener"] = {
            name: [key for key in found if found[key] >= OFTENER * known.get(key, found[key])]
            for name, found in guided.items()
        }
    return report


def _coverage(plan: Plan, place: Workplace) -> dict[str, Any]:
    """Return the coverage of one profile."""
    summary, reading = run_campaign(plan, place), plan.readings[0]
    events: list[Any] = place.pieces(partial(_events, plan), plan.blocks, "counting events")
    return {
        "events": sum(events),
        "crashed": summary.violations(reading, NO_CRASH.name),
        "reached": dict(sorted(summary.counts(reading, "cases").items())),
    }


def _events(plan: Plan, block: int) -> int:
    """Return the number of events in the histories of a block."""
    to_json = system_named(plan.system).histories.to_json
    listed = (to_json(plan.history(index)).get("events") for index in plan.indices(block))
    return sum(len(each) for each in listed if isinstance(each, list))
