"""Divide independent pieces of work among forked processes.

The processes take the pieces from one pipe, so that a long piece delays no other, and write the
results into pipes of their own. If a process ends early for any reason, the parent does its pieces,
so a piece that raises an exception raises it in the parent.
"""

from __future__ import annotations

import gc
import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from multiprocessing.connection import Connection, Pipe, wait
from typing import Final, TypeVar

T = TypeVar("T")

_SIZE: Final = 4
_ROOM: Final = 4096
"""Bytes of the number of a batch, and bytes that every pipe takes without a reader."""
_WORTH_A_FORK: Final = 16
"""The number of pieces from which on other processes help."""


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
    with _children(work, order, cores) as results:
        yield _completed(work, order, results)


def _cores() -> int:
    if sys.platform != "linux" or threading.active_count() > 1:
        return 1
    return len(os.sched_getaffinity(0))


def _completed(
    work: Callable[[int], T], order: Sequence[int], results: list[Connection]
) -> Iterator[tuple[int, T]]:
    """Yield the results of the children. Then do the pieces for which no result arrived."""
    missing = dict.fromkeys(order)
    while results:
        for ready in wait(results):
            assert isinstance(ready, Connection)
            try:
                piece, result = ready.recv()
            except EOFError:
                results.remove(ready)
            else:
                del missing[piece]
                yield piece, result
    for piece in missing:
        yield piece, work(piece)


@contextmanager
def _children(
    work: Callable[[int], T], order: Sequence[int], count: int
) -> Iterator[list[Connection]]:
    """Yield the pipes of children that do the pieces. Kill the children after the `with` block."""
    share = -(-len(order) * _SIZE // _ROOM)
    batches = [order[start : start + share] for start in range(0, len(order), share)]
    taking, giving = os.pipe()
    os.write(giving, b"".join(number.to_bytes(_SIZE, "big") for number in range(len(batches))))
    os.close(giving)
    children: list[int] = []
    results: list[Connection] = []
    try:
        for _ in range(count):
            receiving, sending = Pipe(duplex=False)
            results.append(receiving)
            children.append(_child(partial(_work_off, work, batches, taking, sending)))
            sending.close()
        yield results
    finally:
        os.close(taking)
        for child in children:
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)


def _child(work: Callable[[], None]) -> int:
    """Return the number of a new process that does some work and ends."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        child = os.fork()
        if child == 0:
            try:
                signal.signal(signal.SIGINT, signal.SIG_DFL)  # the parent reports Ctrl-C
                signal.pthread_sigmask(signal.SIG_SETMASK, before)
                gc.disable()  # a child is short, and a collection would copy the parent's pages
                work()
            finally:
                os._exit(0)  # nothing of the parent may be finished here
        return child
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _work_off(
    work: Callable[[int], object],
    batches: Sequence[Sequence[int]],
    taking: int,
    sending: Connection,
) -> None:
    """Do batches of pieces until none is left."""
    while number := os.read(taking, _SIZE):
        for piece in batches[int.from_bytes(number, "big")]:
            sending.send((piece, work(piece)))
