"""Run a campaign: examine its blocks, add up the results and keep them.

The result depends neither on the place of the work nor on interruptions: the campaign reads kept
blocks back, and examines only the missing ones.
"""

from __future__ import annotations

from rejoin_conformance.campaigns.block import AGREES
from rejoin_conformance.campaigns.in_child import Watch
from rejoin_conformance.campaigns.kept.campaign import add_kept
from rejoin_conformance.campaigns.kept.store import Store
from rejoin_conformance.campaigns.plan import Plan
from rejoin_conformance.campaigns.summary import Summary
from rejoin_conformance.campaigns.workplace import Workplace


def run_campaign(
    plan: Plan,
    place: Workplace,
    store: Store | None = None,
    watch: Watch | None = None,
    *,
    retry: bool = False,
) -> Summary:
    """Examine every block of the plan that is not in the store, keep it, and return the summary.

    The place's progress receives the number of histories done and their total. store: holds blocks
    of this plan, or none yet. retry: do the blocks again that have histories in quarantine. watch:
    told of each new difference of an adapter, and of the progress in the current block, if the
    place is this process. Raises StoreError if the store fails, and JobFailedError if Spark fails.
    """
    summary = Summary(plan)

    def report() -> None:
        done = summary.histories
        if watch is not None:
            done += watch.examined
        place.progress(min(done, plan.histories), plan.histories, "")

    if store is not None:
        add_kept(summary, store, quarantined=not retry)
    if watch is not None:
        watch.tick = report
        _tell(watch, summary)
    report()
    for blocks in place.examined(plan, [*summary.missing()], store, watch):
        for block, tables in blocks:
            summary.add(block, tables)
        if watch is not None:
            watch.examined = 0
            _tell(watch, summary)
        report()
    return summary


def _tell(watch: Watch, summary: Summary) -> None:
    """Tell of the kinds of difference so far."""
    for each in summary.found():
        if each.law == AGREES.name:
            watch.saw(each.reading, each.kind, each.detail)
