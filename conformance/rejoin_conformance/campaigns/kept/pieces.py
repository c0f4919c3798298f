"""A place that keeps the values of pieces of work, and does not compute the kept ones again."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Final

from attrs import field, frozen

from rejoin_conformance.campaigns.kept.code import code_digest
from rejoin_conformance.campaigns.kept.lines import Lines, lines_of
from rejoin_conformance.campaigns.kept.store import StoreError, every_row
from rejoin_conformance.campaigns.pieces import gathered
from rejoin_conformance.contract.spread import ReportProgress, Result, SearchRows, Spread, Work
from rejoin_conformance.kit.json_types import Json, JsonObject

_FORMAT: Final = 2


@frozen(eq=False)
class KeepingPieces:
    """A `Spread` that keeps the values of pieces. found: activity -> number -> value."""

    spread: Spread
    store: Lines
    found: dict[str, dict[int, Json]] = field(factory=dict)

    @property
    def place(self) -> str:
        """Return the name of the place that runs the pieces."""
        return self.spread.place

    @property
    def progress(self) -> ReportProgress:
        """Return the function that reports the progress of the work."""
        return self.spread.progress

    def pieces(self, work: Callable[[int], Json], count: int, activity: str) -> list[Json]:
        """Return work(0) .. work(count - 1), in this order.

        Raises JobFailedError if Spark, or the work, fails.
        """
        known = self.found.setdefault(activity, {})
        return gathered(self, work, count, activity, known, partial(self._keep, activity))

    def rounds(
        self, work: SearchRows, first: Sequence[tuple[bytes, bytes]], count: int
    ) -> Iterator[list[bytes]]:
        """Run rounds of a search; they are not kept."""
        return self.spread.rounds(work, first, count)

    def stream(
        self, work: Work, missing: Iterable[range], heard: Callable[[int], None]
    ) -> Iterator[tuple[Result, ...]]:
        """Yield the results for all numbers in `missing`; they are not kept."""
        return self.spread.stream(work, missing, heard)

    def _keep(self, activity: str, results: Sequence[Result]) -> None:
        self.store.add(
            [{"activity": activity, "number": each.number, "value": each.value} for each in results]
        )
        self.found[activity].update((each.number, each.value) for each in results)


def keeping_pieces(
    spread: Spread, folder: Path, name: str, module: str, bounds: Mapping[str, int]
) -> KeepingPieces:
    """Return the place with the values in the file `NAME.ndjson` of a folder.

    module: the module of the work. bounds: the bounds of the work. Raises StoreError if the file
    cannot be read, or is of other code or other bounds.
    """
    header: JsonObject = {
        "format": _FORMAT,
        "check": name,
        "code": code_digest([module]),
        "bounds": {**bounds},
    }
    path = folder / f"{name}.ndjson"
    kept = KeepingPieces(spread, lines_of(path, header))
    for row in every_row(kept.store):
        if {*row} != {"activity", "number", "value"}:
            raise StoreError(f"{path} is corrupt: a line is not a result; delete the file")
        kept.found.setdefault(row["activity"], {})[row["number"]] = row["value"]
    return kept
