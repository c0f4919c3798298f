"""Run a campaign: examine its blocks, add up the results and keep them.

The result depends neither on the place of the work nor on interruptions: the campaign reads kept
blocks back, and examines only the missing ones.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial

from attrs import evolve

from rejoin_conformance.campaigns.adapter_block import examiner
from rejoin_conformance.campaigns.block import AGREES, NO_CRASH
from rejoin_conformance.campaigns.kept.campaign import add_kept
from rejoin_conformance.campaigns.plan import Plan
from rejoin_conformance.campaigns.summary import Found, Summary
from rejoin_conformance.campaigns.workplace import Workplace
from rejoin_conformance.kit.json_types import JsonObject


def run_campaign(
    plan: Plan,
    place: Workplace,
    differs: Callable[[Found], object] = bool,
    began: Callable[[Summary], object] = bool,
    *,
    retry: bool = False,
) -> Summary:
    """Examine every block of the plan that the place does not keep, and return the summary.

    The place's progress receives the number of histories done and their total. differs: called
    with each kind of difference of an adapter when a block with it is finished. began: called with
    the summary, which then grows. retry: do the blocks again that have histories in quarantine.
    Raises StoreError if the store fails, and JobFailedError if Spark fails.
    """
    summary = Summary(plan)
    began(summary)
    seen: set[tuple[str, str, str]] = set()

    def report(begun: int = 0, quarantined: int = 0) -> None:
        what = f"{quarantined} quarantined in this block" if quarantined else ""
        place.progress(min(summary.histories + begun, plan.histories), plan.histories, what)

    def report_added() -> None:
        for each in summary.found():
            if each.law == AGREES.name and each.name not in seen:
                seen.add(each.name)
                differs(each)
        report()

    if place.kept is not None:
        add_kept(summary, place.kept, quarantined=not retry)
    report_added()
    opens = partial(examiner, plan, kept=place.kept is not None)
    for blocks in place.examined(opens, [*summary.missing()], report):
        for block, tables in blocks:
            summary.add(block, tables)
        report_added()
    return summary


def profile_coverage(plan: Plan, profiles: Iterable[str], place: Workplace) -> JsonObject:
    """Run one campaign of each profile. Return their coverage keys as data.

    plan: a campaign that checks laws under one reading; its profile does not matter. The coverage
    keys are the shapes, the clauses decided and the kinds of events of the histories.

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
