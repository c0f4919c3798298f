"""Spread a campaign's blocks over Spark, and add up what comes back.

A wave is one Spark job over some thousands of blocks: large enough that waiting for its last task
costs nothing worth mentioning, small enough that the driver's memory stays flat.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import partial
from typing import TYPE_CHECKING, Final

from rejoin_conformance.campaign.block import examine_block
from rejoin_conformance.campaign.plan import BLOCK_SIZE, Plan
from rejoin_conformance.campaign.rows import SCHEMA, results_of, rows_of
from rejoin_conformance.campaign.summary import Summary
from rejoin_conformance.campaign.watch import watched
from rejoin_conformance.system import ReportProgress

if TYPE_CHECKING:
    import pyarrow as pa
    from pyspark.sql import SparkSession

WAVE: Final = 4000
BLOCKS_A_TASK: Final = 4
TASKS_A_CORE: Final = 4


def run_campaign(
    plan: Plan,
    session: SparkSession,
    progress: ReportProgress,
    partitions: int | None = None,
) -> Summary:
    """Examine every block of the plan; the summary is the same for any number of partitions.

    partitions: tasks a wave; by default enough that a task lasts a few seconds.
    progress: called with histories done and in all.
    """
    summary = Summary(plan)
    for start in range(0, plan.blocks, WAVE):
        blocks = min(WAVE, plan.blocks - start)
        tasks = partitions or default_partitions(blocks, session.sparkContext.defaultParallelism)
        frame = session.range(start, start + blocks, 1, tasks)
        rows = frame.mapInArrow(partial(_examine_batches, plan), SCHEMA)
        report = partial(_report_tasks, progress, plan, start, blocks / tasks)
        with watched(session, f"rejoin {plan.system} {start}", report):
            collected = rows.collect()
        for result in results_of((row[0], row[1], row[2], row[3]) for row in collected):
            summary.add(result)
        progress(summary.histories, plan.histories, "")
    return summary


def default_partitions(blocks: int, cores: int) -> int:
    """Tasks of a few blocks each, but at least some for every core, and none empty."""
    return min(blocks, max(TASKS_A_CORE * cores, blocks // BLOCKS_A_TASK))


def _report_tasks(
    progress: ReportProgress, plan: Plan, start: int, blocks_a_task: float, tasks: int
) -> None:
    done = (start + round(tasks * blocks_a_task)) * BLOCK_SIZE
    progress(min(done, plan.histories), plan.histories, "")


def _examine_batches(plan: Plan, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """What a task does: one Arrow batch out for each block number that comes in."""
    import pyarrow as pa  # noqa: PLC0415 - a worker's import

    for batch in batches:
        for block in batch.column(0).to_pylist():
            columns = list(zip(*rows_of(examine_block(plan, block)), strict=True))
            yield pa.RecordBatch.from_arrays(
                [
                    pa.array(columns[0], pa.int64()),
                    pa.array(columns[1], pa.string()),
                    pa.array(columns[2], pa.int64()),
                    pa.array(columns[3], pa.string()),
                ],
                names=["block", "kind", "index", "payload"],
            )
