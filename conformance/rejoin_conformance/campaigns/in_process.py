"""Run work in this process, one piece after the other, without Spark."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from operator import itemgetter

from attrs import frozen

from rejoin_conformance.campaigns.block import Work
from rejoin_conformance.campaigns.kept.at_url import AtUrl
from rejoin_conformance.campaigns.kept.folder import Folder
from rejoin_conformance.campaigns.kept.store import Block
from rejoin_conformance.campaigns.pieces import gathered
from rejoin_conformance.contract.spread import Keep, ReportProgress, SearchRows, nothing_kept
from rejoin_conformance.kit.json_types import Json


@frozen
class InProcess:
    """This process as a `Spread`."""

    progress: ReportProgress

    @property
    def place(self) -> str:
        """Return the name of the place."""
        return "in this process"

    def pieces(
        self,
        work: Callable[[int], Json],
        count: int,
        activity: str,
        known: Mapping[int, Json] | None = None,
        keep: Keep = nothing_kept,
    ) -> list[Json]:
        """Return work(0) .. work(count - 1), in this order."""

        def values(missing: Sequence[range]) -> Iterator[Mapping[int, Json]]:
            yield from ({number: work(number)} for numbers in missing for number in numbers)

        return gathered(values, self.progress, count, activity, known, keep)

    def examined(
        self, work: Work, missing: Sequence[range], store: Folder | AtUrl | None
    ) -> Iterator[list[Block]]:
        """Yield the block of each missing number, one at a time, when it is given to the store."""
        assert not isinstance(store, AtUrl), "only Spark writes there"
        with work() as examine:
            for numbers in missing:
                for block in numbers:
                    tables = examine(block)
                    if store is not None:
                        store.add(block, tables)
                    yield [(block, tables)]

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
