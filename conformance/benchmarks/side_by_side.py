"""Time things in turn, A B A B ..., and print their ratio: what holds when a machine is noisy."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable

from attrs import frozen


@frozen
class Comparison:
    """Seconds a call of two things that were run in turn; the ratios are taken pair by pair."""

    first: tuple[float, ...]
    second: tuple[float, ...]

    @property
    def ratio(self) -> float:
        """The median of first / second, pair by pair."""
        return statistics.median(a / b for a, b in zip(self.first, self.second, strict=True))


def compare(
    first: Callable[[], object], second: Callable[[], object], *, pairs: int = 7, calls: int = 1
) -> Comparison:
    """Run the two in turn, `calls` calls each time, after one turn that does not count."""
    _seconds(first, calls)
    _seconds(second, calls)
    timed = [(_seconds(first, calls), _seconds(second, calls)) for _ in range(pairs)]
    return Comparison(tuple(a for a, _ in timed), tuple(b for _, b in timed))


def _seconds(call: Callable[[], object], calls: int) -> float:
    start = time.perf_counter()
    for _ in range(calls):
        call()
    return (time.perf_counter() - start) / calls


def amount(seconds: float) -> str:
    """Seconds for people: three digits and a unit."""
    for unit, factor in (("s", 1.0), ("ms", 1e3), ("us", 1e6)):
        if seconds * factor >= 1:
            return f"{seconds * factor:.3g} {unit}"
    return f"{seconds * 1e9:.3g} ns"


def line(what: str, comparison: Comparison, first: str, second: str) -> str:
    """One row: what was compared, both medians, the ratio."""
    a, b = statistics.median(comparison.first), statistics.median(comparison.second)
    return (
        f"{what:<52} {first} {amount(a):>9}   {second} {amount(b):>9}   "
        f"ratio {comparison.ratio:6.2f}"
    )
