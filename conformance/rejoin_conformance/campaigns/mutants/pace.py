"""The pace of long work that is done in parts: how much is done, how fast, and the time left."""

from __future__ import annotations

import time
from collections.abc import Callable

from attrs import field, frozen


@frozen
class Pace:
    """Work of so many items that starts now. clock: returns the time in seconds."""

    total: int
    noun: str
    clock: Callable[[], float] = time.monotonic
    start: float = field(init=False)

    @start.default
    def _now(self) -> float:
        return self.clock()

    def text(self, done: int) -> str:
        """Return a description for the part that begins after `done` items."""
        text = f"{self.noun}, {done:,} of {self.total:,} done"
        passed = self.clock() - self.start
        if not done or passed <= 0:
            return text
        left = round((self.total - done) * passed / done)
        return f"{text}, {done / passed:.1f} a second, {left // 60}:{left % 60:02} minutes left"
