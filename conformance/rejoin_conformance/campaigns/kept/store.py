"""The interface of a store for results, and its errors."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, Final, Protocol, TypeAlias

from rejoin_conformance.kit.errors import ExpectedError, IncompleteError
from rejoin_conformance.kit.json_types import (
    JsonObject,
    NotStrictJsonError,
    canonical_json,
    digest_of,
    strict_json,
)

if TYPE_CHECKING:
    import pyarrow as pa

Row: TypeAlias = dict[str, Any]
"""One result. In a store of Parquet files it has a `number`."""

_COLUMNS: Final = ("number", "row", "checksum")


class StoreError(ExpectedError):
    """The store cannot be used. The message is one line: place, fault and what to do."""


class OtherResultsError(StoreError):
    """The store has results of other work, such as another campaign."""


class BusyError(StoreError, IncompleteError):
    """Another process uses the store."""


class FailedWriteError(StoreError, IncompleteError):
    """The store cannot write, for example to a full disk. Earlier results are complete."""


class UnreachableError(StoreError, IncompleteError):
    """The store cannot be reached, for example because its server is down."""


class Store(Protocol):
    """A store for the results of one work."""

    def header(self) -> JsonObject | None:
        """Return the header, or None if nothing is kept yet."""

    def begin(self, header: JsonObject) -> None:
        """Write the header of new work."""

    def rows(self) -> Iterator[Sequence[Row]]:
        """Yield the rows, in groups."""

    def add(self, rows: Sequence[Row]) -> None:
        """Write some rows, completely or not at all."""


def begin_or_go_on(store: Store, header: JsonObject, address: str) -> None:
    """Begin new work in a store, or check that it has results of the same work.

    Raises OtherResultsError, with the fields in which the headers differ.
    """
    kept = store.header()
    if kept is None:
        store.begin(header)
    elif kept != header:
        raise OtherResultsError(
            f"{address} has other results ({'; '.join(differences(kept, header))}); choose another "
            "directory, or rerun the original command with the version that started it"
        )


def every_row(store: Store) -> list[Row]:
    """Return all rows in a store. Raises StoreError."""
    return [row for rows in store.rows() for row in rows]


def differences(kept: JsonObject, wanted: JsonObject) -> list[str]:
    """Return one phrase for each field in which two headers differ.

    If the formats differ, the other fields cannot be compared.
    """
    if kept.get("format") != wanted.get("format"):
        kept, wanted = ({"format": each.get("format")} for each in (kept, wanted))
    there, here = _flat(kept), _flat(wanted)
    return [
        f"{name} {_short(there.get(name))} there, {_short(here.get(name))} here"
        for name in {**here, **there}
        if there.get(name) != here.get(name)
    ]


def _flat(header: JsonObject) -> JsonObject:
    """Return a header with the fields of its objects beside its own."""
    flat: JsonObject = {}
    for name, value in header.items():
        flat |= value if isinstance(value, dict) else {name: value}
    return flat


def _short(value: object) -> str:
    text = value if isinstance(value, str) else canonical_json(value)  # type: ignore[arg-type]  # a header is JSON
    return text if len(text) <= 40 else f"{text[:37]}..."


def object_in(text: str | bytes, place: str) -> JsonObject:
    """Return the JSON object that a kept text is. Raises StoreError, with its place."""
    try:
        value = strict_json(text)
    except NotStrictJsonError as error:
        raise StoreError(f"{place} is corrupt: {error}") from None
    if not isinstance(value, dict):
        raise StoreError(f"{place} is corrupt: it is not an object")
    return value


def group_name(rows: Sequence[Row]) -> str:
    """Return the name under which a group of rows is kept: its first and last number."""
    return f"{rows[0]['number']:010}-{rows[-1]['number']:010}"


def table_of(header: JsonObject | None, rows: Sequence[Row]) -> pa.Table:
    """Return rows as an Arrow table.

    Parquet does not notice every flipped bit, and a row of one campaign looks like a row of
    another. Each row therefore has a checksum, which also covers the header.
    """
    import pyarrow as pa  # noqa: PLC0415 - optional

    texts = [canonical_json(row) for row in rows]
    checksums = [digest_of([header, text]) for text in texts]
    return pa.table(
        [pa.array([row["number"] for row in rows], pa.int64()), texts, checksums], _COLUMNS
    )


def rows_in(header: JsonObject | None, batches: Iterable[pa.RecordBatch]) -> Iterator[Row]:
    """Yield the rows of such a table.

    Raises ValueError for a wrong checksum, and ValueError, KeyError or TypeError for other columns.
    """
    for batch in batches:
        for each in batch.to_pylist():
            number, text, checksum = (each[name] for name in _COLUMNS)
            row: Any = strict_json(text)
            if checksum != digest_of([header, text]) or row["number"] != number:
                raise ValueError(f"row {number} is corrupt or belongs to other work")
            yield row
