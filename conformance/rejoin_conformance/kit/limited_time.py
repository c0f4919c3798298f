"""A limit of the processor time of a block."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager


class TooLongError(BaseException):
    """A block took too much time, or too many lines. No `except Exception` catches it."""


@contextmanager
def limited_time(seconds: float) -> Iterator[None]:
    """Run a block for at most so many seconds of processor time; 0 is no limit.

    Raises TooLongError beyond. Works only in the main thread of a process.
    """
    inside = True

    def interrupt(*_: object) -> None:
        if inside:  # the signal can arrive while the block ends
            raise TooLongError

    before = signal.signal(signal.SIGVTALRM, interrupt)
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
    try:
        yield
    finally:
        inside = False
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)
