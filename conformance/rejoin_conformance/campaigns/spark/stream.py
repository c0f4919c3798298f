"""Stream numbered work over Spark, wave by wave.

Two waves are in flight, so that no core waits for the last task of a wave. `waves` divides the
numbers into waves.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from functools import partial
from itertools import count
from queue import Empty, SimpleQueue
from typing import TYPE_CHECKING, Final

from attrs import asdict, define, field

from rejoin_conformance.campaigns.pieces import timed
from rejoin_conformance.campaigns.spark.failures import failures_in_one_line
from rejoin_conformance.campaigns.spark.session import cancel_all, cores_of
from rejoin_conformance.campaigns.spark.watch import watched
from rejoin_conformance.campaigns.spark.waves import WAVES_IN_FLIGHT, Pace, Wave, next_wave
from rejoin_conformance.contract.spread import Result, Work
from rejoin_conformance.kit.json_types import canonical_json, strict_json

if TYPE_CHECKING:
    import pyarrow as pa
    from pyspark.sql import SparkSession

_JOBS: Final = count()
_COLUMNS: Final = "number long, value string, began long, micros long, worker string"
_LISTEN_SECONDS: Final = 0.2
"""Seconds after which the main thread stops waiting, so that it notices an interruption."""


def stream_waves(
    session: SparkSession,
    work: Work,
    missing: Iterable[range],
    heard: Callable[[int], None],
    tasks: int | None = None,
) -> Iterator[tuple[Result, ...]]:
    """Yield the results for all missing numbers, one wave at a time.

    heard: called with the number of finished results that are not yielded yet.
    tasks: the number of tasks of a wave; by default as many as make a task last a few seconds.
    Raises JobFailedError if Spark, or the work, fails.
    """
    run = _Run(session, work, heard)
    with ThreadPoolExecutor(WAVES_IN_FLIGHT) as pool:
        try:
            for gap in missing:
                rest = gap
                while rest:
                    wave = next_wave(rest, run.pace, cores_of(session), tasks)
                    rest = rest[wave.blocks :]
                    run.begin(pool, wave)
                    if len(run.waiting) == WAVES_IN_FLIGHT:
                        yield from run.ended()
            while run.waiting:
                yield from run.ended()
        except BaseException:
            cancel_all(session)
            raise


@define
class _Run:
    """The waves in flight, as seen by the driver's main thread.

    underway: first number of a wave in flight -> approximate number of its finished results.
    done: the waves that have ended. The main thread waits for this queue alone, because an
        interruption cannot leave it locked, as it can leave a condition.
    """

    session: SparkSession
    work: Work
    heard: Callable[[int], None]
    pace: Pace = field(factory=Pace)
    waiting: dict[Future[pa.Table], Wave] = field(factory=dict)
    underway: dict[int, int] = field(factory=dict)
    lock: threading.Lock = field(factory=threading.Lock)
    done: SimpleQueue[Future[pa.Table]] = field(factory=SimpleQueue)

    def begin(self, pool: ThreadPoolExecutor, wave: Wave) -> None:
        """Start a wave in another thread."""
        future = pool.submit(self.examine, wave)
        self.waiting[future] = wave
        future.add_done_callback(self.done.put)

    def examine(self, wave: Wave) -> pa.Table:
        """Run one Spark job and return the rows of a wave's results."""
        frame = self.session.range(wave.first, wave.last + 1, 1, wave.tasks)
        rows = frame.mapInArrow(partial(_batches, self.work), _COLUMNS)
        with (
            failures_in_one_line(f"blocks {wave.first} to {wave.last}"),
            watched(self.session, f"rejoin stream {next(_JOBS)}", partial(self.finished, wave)),
        ):
            return rows.toArrow()

    def ended(self) -> Iterator[tuple[Result, ...]]:
        """Wait for the next wave that ends, and yield its results."""
        future = self._next()
        wave = self.waiting.pop(future)
        results = tuple(_results(future.result()))
        for result in results:
            self.pace.add(result.micros)
        with self.lock:
            self.underway.pop(wave.first, None)
        yield results

    def _next(self) -> Future[pa.Table]:
        while True:
            try:
                return self.done.get(timeout=_LISTEN_SECONDS)
            except Empty:
                continue

    def finished(self, wave: Wave, tasks: int) -> None:
        """Handle a report of the number of finished tasks of a wave."""
        with self.lock:
            self.underway[wave.first] = min(tasks, wave.tasks) * wave.blocks // wave.tasks
            self.heard(sum(self.underway.values()))


def _batches(work: Work, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """Yield one Arrow batch for each number of a task, with the value as JSON."""
    import pyarrow as pa  # noqa: PLC0415 - a worker's import

    with work() as value_of:
        for batch in batches:
            for number in batch.column(0).to_pylist():
                result = timed(value_of, number)
                row = {**asdict(result, recurse=False), "value": canonical_json(result.value)}
                yield pa.RecordBatch.from_pylist([row])


def _results(table: pa.Table) -> Iterator[Result]:
    for row in table.to_pylist():
        yield Result(**{**row, "value": strict_json(row["value"])})
