"""The interface to run numbered work, in this process or spread over a cluster.

Campaigns and exhaustive checks take a `Spread`, never a Spark session. The value of a piece depends
only on its number, so every place gives the same values.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Protocol, TypeAlias

from rejoin_conformance.kit.json_types import Json

ReportProgress: TypeAlias = Callable[[int, int, str], None]
"""(done, total, current activity)."""

Row: TypeAlias = tuple[bytes | None, bytes]
"""(key, value). A row without a key is a message to the caller."""

SearchRows: TypeAlias = Callable[[Iterator[tuple[bytes, bytes]]], Iterator[Row]]
"""Rows ordered by key, all rows of a key together -> the rows of the next round, and messages."""


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
