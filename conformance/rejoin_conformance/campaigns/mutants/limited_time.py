"""Limit the processor time of a block of code, by a signal that interrupts it."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType


class TooLongError(BaseException):
    """The block took more processor time than it was given."""


@contextmanager
def limited_time(seconds: float) -> Iterator[None]:
    """Run a block for at most so many seconds of processor time. Raises TooLongError beyond.

    Works only in the main thread of a process.
    """

    def interrupt(_signal: int, _frame: FrameType | None) -> None:
        raise TooLongError

    before = signal.signal(signal.SIGVTALRM, interrupt)
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)
