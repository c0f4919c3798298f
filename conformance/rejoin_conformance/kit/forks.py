"""Divide independent pieces of work among forked processes.

If a process ends early for any reason, the parent does the pieces for which no result arrived.
"""

from __future__ import annotations

import gc
import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from multiprocessing import get_context
from typing import Any, Final, TypeVar

T = TypeVar("T")

_BATCHES: Final = 64
"""The number of batches for each process: a long piece delays only its own batch."""
_WORTH_A_FORK: Final = 16
"""The number of pieces from which on other processes help."""
_WORK: list[Callable[[int], Any]] = []
"""In a child: the work that it inherits from its parent."""


@contextmanager
def in_forks(work: Callable[[int], T], order: Sequence[int]) -> Iterator[Iterator[tuple[int, T]]]:
    """Yield an iterator of (piece, work(piece)) for each piece in `order`, as the results arrive.

    The work begins in this order, with the `with` block. It runs in one process for each core that
    this process may use. It runs in this process if there is only one core, if the system cannot
    fork, or if other threads run, which a fork would not copy.
    """
    cores = _cores()
    if cores == 1 or len(order) < _WORTH_A_FORK:
        yield ((piece, work(piece)) for piece in order)
        return
    size = -(-len(order) // (cores * _BATCHES))
    batches = [order[start : start + size] for start in range(0, len(order), size)]
    pool = ProcessPoolExecutor(cores, get_context("fork"), _begin, (work,))
    try:
        yield _completed(work, batches, [pool.submit(_work_off, each) for each in batches])
    finally:
        pool.shutdown(cancel_futures=True)


def _cores() -> int:
    if sys.platform != "linux" or threading.active_count() > 1:
        return 1
    return len(os.sched_getaffinity(0))


def _completed(
    work: Callable[[int], T], batches: Sequence[Sequence[int]], futures: Sequence[Any]
) -> Iterator[tuple[int, T]]:
    """Yield the results of the children. Then do the pieces for which no result arrived."""
    missing = dict(zip(futures, batches, strict=True))
    for future in as_completed(futures):
        try:
            results = future.result()
        except BrokenProcessPool:
            continue
        del missing[future]
        yield from results
    for batch in missing.values():
        yield from ((piece, work(piece)) for piece in batch)


def _begin(work: Callable[[int], Any]) -> None:
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # the parent reports Ctrl-C
    gc.disable()  # a child is short, and a collection would copy the parent's pages
    _WORK[:] = [work]


def _work_off(batch: Sequence[int]) -> list[tuple[int, Any]]:
    return [(piece, _WORK[0](piece)) for piece in batch]
