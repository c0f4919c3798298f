"""Run a campaign: examine its blocks, add up the results and keep them.

The result depends neither on the place of the work nor on interruptions: the campaign reads kept
blocks back, and examines only the missing ones.
"""

from __future__ import annotations

import os
import socket
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from functools import partial
from operator import attrgetter

from attrs import define

from rejoin_conformance.campaigns.block import AGREES, BlockResult, examine_block
from rejoin_conformance.campaigns.directory.rows import SCHEMA, FinishedBlock, batch_of, blocks_of
from rejoin_conformance.campaigns.directory.store import Store, StoreError
from rejoin_conformance.campaigns.plan import BLOCK_SIZE, Plan
from rejoin_conformance.campaigns.summary import Summary
from rejoin_conformance.campaigns.watch import Watch
from rejoin_conformance.contract.spread import ReportProgress, Spread, Stream


def run_campaign(
    plan: Plan,
    spread: Spread,
    store: Store | None = None,
    watch: Watch | None = None,
    *,
    here: bool = False,
) -> Summary:
    """Examine every block of the plan that is not in the store, keep it, and return the summary.

    The spread's progress receives the number of histories done and their total. store: holds blocks
    of this plan, or none yet. watch: told of each new difference of an adapter, and of each history
    if the spread works in this process (`here`). Raises StoreError if the store fails, and
    JobFailedError if Spark fails.
    """
    run = _Run(Summary(plan), spread.progress, watch)
    if watch is not None:
        watch.tick = run.tick
    for kept in () if store is None else store.waves():
        try:
            run.add(kept)
        except ValueError as error:
            raise StoreError(
                f"the kept blocks do not belong to one campaign: {error}; choose another directory"
            ) from None
    run.report(0)
    work = Stream(
        begin=partial(_examiner, plan, watch if here else None),
        columns=SCHEMA,
        to_batch=batch_of,
        from_batches=blocks_of,
        micros=attrgetter("micros"),
    )
    for blocks in spread.stream(work, list(run.summary.missing()), run.report):
        if store is not None:
            store.keep(blocks)
        run.add(blocks)
        run.report(0)
    return run.summary


@define
class _Run:
    """A campaign in progress."""

    summary: Summary
    progress: ReportProgress
    watch: Watch | None

    def tick(self) -> None:
        """Report the progress within a block."""
        self.report(0)

    def add(self, blocks: Iterable[FinishedBlock]) -> None:
        """Add finished blocks to the summary."""
        for block in blocks:
            self.summary.add(block.result)
            if self.watch is not None:
                self.watch.examined = 0
                for each in block.result.examples:
                    if each.violation.law == AGREES.name:
                        violation = each.violation
                        self.watch.saw(each.reading, violation.kind, violation.detail)

    def report(self, underway: int) -> None:
        """Report the progress. underway: the number of finished blocks that are not added yet."""
        histories = self.summary.plan.histories
        done = self.summary.histories + BLOCK_SIZE * underway
        if self.watch is not None:
            done += self.watch.examined // len(self.summary.plan.readings)
        self.progress(min(done, histories), histories, "")


def _block_examiner(
    plan: Plan, watch: Watch | None
) -> AbstractContextManager[Callable[[int], BlockResult]]:
    """Return a function that examines blocks of the plan, with what it needs."""
    if plan.adapter is None and plan.rule is None:
        return nullcontext(partial(examine_block, plan))
    from rejoin_conformance.campaigns.adapter_block import block_examiner  # noqa: PLC0415 - slow

    return block_examiner(plan, watch)


@contextmanager
def _examiner(plan: Plan, watch: Watch | None) -> Iterator[Callable[[int], FinishedBlock]]:
    """Yield a function that examines a block of the plan and measures its time."""
    worker = f"{socket.gethostname()}:{os.getpid()}"
    with _block_examiner(plan, watch) as examine:

        def finished(block: int) -> FinishedBlock:
            began, start = time.time_ns() // 1000, time.monotonic_ns()
            result = examine(block)
            micros = (time.monotonic_ns() - start) // 1000  # the wall clock can be set back
            return FinishedBlock(result, began, micros, worker)

        yield finished
