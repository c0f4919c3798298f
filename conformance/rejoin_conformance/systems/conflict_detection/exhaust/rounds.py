"""The searches on Spark: one round for each upload, one group of states a piece of work.

A round takes all states in which groups are entered, brings those of one group together, searches
each group, and yields the states that its uploads lead to. What is counted, and the traces that are
kept, do not depend on which worker does what, nor in which order.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import groupby
from operator import itemgetter
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from rejoin_conformance.campaigns.spark.session import cores_of, failures_in_one_line
from rejoin_conformance.contract.system import ReportProgress
from rejoin_conformance.kit.json_types import canonical_json, strict_json
from rejoin_conformance.systems.conflict_detection.exhaust.group import Tally, search_group
from rejoin_conformance.systems.conflict_detection.exhaust.searches import Bounds, Search
from rejoin_conformance.systems.conflict_detection.exhaust.states import initial_state

if TYPE_CHECKING:
    import pyarrow as pa
    from pyspark.sql import DataFrame, SparkSession

SCHEMA: Final = "search int, versions binary, clients binary, trace binary, tally string"
"""A row is a state in which a group is entered, or, with a tally and nothing else, what a worker
counted for one search. A search is known by its place in the sequence of searches."""

PARTITIONS_A_CORE: Final = 4
_BATCH: Final = 10_000

Row: TypeAlias = tuple[int, bytes | None, bytes | None, bytes | None, str | None]


def search_all(
    searches: Sequence[Search],
    bounds: Bounds,
    session: SparkSession,
    progress: ReportProgress,
    partitions: int | None = None,
) -> Mapping[Search, Tally]:
    """Run searches side by side; `partitions` are the pieces of a round.

    The result is the same for any number of partitions.
    """
    pieces = partitions or PARTITIONS_A_CORE * cores_of(session)
    tallies = {search: Tally() for search in searches}
    frame = held = _initial(searches, bounds, session)
    rounds = bounds.uploads + 1
    for number in range(rounds):
        progress(number, rounds, _so_far(tallies))
        after = _searched(searches, frame, bounds, pieces).persist()
        with failures_in_one_line(f"round {number + 1} of {rounds}"):
            counted = after.filter("tally is not null").select("search", "tally").collect()
        for row in counted:
            tallies[searches[row[0]]].add(_tally(row[1]))
        held.unpersist()
        held, frame = after, after.filter("tally is null")
    held.unpersist()
    progress(rounds, rounds, _so_far(tallies))
    return tallies


def _so_far(tallies: Mapping[Search, Tally]) -> str:
    states = sum(tally.states for tally in tallies.values())
    polls = sum(sum(tally.polls) for tally in tallies.values())
    return f"{states:,} states, {polls:,} polls"


def _initial(searches: Sequence[Search], bounds: Bounds, session: SparkSession) -> DataFrame:
    """One row a search: nobody has a version."""
    versions, clients = initial_state(bounds.clients, bounds.slots)
    rows: list[Row] = [(number, versions, clients, b"", None) for number in range(len(searches))]
    return session.createDataFrame(rows, SCHEMA)


def _searched(
    searches: Sequence[Search], frame: DataFrame, bounds: Bounds, partitions: int
) -> DataFrame:
    """One round: the rows of each group side by side, and what searching the groups yields."""
    together = frame.repartition(partitions, "search", "versions")
    ordered = together.sortWithinPartitions("search", "versions")
    return ordered.mapInArrow(partial(_search_batches, searches, bounds), SCHEMA)


def _search_batches(
    searches: Sequence[Search], bounds: Bounds, batches: Iterable[pa.RecordBatch]
) -> Iterator[pa.RecordBatch]:
    """What a worker does: batches of rows in, sorted by group; batches of rows out."""
    import pyarrow as pa  # noqa: PLC0415 - a worker's import

    types = (pa.int32(), pa.binary(), pa.binary(), pa.binary(), pa.string())
    names = ("search", "versions", "clients", "trace", "tally")
    waiting: list[Row] = []

    def batch() -> pa.RecordBatch:
        columns = zip(*waiting, strict=True)
        arrays = [pa.array(column, kind) for column, kind in zip(columns, types, strict=True)]
        waiting.clear()
        return pa.RecordBatch.from_arrays(arrays, names=names)

    for row in _search_rows(searches, bounds, _rows(batches)):
        waiting.append(row)
        if len(waiting) == _BATCH:
            yield batch()
    if waiting:
        yield batch()


def _rows(batches: Iterable[pa.RecordBatch]) -> Iterator[tuple[int, bytes, bytes, bytes]]:
    for batch in batches:
        columns = [batch.column(number).to_pylist() for number in range(4)]
        yield from zip(*columns, strict=True)


def _search_rows(
    searches: Sequence[Search], bounds: Bounds, rows: Iterable[tuple[int, bytes, bytes, bytes]]
) -> Iterator[Row]:
    """Search group after group; at the end what was counted, a row for each search."""
    tallies: dict[int, Tally] = {}
    for (search, versions), group in groupby(rows, key=itemgetter(0, 1)):
        entries = ((clients, trace) for _, _, clients, trace in group)
        tally, left = search_group(searches[search], bounds, versions, entries)
        tallies.setdefault(search, Tally()).add(tally)
        for entry in left:
            yield search, entry.versions, entry.clients, entry.trace, None
    for search, tally in tallies.items():
        yield search, None, None, None, _tally_text(tally)


def _tally_text(tally: Tally) -> str:
    return canonical_json(
        {
            "states": tally.states,
            "uploads": tally.uploads,
            "polls": list(tally.polls),
            "traces": {str(place): trace.hex() for place, trace in tally.traces.items()},
        }
    )


def _tally(text: str) -> Tally:
    value = strict_json(text)
    assert isinstance(value, dict)
    fields: dict[str, Any] = value
    traces = {int(place): bytes.fromhex(trace) for place, trace in fields["traces"].items()}
    return Tally(fields["states"], fields["uploads"], fields["polls"], traces)
