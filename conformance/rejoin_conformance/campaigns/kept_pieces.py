"""Work in pieces whose results are kept in a folder, so that an interrupted run continues."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeAlias, TypeVar

from attrs import field, frozen

from rejoin_conformance.campaigns.kept_lines import KeptLines, kept_lines
from rejoin_conformance.contract.spread import ReportProgress, SearchRows, Spread, Stream
from rejoin_conformance.kit.codec import plain, read
from rejoin_conformance.kit.import_graph import closure, modules_of
from rejoin_conformance.kit.json_forms import MalformedError
from rejoin_conformance.kit.json_types import Json, canonical_json, strict_json

if TYPE_CHECKING:
    import pyarrow as pa

R = TypeVar("R")

_FORMAT: Final = 1
_COLUMNS: Final = "piece long, result string, micros long"

_Piece: TypeAlias = tuple[int, Json, int]
"""The number of a piece, its result, and its time in microseconds."""


@frozen
class _Line:
    """A line of the file: the result of one piece of an activity."""

    activity: str
    piece: int
    result: Json


@frozen(eq=False)
class KeptPieces:
    """A file of results. found: activity -> number of a piece -> its result."""

    file: KeptLines
    found: dict[str, dict[int, Json]] = field(factory=dict)

    def of(self, activity: str) -> dict[int, Json]:
        """Return the results of an activity, by the numbers of its pieces."""
        return self.found.setdefault(activity, {})

    def add(self, activity: str, results: Sequence[_Piece]) -> None:
        """Append results of an activity to the file."""
        self.file.add(plain(_Line(activity, piece, result)) for piece, result, _ in results)
        self.of(activity).update((piece, result) for piece, result, _ in results)


def kept_pieces(directory: Path, name: str, module: str, bounds: Mapping[str, int]) -> KeptPieces:
    """Return the results in the file `NAME.ndjson` of a folder; start the file if there is none.

    module: the module of the work. bounds: the bounds of the work.
    Raises KeptResultsError if the file cannot be read, or is of other code or other bounds.
    """
    file = kept_lines(
        directory / f"{name}.ndjson",
        {"format": _FORMAT, "check": name, "code": _code_digest(module), "bounds": {**bounds}},
    )
    kept = KeptPieces(file)
    try:
        for line in (read(each, _Line) for each in file.lines):
            kept.of(line.activity)[line.piece] = line.result
    except MalformedError:
        raise file.malformed() from None
    return kept


@frozen(eq=False)
class KeepingPieces:
    """A `Spread` that keeps the results of pieces, and does not repeat the kept ones."""

    spread: Spread
    kept: KeptPieces

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
        found = self.kept.of(activity)

        def report(underway: int) -> None:
            self.progress(min(len(found) + underway, count), count, activity)

        report(0)
        stream = Stream(
            begin=partial(_timed, work),
            columns=_COLUMNS,
            to_batch=_to_batch,
            from_batches=_from_batches,
            micros=_micros,
        )
        for results in self.spread.stream(stream, _gaps(found, count), report):
            self.kept.add(activity, results)
            report(0)
        return [found[piece] for piece in range(count)]

    def rounds(
        self, work: SearchRows, first: Sequence[tuple[bytes, bytes]], count: int
    ) -> Iterator[list[bytes]]:
        """Run rounds of a search; they are not kept."""
        return self.spread.rounds(work, first, count)

    def stream(
        self, work: Stream[R], missing: Iterable[range], heard: Callable[[int], None]
    ) -> Iterator[tuple[R, ...]]:
        """Yield the results for all numbers in `missing`; they are not kept."""
        return self.spread.stream(work, missing, heard)


def _code_digest(module: str) -> str:
    """Return the digest of the sources on which a module of the suite depends, as hex."""
    modules = {**modules_of("rejoin"), **modules_of("rejoin_conformance")}
    digest = hashlib.sha256()
    for name in sorted(closure([module], modules)):
        digest.update(name.encode() + b"\0" + modules[name].read_bytes() + b"\0")
    return digest.hexdigest()


def _gaps(found: Mapping[int, Json], count: int) -> list[range]:
    """Return the missing numbers below `count` as ranges of consecutive numbers, ascending."""
    gaps: list[range] = []
    for piece in range(count):
        if piece in found:
            continue
        if gaps and gaps[-1].stop == piece:
            gaps[-1] = range(gaps[-1].start, piece + 1)
        else:
            gaps.append(range(piece, piece + 1))
    return gaps


@contextmanager
def _timed(work: Callable[[int], Json]) -> Iterator[Callable[[int], _Piece]]:
    def result(piece: int) -> _Piece:
        start = time.monotonic_ns()
        found = work(piece)
        return piece, found, (time.monotonic_ns() - start) // 1000

    yield result


def _micros(piece: _Piece) -> int:
    return piece[2]


def _to_batch(pieces: Sequence[_Piece]) -> pa.RecordBatch:
    """Return results as rows of Arrow, each result as JSON."""
    import pyarrow as pa  # noqa: PLC0415 - a worker's import

    return pa.RecordBatch.from_arrays(
        [
            pa.array([piece for piece, _, _ in pieces], pa.int64()),
            pa.array([canonical_json(result) for _, result, _ in pieces], pa.string()),
            pa.array([micros for _, _, micros in pieces], pa.int64()),
        ],
        names=["piece", "result", "micros"],
    )


def _from_batches(batches: Iterable[Any]) -> Iterator[_Piece]:
    """Yield the results in rows of Arrow."""
    for batch in batches:
        columns = [column.to_pylist() for column in batch.columns]
        for piece, result, micros in zip(*columns, strict=True):
            yield piece, strict_json(result), micros
