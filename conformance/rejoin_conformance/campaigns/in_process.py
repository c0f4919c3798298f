"""Run work in this process, one piece after the other, without Spark."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from operator import itemgetter

from attrs import field, frozen

from rejoin_conformance.campaigns.in_child import Watch, examiner
from rejoin_conformance.campaigns.kept.folder import Folder
from rejoin_conformance.campaigns.kept.pieces import KeptPieces
from rejoin_conformance.campaigns.kept.store import Block, Store
from rejoin_conformance.campaigns.plan import Plan
from rejoin_conformance.campaigns.workplace import Workplace
from rejoin_conformance.contract.spread import ReportProgress, SearchRows
from rejoin_conformance.kit.json_types import Json


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
        self, plan: Plan, missing: Sequence[range], store: Store | None, watch: Watch | None
    ) -> Iterator[list[Block]]:
        """Yield the block of each missing number, one at a time, when it is given to the store."""
        assert store is None or isinstance(store, Folder), "only Spark writes at a URL"
        with examiner(plan, watch) as child:
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
