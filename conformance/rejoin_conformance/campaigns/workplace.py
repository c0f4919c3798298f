"""The places that run numbered work: this process, one piece after the other, and Spark."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from operator import itemgetter

from attrs import field, frozen

from rejoin_conformance.campaigns.adapter_block import examiner
from rejoin_conformance.campaigns.kept.folder import Folder
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
        self,
        plan: Plan,
        missing: Sequence[range],
        store: Store | None,
        tick: Callable[[int], object],
    ) -> Iterator[list[Block]]:
        """Yield the blocks of all missing numbers, some at a time, when the store has them.

        tick: called some times a second with the number of histories of the current block so far,
        if this is the process.
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


@frozen
class InProcess(Workplace):
    """This process as a `Spread`."""

    progress: ReportProgress
    kept: KeptPieces | None = None
    place: str = field(default="in this process", init=False)

    def values(
        self, work: Callable[[int], Json], missing: Sequence[range]
    ) -> Iterator[Mapping[int, Json]]:
        """Yield the values of all missing numbers, each alone."""
        return ({number: work(number)} for numbers in missing for number in numbers)

    def examined(
        self,
        plan: Plan,
        missing: Sequence[range],
        store: Store | None,
        tick: Callable[[int], object],
    ) -> Iterator[list[Block]]:
        """Yield the block of each missing number, one at a time, when it is given to the store."""
        assert store is None or isinstance(store, Folder), "only Spark writes at a URL"
        with examiner(plan, tick) as child:
            for block in (block for numbers in missing for block in numbers):
                tables = child.examine(block)
                if store is not None:
                    store.add(block, tables)
                yield [(block, tables)]

    def rounds(
        self, work: SearchRows, first: Sequence[tuple[bytes, bytes]], count: int
    ) -> Iterator[list[bytes]]:
        """Run rounds of a search; yield the messages of each round when the round ends."""
        rows = list(first)
        for _ in range(count):
            found = [*work(iter(sorted(rows, key=itemgetter(0))))]
            rows = [(key, value) for key, value in found if key is not None]
            yield [value for key, value in found if key is None]
