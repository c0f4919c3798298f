"""Spread numbered pieces of work over Spark, and bring back what each of them says.

For work that is no campaign, such as an exhaustive check. A piece's result depends on nothing but
its number, so the list of all results does not depend on the partitioning.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import TYPE_CHECKING, Final, TypeAlias

from rejoin_conformance.campaigns.spark.session import cores_of, failures_in_one_line
from rejoin_conformance.campaigns.spark.watch import watched
from rejoin_conformance.contract.system import ReportProgress
from rejoin_conformance.kit.json_types import Json, canonical_json, strict_json

if TYPE_CHECKING:
    import pyarrow as pa
    from pyspark.sql import SparkSession

Spread: TypeAlias = Callable[[Callable[[int], Json], int, str], list[Json]]
"""(work, pieces, what is done) -> work(0) .. work(pieces - 1), wherever they are carried out."""

TASKS_A_CORE: Final = 8
_SCHEMA: Final = "piece long, result string"


def spread(
    session: SparkSession,
    work: Callable[[int], Json],
    pieces: int,
    progress: ReportProgress,
    what: str,
    tasks: int | None = None,
) -> list[Json]:
    """work(0) .. work(pieces - 1), in this order.

    work: a pure function that can be pickled. what: tells the progress what is being done.
    tasks: how many the pieces are dealt out to; by default some for every core. Raises
    JobFailedError where Spark, or the work, fails.
    """
    if pieces == 0:
        return []
    count = min(pieces, tasks or TASKS_A_CORE * cores_of(session))
    frame = session.range(0, count, 1, count)
    rows = frame.mapInArrow(partial(_deal, work, pieces, count), _SCHEMA)
    progress(0, count, what)
    with (
        failures_in_one_line(what),
        watched(session, f"rejoin {what}", lambda done: progress(min(done, count), count, what)),
    ):
        collected = rows.collect()
    progress(count, count, what)
    results = {row[0]: strict_json(row[1]) for row in collected}
    return [results[piece] for piece in range(pieces)]


def _deal(
    work: Callable[[int], Json], pieces: int, tasks: int, batches: Iterable[pa.RecordBatch]
) -> Iterator[pa.RecordBatch]:
    """What a task does: every piece that is dealt to it, since neighbours may cost alike."""
    import pyarrow as pa  # noqa: PLC0415 - a worker's import

    for batch in batches:
        for task in batch.column(0).to_pylist():
            dealt = range(task, pieces, tasks)
            yield pa.RecordBatch.from_arrays(
                [
                    pa.array(dealt, pa.int64()),
                    pa.array([canonical_json(work(piece)) for piece in dealt], pa.string()),
                ],
                names=["piece", "result"],
            )
