"""Run work on Spark.

The results do not depend on the partitioning: a piece depends only on its number, and the rows of a
search are grouped by their keys.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING, Final

from attrs import field, frozen

from rejoin_conformance.campaigns.pieces import gathered
from rejoin_conformance.campaigns.spark.failures import failures_in_one_line
from rejoin_conformance.campaigns.spark.session import (
    Cluster,
    cores_of,
    place_of,
    spark_session,
)
from rejoin_conformance.campaigns.spark.stream import stream_waves
from rejoin_conformance.contract.spread import ReportProgress, Result, Row, SearchRows, Work
from rejoin_conformance.kit.json_types import Json

if TYPE_CHECKING:
    import pyarrow as pa
    from pyspark.sql import DataFrame, SparkSession

PARTITIONS_A_CORE: Final = 4
_ROW: Final = "key binary, value binary"
_BATCH: Final = 10_000


@frozen
class OnSpark:
    """A Spark session as a `Spread`.

    tasks: the number of tasks; None for some tasks for each core. The results do not depend on it.
    """

    session: SparkSession
    progress: ReportProgress
    tasks: int | None = None
    place: str = field(default="on Spark", kw_only=True)

    def pieces(self, work: Callable[[int], Json], count: int, activity: str) -> list[Json]:
        """Return work(0) .. work(count - 1), in this order.

        Raises JobFailedError if Spark, or the work, fails.
        """
        return gathered(self, work, count, activity)

    def rounds(
        self, work: SearchRows, first: Sequence[tuple[bytes, bytes]], count: int
    ) -> Iterator[list[bytes]]:
        """Run rounds of a search; yield the messages of each round when the round ends.

        Raises JobFailedError if Spark, or the work, fails.
        """
        partitions = self.tasks or PARTITIONS_A_CORE * cores_of(self.session)
        frame = held = self.session.createDataFrame([tuple(row) for row in first], _ROW)
        for number in range(count):
            after = _searched(frame, work, partitions).persist()
            with failures_in_one_line(f"round {number + 1} of {count}"):
                messages = after.filter("key is null").select("value").collect()
            held.unpersist()
            yield [bytes(row[0]) for row in messages]
            held, frame = after, after.filter("key is not null")
        held.unpersist()

    def stream(
        self, work: Work, missing: Iterable[range], heard: Callable[[int], None]
    ) -> Iterator[tuple[Result, ...]]:
        """Yield the results for all missing numbers, wave by wave.

        Raises JobFailedError if Spark, or the work, fails.
        """
        return stream_waves(self.session, work, missing, heard, self.tasks)


@contextmanager
def on_spark(
    cluster: Cluster, progress: ReportProgress, tasks: int | None = None
) -> Iterator[OnSpark]:
    """Start a session on the cluster, which ends with the block.

    Raises NoSparkError or NoJavaError, each one line.
    """
    with spark_session(cluster) as session:
        yield OnSpark(session, progress, tasks, place=place_of(cluster))


def _searched(frame: DataFrame, work: SearchRows, partitions: int) -> DataFrame:
    """Return one round: group the rows by key, and apply the work to them."""
    ordered = frame.repartition(partitions, "key").sortWithinPartitions("key")
    return ordered.mapInArrow(partial(_search_batches, work), _ROW)


def _search_batches(
    work: SearchRows, batches: Iterable[pa.RecordBatch]
) -> Iterator[pa.RecordBatch]:
    """Apply the work to a worker's batches, ordered by key, and yield batches of results."""
    import pyarrow as pa  # noqa: PLC0415 - a worker's import

    waiting: list[Row] = []

    def batch() -> pa.RecordBatch:
        arrays = [pa.array(column, pa.binary()) for column in zip(*waiting, strict=True)]
        waiting.clear()
        return pa.RecordBatch.from_arrays(arrays, names=["key", "value"])

    for row in work(_rows(batches)):
        waiting.append(row)
        if len(waiting) == _BATCH:
            yield batch()
    if waiting:
        yield batch()


def _rows(batches: Iterable[pa.RecordBatch]) -> Iterator[tuple[bytes, bytes]]:
    for batch in batches:
        yield from zip(batch.column(0).to_pylist(), batch.column(1).to_pylist(), strict=True)
