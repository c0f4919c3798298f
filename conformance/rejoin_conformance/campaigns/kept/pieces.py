"""A place that keeps the values of pieces of work, and does not compute the kept ones again."""

from __future__ import annotations

import os
import socket
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from attrs import field, frozen

from rejoin_conformance.campaigns.kept.code import code_digest
from rejoin_conformance.campaigns.kept.folder import Folder, locked
from rejoin_conformance.campaigns.kept.store import begin_or_go_on, new_header
from rejoin_conformance.campaigns.tables import (
    BLOCKS,
    DIFFERENCES,
    Row,
    Tables,
    columns_of,
    rows_in,
)
from rejoin_conformance.contract.spread import (
    Keep,
    ReportProgress,
    SearchRows,
    Spread,
    nothing_kept,
)
from rejoin_conformance.kit.json_types import Json, JsonObject, canonical_json, strict_json


def block_of(**rows: Iterable[Row]) -> Tables:
    """Return rows as a block: table -> its rows."""
    tables = {table: columns_of(table, each) for table, each in rows.items()}
    row = {
        "first": 0,
        "histories": len(next(iter(next(iter(tables.values())).values()))),
        "digest": "",
        "began": time.time_ns() // 1000,
        "micros": 0,
        "cpu_micros": 0,
        "worker": f"{socket.gethostname()}:{os.getpid()}",
    }
    return {**tables, BLOCKS: columns_of(BLOCKS, [row])}


@contextmanager
def kept_work(path: Path, header: JsonObject) -> Iterator[Folder]:
    """Yield the store in a folder, for the work of a header. Raises StoreError."""
    with locked(path) as folder:
        begin_or_go_on(folder, header, str(path))
        yield folder


@frozen(eq=False)
class KeepingPieces:
    """A `Spread` that keeps the values of pieces. found: activity -> number -> value.

    The field `differences` of a value is kept as rows of that table, and not read again.
    """

    spread: Spread
    store: Folder
    found: dict[str, dict[int, Json]] = field(factory=dict)

    @property
    def place(self) -> str:
        """Return the name of the place that runs the pieces."""
        return self.spread.place

    @property
    def progress(self) -> ReportProgress:
        """Return the function that reports the progress of the work."""
        return self.spread.progress

    def pieces(
        self,
        work: Callable[[int], Json],
        count: int,
        activity: str,
        known: Mapping[int, Json] | None = None,
        keep: Keep = nothing_kept,
    ) -> list[Json]:
        """Return work(0) .. work(count - 1), in this order.

        Raises JobFailedError if Spark, or the work, fails.
        """
        found = self.found.setdefault(activity, {})

        def kept(new: Mapping[int, Json]) -> None:
            self._keep(activity, new)
            keep(new)

        return self.spread.pieces(work, count, activity, {**(known or {}), **found}, kept)

    def rounds(
        self, work: SearchRows, first: Sequence[tuple[bytes, bytes]], count: int
    ) -> Iterator[list[bytes]]:
        """Run rounds of a search; they are not kept."""
        return self.spread.rounds(work, first, count)

    def _keep(self, activity: str, new: Mapping[int, Json]) -> None:
        for number, value in new.items():
            rows: Any = value.pop(DIFFERENCES, ()) if isinstance(value, dict) else ()
            row = {"activity": activity, "number": number, "value": canonical_json(value)}
            block = block_of(pieces=[row], differences=rows)
            self.store.add(sum(map(len, self.found.values())), block)
            self.found[activity][number] = value


@contextmanager
def keeping_pieces(
    spread: Spread, folder: Path, kind: str, plan: JsonObject, modules: Iterable[str]
) -> Iterator[KeepingPieces]:
    """Yield the place with the values that are kept in a folder.

    kind: of the work. plan: what the values depend on. modules: of the work. Raises StoreError if
    the folder cannot be read, or is of other work or other code.
    """
    with kept_work(folder, new_header(kind, plan, code_digest(modules))) as store:
        kept = KeepingPieces(spread, store)
        for _, tables in store.blocks():
            for row in rows_in(tables["pieces"]):
                values = kept.found.setdefault(row["activity"], {})
                values[row["number"]] = strict_json(row["value"])
        yield kept
