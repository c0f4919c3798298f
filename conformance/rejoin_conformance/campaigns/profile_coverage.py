"""Measure the coverage of profiles of a system: one campaign of each.

The coverage of a profile consists of the coverage keys of its histories: shapes, clauses decided
and kinds of events.
"""

from __future__ import annotations

from collections.abc import Iterable

from attrs import evolve

from rejoin_conformance.campaigns.block import NO_CRASH
from rejoin_conformance.campaigns.plan import Plan
from rejoin_conformance.campaigns.run_campaign import run_campaign
from rejoin_conformance.campaigns.workplace import Workplace
from rejoin_conformance.kit.json_types import JsonObject


def profile_coverage(plan: Plan, profiles: Iterable[str], place: Workplace) -> JsonObject:
    """Return the coverage of each profile as data. It does not depend on where the work runs.

    plan: a campaign that checks laws under one reading; its profile does not matter.

    `profiles`: profile -> `crashed`, the number of histories that could not be examined, and
    `reached`: key -> the number of histories with this key.
    """
    (reading,) = plan.readings
    measured: JsonObject = {}
    for name in profiles:
        summary = run_campaign(evolve(plan, profile=name), place)
        measured[name] = {
            "crashed": summary.violations(reading, NO_CRASH.name),
            "reached": dict(sorted(summary.counts(reading, "cases").items())),
        }
    return {
        "system": plan.system,
        "reading": reading,
        "seed": plan.seed,
        "histories": plan.histories,
        "profiles": measured,
    }
