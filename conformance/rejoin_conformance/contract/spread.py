"""The interface to run numbered work, in this process or spread over a cluster.

Campaigns and exhaustive checks take a `Spread`, never a Spark session. The result of a piece
depends only on its number, so every place gives the same results.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from typing import Any, Generic, Protocol, TypeAlias, TypeVar

from attrs import frozen

from rejoin_conformance.kit.json_types import Json

R = TypeVar("R")

ReportProgress: TypeAlias = Callable[[int, int, str], None]
"""(done, total, current activity)."""

Row: TypeAlias = tuple[bytes | None, bytes]
"""(key, value). A row without a key is a message to the caller."""

SearchRows: TypeAlias = Callable[[Iterator[tuple[bytes, bytes]]], Iterator[Row]]
"""Rows ordered by key, all rows of a key together -> the rows of the next round, and messages."""


@frozen(kw_only=True)
class Stream(Generic[R]):
    """Numbered work whose results the caller needs while the work continues.

    begin: opens the resources of the work in a process, and yields the function number -> result.
    columns: the columns of a result in the notation of Spark's schemas.
    to_batch, from_batches: results -> an Arrow record batch, and the inverse.
    micros: result -> the time that it took, in microseconds of one core.
    """

    begin: Callable[[], AbstractContextManager[Callable[[int], R]]]
    columns: str
    to_batch: Callable[[Sequence[R]], Any]
    from_batches: Callable[[Iterable[Any]], Iterator[R]]
    micros: Callable[[R], int]


class Spread(Protocol):
    """A place that runs numbered work."""

    @property
    def place(self) -> str:
        """Return the name of the place for a person, such as `in this process`."""

    @property
    def progress(self) -> ReportProgress:
        """Return the function that reports the progress of the work."""

    def pieces(self, work: Callable[[int], Json], count: int, activity: str) -> list[Json]:
        """Return work(0) .. work(count - 1), in this order.

        work: a pure function that can be pickled. activity: a few words for the progress bar.
        """

    def rounds(
        self, work: SearchRows, first: Sequence[tuple[bytes, bytes]], count: int
    ) -> Iterator[list[bytes]]:
        """Run rounds of a search; yield the messages of each round when the round ends.

        The rows that a round yields are the rows of the next round; their order and grouping must
        not matter. work: a pure function that can be pickled. first: the rows of the first round.
        count: the number of rounds.
        """

    def stream(
        self, work: Stream[R], missing: Iterable[range], heard: Callable[[int], None]
    ) -> Iterator[tuple[R, ...]]:
        """Yield the results for all numbers in `missing`, in groups of consecutive numbers.

        missing: ranges in ascending order. heard: called with the number of finished results that
        are not yielded yet.
        """
