"""Run work in this process, one piece after the other, without Spark."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from operator import itemgetter

from attrs import frozen

from rejoin_conformance.campaigns.pieces import gathered, timed
from rejoin_conformance.contract.spread import ReportProgress, Result, SearchRows, Work
from rejoin_conformance.kit.json_types import Json


@frozen
class InProcess:
    """This process as a `Spread`."""

    progress: ReportProgress

    @property
    def place(self) -> str:
        """Return the name of the place."""
        return "in this process"

    def pieces(self, work: Callable[[int], Json], count: int, activity: str) -> list[Json]:
        """Return work(0) .. work(count - 1), in this order."""
        return gathered(self, work, count, activity)

    def rounds(
        self, work: SearchRows, first: Sequence[tuple[bytes, bytes]], count: int
    ) -> Iterator[list[bytes]]:
        """Run rounds of a search; yield the messages of each round when the round ends."""
        rows = list(first)
        for _ in range(count):
            following: list[tuple[bytes, bytes]] = []
            messages: list[bytes] = []
            for key, value in work(iter(sorted(rows, key=itemgetter(0)))):
                if key is None:
                    messages.append(value)
                else:
                    following.append((key, value))
            yield messages
            rows = following

    def stream(
        self, work: Work, missing: Iterable[range], heard: Callable[[int], None]
    ) -> Iterator[tuple[Result, ...]]:
        """Yield the result for each missing number, one at a time."""
        with work() as value_of:
            for numbers in missing:
                for number in numbers:
                    heard(0)
                    yield (timed(value_of, number),)
