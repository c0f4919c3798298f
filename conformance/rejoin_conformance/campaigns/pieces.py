"""Run pieces of work through the stream of a place, with the time of each."""

from __future__ import annotations

import os
import socket
import time
from collections.abc import Callable, Iterable, Mapping
from contextlib import AbstractContextManager, nullcontext
from functools import partial

from rejoin_conformance.contract.spread import Result, Spread
from rejoin_conformance.kit.json_types import Json


def timed(value_of: Callable[[int], Json], number: int) -> Result:
    """Run one piece of work in this process."""
    began, start = time.time_ns() // 1000, time.monotonic_ns()
    value = value_of(number)
    micros = (time.monotonic_ns() - start) // 1000  # the wall clock can be set back
    return Result(number, value, began, micros, f"{socket.gethostname()}:{os.getpid()}")


def gathered(
    spread: Spread,
    work: Callable[[int], Json],
    count: int,
    activity: str,
    known: Mapping[int, Json] | None = None,
    keep: Callable[[tuple[Result, ...]], object] = lambda _results: None,
) -> list[Json]:
    """Return work(0) .. work(count - 1), in this order.

    known: the values that are not computed again. keep: called with new results.
    """
    found = {number: value for number, value in (known or {}).items() if number < count}

    def report(underway: int) -> None:
        spread.progress(min(len(found) + underway, count), count, activity)

    report(0)
    missing = gaps(found, count)
    for results in (
        spread.stream(partial(_without_resources, work), missing, report) if missing else ()
    ):
        keep(results)
        found.update((each.number, each.value) for each in results)
        report(0)
    return [found[number] for number in range(count)]


def _without_resources(
    work: Callable[[int], Json],
) -> AbstractContextManager[Callable[[int], Json]]:
    return nullcontext(work)


def gaps(found: Iterable[int], count: int) -> list[range]:
    """Return the numbers below `count` that are not found, as ranges in ascending order."""
    missing: list[range] = []
    start = 0
    for number in [*sorted(each for each in found if each < count), count]:
        if start < number:
            missing.append(range(start, number))
        start = number + 1
    return missing
