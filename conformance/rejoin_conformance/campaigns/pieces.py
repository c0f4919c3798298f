"""Run pieces of work in some place, and return all their values."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from rejoin_conformance.contract.spread import Keep, ReportProgress
from rejoin_conformance.kit.json_types import Json


def gathered(
    values: Callable[[Sequence[range]], Iterator[Mapping[int, Json]]],
    progress: ReportProgress,
    count: int,
    activity: str,
    known: Mapping[int, Json] | None,
    keep: Keep,
) -> list[Json]:
    """Return the values of the pieces 0 .. count - 1, in this order.

    values: yields the values of missing numbers, some at a time. known: the values that are not
    computed again. keep: called with new values.
    """
    found = {number: value for number, value in (known or {}).items() if number < count}
    progress(len(found), count, activity)
    missing = gaps(found, count)
    for new in values(missing) if missing else ():
        keep(new)
        found |= new
        progress(len(found), count, activity)
    return [found[number] for number in range(count)]


def gaps(found: Iterable[int], count: int) -> list[range]:
    """Return the numbers below `count` that are not found, as ranges in ascending order."""
    missing: list[range] = []
    start = 0
    for number in [*sorted(each for each in found if each < count), count]:
        if start < number:
            missing.append(range(start, number))
        start = number + 1
    return missing
