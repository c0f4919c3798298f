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


def in_slices(
    session: SparkSession,
    missing: Iterable[range],
    collect: Callable[[DataFrame], pa.Table],
    tasks: int | None = None,
) -> Iterator[pa.Table]:
    """Yield what `collect` returns for a frame of each slice of the missing numbers, in order.

    collect: called in another thread, with a frame of one column `id`. tasks: of a slice; by
    default some for each core. Raises JobFailedError if Spark, or the work, fails.
    """
    tag, usual = f"rejoin-{secrets.token_hex(4)}", TASKS_A_CORE * cores_of(session)

    def job(numbers: range) -> pa.Table:
        session.addTag(tag)
        parts = min(tasks or usual, len(numbers))
        first, last = (each & 0xFFFF_FFFF for each in (numbers.start, numbers.stop - 1))
        with failures_in_one_line(f"blocks {first} to {last}"):
            return collect(session.range(numbers.start, numbers.stop, 1, parts))

    began, done, rest = time.monotonic(), 0, deque(missing)
    waiting: deque[tuple[range, Future[pa.Table]]] = deque()
    with ThreadPoolExecutor(IN_FLIGHT) as pool:
        try:
            while rest or waiting:
                while rest and len(waiting) < IN_FLIGHT:
                    rate = done / (time.monotonic() - began)
                    left = sum(map(len, rest))
                    wanted = min(round(rate * SLICE_SECONDS), -(-left // 3), LARGEST)
                    size, gap = max(wanted, usual, tasks or 1), rest.popleft()
                    if gap[size:]:
                        rest.appendleft(gap[size:])
                    waiting.append((gap[:size], pool.submit(job, gap[:size])))
                numbers, future = waiting.popleft()
                while not future.done():
                    time.sleep(_LISTEN_SECONDS)
                done += len(numbers)
                yield future.result()
        except BaseException:
            with suppress(Exception):  # Java can have ended
                session.interruptTag(tag)
            raise
