"""Time two things in turn, A B A B ..., and print their ratio, which is stable under noise."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable

from attrs import frozen


@frozen
class Comparison:
    """Seconds per call of two things that ran in turn; each ratio is of one pair."""

    first: tuple[float, ...]
    second: tuple[float, ...]

    @property
    def ratio(self) -> float:
        """Return the median of first / second over the pairs."""
        return statistics.median(a / b for a, b in zip(self.first, self.second, strict=True))


def compare(
    first: Callable[[], object], second: Callable[[], object], *, pairs: int = 7, calls: int = 1
) -> Comparison:
    """Run the two in turn, `calls` calls each time, after one warm-up turn that does not count."""
    seconds(first, calls)
    seconds(second, calls)
    timed = [(seconds(first, calls), seconds(second, calls)) for _ in range(pairs)]
    return Comparison(tuple(a for a, _ in timed), tuple(b for _, b in timed))


def seconds(call: Callable[[], object], calls: int = 1) -> float:
    """Return the seconds that one call takes."""
    start = time.perf_counter()
    for _ in range(calls):
        call()
    return (time.perf_counter() - start) / calls


def amount(seconds: float) -> str:
    """Return seconds as text: three digits and a unit."""
    for unit, factor in (("s", 1.0), ("ms", 1e3), ("us", 1e6)):
        if seconds * factor >= 1:
            return f"{seconds * factor:.3g} {unit}"
    return f"{seconds * 1e9:.3g} ns"


def line(what: str, comparison: Comparison, first: str, second: str) -> str:
    """Return one row: the name of the comparison, both medians and the ratio."""
    a, b = statistics.median(comparison.first), statistics.median(comparison.second)
    return (
        f"{what:<52} {first} {amount(a):>9}   {second} {amount(b):>9}   "
        f"ratio {comparison.ratio:6.2f}"
    )
