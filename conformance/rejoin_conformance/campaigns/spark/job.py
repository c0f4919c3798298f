"""Spread a campaign's blocks over Spark, wave by wave; add up and keep what comes back.

The result depends neither on the partitioning nor on interruptions: blocks that were kept before
are read back, and what is missing is done.
"""

from __future__ import annotations

import os
import socket
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from functools import partial
from typing import TYPE_CHECKING, Final

from attrs import define, field

from rejoin_conformance.campaigns.adapter_block import block_examiner
from rejoin_conformance.campaigns.directory.rows import SCHEMA, FinishedBlock, batch_of, blocks_of
from rejoin_conformance.campaigns.directory.store import Store, StoreError
from rejoin_conformance.campaigns.plan import BLOCK_SIZE, Plan
from rejoin_conformance.campaigns.spark.session import cancel_all, cores_of, failures_in_one_line
from rejoin_conformance.campaigns.spark.watch import watched
from rejoin_conformance.campaigns.spark.waves import WAVES_IN_FLIGHT, Pace, Wave, gaps, next_wave
from rejoin_conformance.campaigns.summary import Summary
from rejoin_conformance.contract.system import ReportProgress

if TYPE_CHECKING:
    import pyarrow as pa
    from pyspark.sql import SparkSession

_LISTEN_SECONDS: Final = 0.2
"""How often the main thread looks up from waiting, so that it hears an interruption."""


def run_campaign(
    plan: Plan,
    session: SparkSession,
    progress: ReportProgress,
    partitions: int | None = None,
    store: Store | None = None,
) -> Summary:
    """Examine every block of the plan that the store does not have yet; keep each wave there.

    partitions: tasks a wave; by default enough that a task lasts a few seconds.
    progress: called with histories done and in all.
    store: holds blocks of this very plan, or none yet. Raises StoreError where it fails, and
        JobFailedError where Spark does.
    """
    run = _Run(plan, progress, store)
    run.add_kept()
    run.report()
    with ThreadPoolExecutor(WAVES_IN_FLIGHT) as pool:
        try:
            for gap in list(gaps(run.summary.finished)):
                rest = gap
                while rest:
                    wave = next_wave(rest, run.pace, cores_of(session), partitions)
                    rest = rest[wave.blocks :]
                    run.waiting[pool.submit(_examine_wave, session, plan, wave, run.heard)] = wave
                    if len(run.waiting) == WAVES_IN_FLIGHT:
                        run.take_in()
            while run.waiting:
                run.take_in()
        except BaseException:
            cancel_all(session)
            raise
    return run.summary


@define
class _Run:
    """A campaign under way, as the driver's main thread knows it.

    underway: first block of a wave in flight -> about how many of its blocks are finished.
    """

    plan: Plan
    progress: ReportProgress
    store: Store | None
    summary: Summary = field(init=False)
    pace: Pace = field(factory=Pace)
    waiting: dict[Future[pa.Table], Wave] = field(factory=dict)
    underway: dict[int, int] = field(factory=dict)
    lock: threading.Lock = field(factory=threading.Lock)

    def __attrs_post_init__(self) -> None:
        self.summary = Summary(self.plan)

    def add(self, blocks: Iterable[FinishedBlock]) -> None:
        """Add finished blocks to the summary."""
        for block in blocks:
            self.summary.add(block.result)
            self.pace.add(block.micros)

    def add_kept(self) -> None:
        """Add what the store has."""
        if self.store is None:
            return
        for blocks in self.store.waves():
            try:
                self.add(blocks)
            except ValueError as error:
                raise StoreError(
                    f"the blocks that are kept are not those of one campaign: {error}"
                ) from None

    def take_in(self) -> None:
        """Wait for the next wave that ends; keep it, and add it up."""
        ended: set[Future[pa.Table]] = set()
        while not ended:
            ended, _ = wait(self.waiting, _LISTEN_SECONDS, FIRST_COMPLETED)
        for future in ended:
            wave = self.waiting.pop(future)
            table = future.result()
            if self.store is not None:
                self.store.keep(wave.first, wave.last, table)
            with self.lock:
                self.underway.pop(wave.first, None)
            self.add(blocks_of(table.to_batches()))
            self.report()

    def heard(self, wave: Wave, tasks: int) -> None:
        """A watcher's word on how many of a wave's tasks are finished."""
        with self.lock:
            self.underway[wave.first] = min(tasks, wave.tasks) * wave.blocks // wave.tasks
        self.report()

    def report(self) -> None:
        """Tell the progress how far things are."""
        with self.lock:
            done = self.summary.histories + BLOCK_SIZE * sum(self.underway.values())
            self.progress(min(done, self.plan.histories), self.plan.histories, "")


def _examine_wave(
    session: SparkSession, plan: Plan, wave: Wave, heard: Callable[[Wave, int], None]
) -> pa.Table:
    """One Spark job: the rows of a wave's blocks."""
    frame = session.range(wave.first, wave.last + 1, 1, wave.tasks)
    rows = frame.mapInArrow(partial(_examine_batches, plan), SCHEMA)
    with (
        failures_in_one_line(f"the blocks {wave.first} to {wave.last}"),
        watched(session, f"rejoin {plan.system} {wave.first}", partial(heard, wave)),
    ):
        return rows.toArrow()


def _examine_batches(plan: Plan, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """What a task does: one Arrow batch out for each block number that comes in."""
    worker = f"{socket.gethostname()}:{os.getpid()}"
    with block_examiner(plan) as examine:
        for batch in batches:
            for block in batch.column(0).to_pylist():
                began, start = time.time_ns() // 1000, time.monotonic_ns()
                result = examine(block)
                micros = (time.monotonic_ns() - start) // 1000  # a clock may be set back
                yield batch_of([FinishedBlock(result, began, micros, worker)])
