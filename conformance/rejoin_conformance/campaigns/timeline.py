"""The times of a campaign's blocks, and its speed.

All times are microseconds since 1970 by the workers' clocks. Breaks, in which nothing ran, do not
count: an interruption does not reduce the speed.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator
from typing import Final

from attrs import define, field, frozen

from rejoin_conformance.campaigns.tables import Row

SECOND: Final = 1_000_000
NOW: Final = 60 * SECOND
"""The duration of the latest work from which the current speed is computed."""

BREAK: Final = 15 * SECOND
"""A longer gap is an interruption. A shorter one is Spark between two waves."""


@frozen
class Span:
    """A period in which the campaign ran without a break."""

    began: int
    ended: int


@define
class Timeline:
    """Start, end and size of every block: 24 bytes each. core: the sum of all workers' CPU time."""

    began: array[int] = field(factory=lambda: array("q"))
    ended: array[int] = field(factory=lambda: array("q"))
    sizes: array[int] = field(factory=lambda: array("q"))
    core: int = 0

    def add(self, row: Row) -> None:
        """Add a row of the table `blocks`."""
        self.began.append(row["began"])
        self.ended.append(row["began"] + row["micros"])
        self.sizes.append(row["histories"])
        self.core += row["cpu_micros"]

    def spans(self) -> list[Span]:
        """Return the periods between the breaks, in order."""
        found: list[Span] = []
        for began, ended in sorted(zip(self.began, self.ended, strict=True)):
            if found and began <= found[-1].ended + BREAK:
                found[-1] = Span(found[-1].began, max(found[-1].ended, ended))
            else:
                found.append(Span(began, ended))
        return found

    def active(self) -> int:
        """Return the time that the campaign has run, without breaks."""
        return sum(span.ended - span.began for span in self.spans())

    def rate(self) -> float:
        """Return the average number of histories a second."""
        return sum(self.sizes) * SECOND / max(1, self.active())

    def rate_now(self) -> float:
        """Return the number of histories a second in the latest minute of work."""
        spans = self.spans()
        if not spans:
            return 0.0
        last = spans[-1]
        since = max(last.began, last.ended - NOW)
        return self._done(since, last.ended) * SECOND / max(1, last.ended - since)

    def rates(self, pieces: int) -> Iterator[tuple[int, int, float]]:
        """Yield start, end and histories a second of equal pieces of the whole time."""
        if not self.sizes:
            return
        first, last = min(self.began), max(self.ended)
        pieces = max(1, min(pieces, (last - first) // SECOND))
        width = max(1, -(-(last - first) // pieces))
        for start in range(first, first + pieces * width, width):
            yield start, start + width, self._done(start, start + width) * SECOND / width

    def _done(self, start: int, end: int) -> float:
        """Return the histories done in a period. A block partly inside counts with its share."""
        return sum(
            size * max(0, min(ended, end) - max(began, start)) / max(1, ended - began)
            for began, ended, size in zip(self.began, self.ended, self.sizes, strict=True)
        )
