"""A place that runs numbered work: this process, or Spark."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence

from rejoin_conformance.campaigns.in_child import Watch
from rejoin_conformance.campaigns.kept.pieces import KeptPieces
from rejoin_conformance.campaigns.kept.store import Block, Store
from rejoin_conformance.campaigns.plan import Plan, gaps
from rejoin_conformance.contract.spread import ReportProgress, SearchRows
from rejoin_conformance.kit.json_types import Json


class Workplace(ABC):
    """A place that runs numbered work: a `Spread` that also examines the blocks of a campaign.

    place: its name for a person. kept: the values of pieces that are kept; None to keep none.
    """

    place: str
    progress: ReportProgress
    kept: KeptPieces | None

    @abstractmethod
    def values(
        self, work: Callable[[int], Json], missing: Sequence[range]
    ) -> Iterator[Mapping[int, Json]]:
        """Yield the values of all missing numbers, some at a time."""

    @abstractmethod
    def examined(
        self, plan: Plan, missing: Sequence[range], store: Store | None, watch: Watch | None
    ) -> Iterator[list[Block]]:
        """Yield the blocks of all missing numbers, some at a time, when the store has them.

        watch: told of each new difference, and of the progress in a block, if this is the process.
        """

    @abstractmethod
    def rounds(
        self, work: SearchRows, first: Sequence[tuple[bytes, bytes]], count: int
    ) -> Iterator[list[bytes]]:
        """Run rounds of a search; yield the messages of each round when the round ends."""

    def pieces(self, work: Callable[[int], Json], count: int, activity: str) -> list[Json]:
        """Return work(0) .. work(count - 1), in this order. Kept values are not computed again."""
        found = {} if self.kept is None else {**self.kept.found.get(activity, {})}
        finished = bytearray(number in found for number in range(count))
        done = sum(finished)
        self.progress(done, count, activity)
        for new in self.values(work, missing) if (missing := [*gaps(finished)]) else ():
            if self.kept is not None:
                self.kept.add(activity, new)
            found |= new
            done += len(new)
            self.progress(done, count, activity)
        return [found[number] for number in range(count)]
