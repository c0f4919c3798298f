"""Run a campaign: examine its blocks, add up the results and keep them.

The result depends neither on the place of the work nor on interruptions: the campaign reads kept
blocks back, and examines only the missing ones.
"""

from __future__ import annotations

from functools import partial

from rejoin_conformance.campaigns.block import AGREES
from rejoin_conformance.campaigns.in_child import examiner
from rejoin_conformance.campaigns.in_process import InProcess
from rejoin_conformance.campaigns.kept.campaign import add_kept
from rejoin_conformance.campaigns.kept.store import Store
from rejoin_conformance.campaigns.plan import BLOCK_SIZE, Plan
from rejoin_conformance.campaigns.summary import Summary
from rejoin_conformance.campaigns.watch import Watch
from rejoin_conformance.contract.spread import Spread
from rejoin_conformance.kit.codec import plain
from rejoin_conformance.kit.tree import Tree


def run_campaign(
    plan: Plan,
    spread: Spread,
    store: Store | None = None,
    watch: Watch | None = None,
) -> Summary:
    """Examine every block of the plan that is not in the store, keep it, and return the summary.

    The spread's progress receives the number of histories done and their total. store: holds blocks
    of this plan, or none yet. watch: told of each new difference of an adapter, and of the progress
    in the current block, if the spread works in this process. Raises StoreError if the store fails,
    and JobFailedError if Spark fails.
    """
    summary = Summary(plan)

    def report(underway: int) -> None:
        done = summary.histories + BLOCK_SIZE * underway
        if watch is not None:
            done += watch.examined
        spread.progress(min(done, plan.histories), plan.histories, "")

    if store is not None:
        add_kept(summary, store, "the directory")
    if watch is not None:
        watch.tick = partial(report, 0)
        _tell(watch, summary.total)
    report(0)
    here = isinstance(spread, InProcess)
    work = partial(examiner, plan, watch if here else None, here=here)
    for results in spread.stream(work, list(summary.missing()), report):
        if store is not None:
            store.add([plain(each) for each in results])
        for result in results:
            summary.add(result)
            if watch is not None:
                watch.examined = 0
                _tell(watch, summary.total)
        report(0)
    return summary


def _tell(watch: Watch, counts: Tree) -> None:
    """Tell of the kinds of difference in the counts of some blocks."""
    for reading, of_reading in counts["readings"].items():
        for name, (first, *_) in of_reading["examples"].items():
            law, _, kind = name.partition(" ")
            if law == AGREES.name:
                watch.saw(reading, kind, first["detail"])
