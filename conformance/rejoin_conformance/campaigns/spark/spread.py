"""Run work on Spark.

The results do not depend on the partitioning: a piece depends only on its number, and the rows of a
search are grouped by their keys.

Numbered work runs in slices of about 20 seconds. Resuming asks for the numbers that are missing,
rather than for Structured Streaming's checkpoint: a checkpoint counts offsets, not results, and
read blocks twice after a kill; and a micro-batch waits for its last task, which costs a second of
all cores.
"""

from __future__ import annotations

import secrets
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from functools import partial
from itertools import chain, islice
from typing import TYPE_CHECKING, Final

from attrs import field, frozen

from rejoin_conformance.campaigns.kept.at_url import AtUrl
from rejoin_conformance.campaigns.kept.folder import Folder
from rejoin_conformance.campaigns.kept.store import Block, Store
from rejoin_conformance.campaigns.spark.failures import failures_in_one_line
from rejoin_conformance.campaigns.spark.session import cores_of
from rejoin_conformance.campaigns.spark.shipping import SentOracle, oracle_in_force, place_sent
from rejoin_conformance.campaigns.tables import TABLES, WIDE, blocks_in, ddl, narrow, wide_batch
from rejoin_conformance.campaigns.workplace import Opens, Tick, Workplace
from rejoin_conformance.contract.spread import ReportProgress, SearchRows

if TYPE_CHECKING:
    import pyarrow as pa
    from pyspark.sql import DataFrame, SparkSession

IN_FLIGHT: Final = 2
SLICE_SECONDS: Final = 20
TASKS_A_CORE: Final = 4
"""The slices in flight share these tasks, so a task of a full slice takes some seconds.

A task costs some 30 ms of CPU more than its work.
"""

LARGEST: Final = 20_000
"""The maximum numbers in a slice. The driver holds their rows in flight, some 10 kB each."""

_LISTEN_SECONDS: Final = 0.05
"""Seconds after which the main thread looks again. It sleeps, and so notices an interruption."""

_ROW: Final = "key binary, value binary"
_BATCH: Final = 10_000


@frozen
class OnSpark(Workplace):
    """A Spark session as a `Spread`.

    tasks: the number of tasks; None for some tasks for each core. The results do not depend on it.
    shipped: the name of a program that was sent to the executors. oracle: the oracle that was sent.
    """

    session: SparkSession
    progress: ReportProgress
    tasks: int | None = None
    place: str = field(default="on Spark", kw_only=True)
    kept: Store | None = field(default=None, kw_only=True)
    shipped: str | None = field(default=None, kw_only=True)
    oracle: SentOracle | None = field(default=None, kw_only=True)

    def examined(self, opens: Opens, missing: Sequence[range], tick: Tick) -> Iterator[list[Block]]:
        """Yield the blocks of all missing numbers, slice by slice, when they are kept.

        A store in a folder is written by this process, for it is on this machine; a store at a URL
        by the executors. Raises JobFailedError if Spark, or the work, fails.
        """
        store = self.kept
        names = ("", "") if store is None else (store.campaign, store.attempt)
        shipped, oracle = self.shipped, self.oracle
        examine = partial(examined_batches, opens, *names, shipped=shipped, oracle=oracle)

        def collect(numbers: DataFrame) -> pa.Table:
            wide = numbers.mapInArrow(examine, ddl(WIDE))
            return store.add_frame(wide) if isinstance(store, AtUrl) else wide.toArrow()

        for wide in self._slices(missing, collect, tick):
            if isinstance(store, Folder):
                store.add_wide(wide)
            found = {name: narrow(wide, name) for name in TABLES}
            yield [(block, tables) for (_, block), tables in blocks_in(found).items()]

    def _slices(
        self, missing: Iterable[range], collect: Callable[[DataFrame], pa.Table], tick: Tick
    ) -> Iterator[pa.Table]:
        """Yield what `collect` returns for a frame of each slice of the missing numbers, in order.

        A slice is written as a unit, so an interruption loses at most the slices in flight. Two are
        in flight, so that no core waits for the last task of a slice, or for its writing. The first
        slices have a number for each core, so that something is soon kept. The last slices are
        short, so that all cores end at about the same time.

        collect: called in another thread, with a frame of one column `id`. tick: called while a
        slice runs. Raises JobFailedError if Spark, or the work, fails.
        """
        tag, cores = f"rejoin-{secrets.token_hex(4)}", cores_of(self.session)
        usual = TASKS_A_CORE * cores // IN_FLIGHT

        def job(numbers: range) -> pa.Table:
            self.session.addTag(tag)
            parts = min(self.tasks or usual, len(numbers))
            first, last = (each & 0xFFFF_FFFF for each in (numbers.start, numbers.stop - 1))
            with failures_in_one_line(f"blocks {first} to {last}"):
                return collect(self.session.range(numbers.start, numbers.stop, 1, parts))

        began, done, rest = time.monotonic(), 0, deque(missing)
        waiting: deque[tuple[range, Future[pa.Table]]] = deque()
        with ThreadPoolExecutor(IN_FLIGHT) as pool:
            try:
                while rest or waiting:
                    while rest and len(waiting) < IN_FLIGHT:
                        rate = done / (time.monotonic() - began)
                        left = sum(map(len, rest))
                        wanted = min(round(rate * SLICE_SECONDS), -(-left // 3), LARGEST)
                        least = max(usual, self.tasks or 1) if done else cores
                        size, gap = max(wanted, least), rest.popleft()
                        if gap[size:]:
                            rest.appendleft(gap[size:])
                        waiting.append((gap[:size], pool.submit(job, gap[:size])))
                    numbers, future = waiting.popleft()
                    while not future.done():
                        tick(0, 0)
                        time.sleep(_LISTEN_SECONDS)
                    done += len(numbers)
                    yield future.result()
            except BaseException:
                with suppress(Exception):  # Java can have ended
                    self.session.interruptTag(tag)
                raise

    def rounds(
        self, work: SearchRows, first: Sequence[tuple[bytes, bytes]], count: int
    ) -> Iterator[list[bytes]]:
        """Run rounds of a search; yield the messages of each round when the round ends.

        Raises JobFailedError if Spark, or the work, fails.
        """

        def search(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
            """Apply the work to a task's batches, ordered by key, and yield batches of results."""
            import pyarrow as pa  # noqa: PLC0415 - a worker's import

            columns = ((each.column(0).to_pylist(), each.column(1).to_pylist()) for each in batches)
            rows = work(chain.from_iterable(zip(*each, strict=True) for each in columns))
            while some := [*islice(rows, _BATCH)]:
                arrays = [pa.array(column, pa.binary()) for column in zip(*some, strict=True)]
                yield pa.RecordBatch.from_arrays(arrays, names=["key", "value"])

        partitions = self.tasks or TASKS_A_CORE * cores_of(self.session)
        frame = held = self.session.createDataFrame([tuple(row) for row in first], _ROW)
        for number in range(count):
            ordered = frame.repartition(partitions, "key").sortWithinPartitions("key")
            after = ordered.mapInArrow(search, _ROW).persist()
            with failures_in_one_line(f"round {number + 1} of {count}"):
                messages = after.filter("key is null").select("value").collect()
            held.unpersist()
            yield [bytes(row[0]) for row in messages]
            held, frame = after, after.filter("key is not null")
        held.unpersist()


def examined_batches(
    opens: Opens,
    campaign: str,
    attempt: str,
    batches: Iterable[pa.RecordBatch],
    shipped: str | None = None,
    oracle: SentOracle | None = None,
) -> Iterator[pa.RecordBatch]:
    """Yield a wide batch for each block of a task. shipped, oracle: what was sent."""
    place_sent(shipped)
    with oracle_in_force(oracle), opens() as examine:
        for batch in batches:
            for block in batch.column(0).to_pylist():
                yield wide_batch(campaign, attempt, block, examine(block))
