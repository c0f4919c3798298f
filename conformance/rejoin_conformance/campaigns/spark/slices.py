"""Run numbered work on Spark in slices of about half a minute.

A slice is written as a unit, so an interruption loses at most the slices in flight. Two are in
flight, so that no core waits for the last task of a slice, or for its writing. The last slices are
short, so that all cores end at about the same time.

Resuming asks for the numbers that are missing, rather than for Structured Streaming's checkpoint: a
checkpoint counts offsets, not results, and read blocks twice after a kill; and a micro-batch waits
for its last task, which costs a second of all cores.
"""

from __future__ import annotations

import secrets
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from typing import TYPE_CHECKING, Final

from attrs import define, field

from rejoin_conformance.campaigns.spark.failures import failures_in_one_line
from rejoin_conformance.campaigns.spark.session import cores_of

if TYPE_CHECKING:
    import pyarrow as pa
    from pyspark.sql import DataFrame, SparkSession

IN_FLIGHT: Final = 2
SLICE_SECONDS: Final = 20
TASKS_A_CORE: Final = 4
"""A task of a full slice thus takes some seconds. A task costs 20 to 50 ms more than its work."""

LARGEST: Final = 20_000
"""The maximum numbers in a slice. The driver holds their rows in flight, some 10 kB each."""

_LISTEN_SECONDS: Final = 0.05
"""Seconds after which the main thread looks again. It sleeps, and so notices an interruption."""


@define
class Slices:
    """The slices of some numbered work. tasks: of a slice; by default some for each core."""

    session: SparkSession
    tasks: int | None = None
    began: float = field(factory=time.monotonic)
    done: int = 0

    def run(
        self, missing: Iterable[range], collect: Callable[[DataFrame], pa.Table]
    ) -> Iterator[pa.Table]:
        """Yield what `collect` returns for a frame of each slice of the missing numbers, in order.

        collect: called in another thread, with a frame of one column `id`. Raises JobFailedError if
        Spark, or the work, fails.
        """
        tag = f"rejoin-{secrets.token_hex(4)}"

        def job(numbers: range) -> pa.Table:
            self.session.addTag(tag)
            frame = self.session.range(
                numbers.start, numbers.stop, 1, min(self._tasks(), len(numbers))
            )
            with failures_in_one_line(f"blocks {numbers.start} to {numbers.stop - 1}"):
                return collect(frame)

        with ThreadPoolExecutor(IN_FLIGHT) as pool:
            waiting: deque[tuple[range, Future[pa.Table]]] = deque()
            try:
                for numbers in self._slices([*missing]):
                    waiting.append((numbers, pool.submit(job, numbers)))
                    if len(waiting) == IN_FLIGHT:
                        yield self._ended(*waiting.popleft())
                while waiting:
                    yield self._ended(*waiting.popleft())
            except BaseException:
                with suppress(Exception):  # Java can have ended
                    self.session.interruptTag(tag)
                raise

    def _slices(self, missing: list[range]) -> Iterator[range]:
        """Yield the slices, each as large as the speed so far suggests."""
        left = sum(map(len, missing))
        for gap in missing:
            rest = gap
            while rest:
                rate = self.done / (time.monotonic() - self.began)
                wanted = min(round(rate * SLICE_SECONDS), -(-left // 3), LARGEST)
                size = max(wanted, TASKS_A_CORE * cores_of(self.session), self.tasks or 1)
                yield rest[:size]
                left -= len(rest[:size])
                rest = rest[size:]

    def _tasks(self) -> int:
        return self.tasks or TASKS_A_CORE * cores_of(self.session)

    def _ended(self, numbers: range, future: Future[pa.Table]) -> pa.Table:
        while not future.done():
            time.sleep(_LISTEN_SECONDS)
        table = future.result()
        self.done += len(numbers)
        return table
