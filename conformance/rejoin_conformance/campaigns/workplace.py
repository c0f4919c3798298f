"""The places that run numbered work: this process, one block after the other, and Spark.

A block is the unit of work. What examines it returns its tables, for a campaign as for the pieces
of any other work.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from operator import itemgetter
from typing import Any, Protocol, TypeAlias
from zlib import crc32

from attrs import field, frozen

from rejoin_conformance.campaigns.kept.folder import Folder
from rejoin_conformance.campaigns.kept.store import Block, Store
from rejoin_conformance.campaigns.plan import gaps
from rejoin_conformance.campaigns.tables import BLOCKS, DIFFERENCES, FATES, Tables, block_row
from rejoin_conformance.contract.spread import ReportProgress, SearchRows, Spread
from rejoin_conformance.kit.json_types import Json, strict_json

Tick: TypeAlias = Callable[[int, int], object]
"""Called some times a second: how many histories of the current block have begun, and how many of
them are quarantined."""

Opens: TypeAlias = Callable[..., AbstractContextManager[Callable[[int], Tables]]]
"""Opens what examines blocks, in the process that does it. This process passes a `Tick`."""


class Workplace(Spread, Protocol):
    """A place that runs numbered work: a `Spread` that also examines the blocks of a campaign.

    kept: the store that keeps the blocks; None to keep none.
    """

    kept: Store | None

    def examined(self, opens: Opens, missing: Sequence[range], tick: Tick) -> Iterator[list[Block]]:
        """Yield the blocks of all missing numbers, some at a time, when the store has them.

        opens: can be pickled, unless this is the process. tick: called on Spark with zeros.
        """

    def pieces(self, work: Callable[[int], Json], count: int, activity: str) -> list[Json]:
        """Return work(0) .. work(count - 1), in this order. Kept values are not computed again.

        The fields `differences` and `fates` of a value are kept as rows of these tables, and not
        read again.
        """
        first = (crc32(activity.encode()) & 0x7FFF_FFFF) << 32  # a folder can keep several
        found: dict[int, Json] = {}

        def add(tables: Tables) -> None:
            for row in tables["pieces"]:
                if row["activity"] == activity:
                    found[row["number"]] = strict_json(row["value"])

        for _, tables in () if self.kept is None else self.kept.blocks():
            add(tables)
        rest = gaps(bytearray(number in found for number in range(count)))
        missing = [range(first + each.start, first + each.stop) for each in rest]
        self.progress(len(found), count, activity)

        def examine(block: int) -> Tables:
            """Return the value of a piece as a block."""
            value = work(block - first)
            fields: dict[str, Any] = value if isinstance(value, dict) else {}
            rows = {name: fields.pop(name, ()) for name in (DIFFERENCES, FATES)}
            text = json.dumps(value)  # its fields stay in their order, as a report lists them
            row = {"activity": activity, "number": block - first, "value": text}
            return {"pieces": [row], **rows, BLOCKS: [block_row(histories=1)]}

        every = self.examined(lambda *_: nullcontext(examine), missing, max)
        for blocks in every if missing else ():
            for _, tables in blocks:
                add(tables)
            self.progress(len(found), count, activity)
        return [found[number] for number in range(count)]


@frozen
class InProcess(Workplace):
    """This process as a `Spread`."""

    progress: ReportProgress
    kept: Store | None = None
    place: str = field(default="in this process", init=False)

    def examined(self, opens: Opens, missing: Sequence[range], tick: Tick) -> Iterator[list[Block]]:
        """Yield the block of each missing number, one at a time, when it is given to the store."""
        store = self.kept
        assert store is None or isinstance(store, Folder), "only Spark writes at a URL"
        with opens(tick) as examine:
            for block in (block for numbers in missing for block in numbers):
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
            found = [*work(iter(sorted(rows, key=itemgetter(0))))]
            rows = [(key, value) for key, value in found if key is not None]
            yield [value for key, value in found if key is None]
