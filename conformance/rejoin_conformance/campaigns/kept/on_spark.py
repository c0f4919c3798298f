"""Keep results at a URL of Spark's file systems: hdfs://, s3a://, abfss://, gs:// ...

The store reads and writes data frames, so it also works over Spark Connect. The URL contains
`manifest`, a text of one line, and `blocks/` with a folder for each group, which has one Parquet
file. Spark's committer moves a file into place when it is complete. The store never reads files in
`_temporary`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from operator import itemgetter
from typing import TYPE_CHECKING, Final

from attrs import frozen

from rejoin_conformance.campaigns.kept.store import (
    FailedWriteError,
    Row,
    StoreError,
    UnreachableError,
    group_name,
    object_in,
    rows_in,
    table_of,
)
from rejoin_conformance.campaigns.spark.failures import reason_of
from rejoin_conformance.kit.json_types import JsonObject, canonical_json

if TYPE_CHECKING:
    from pyspark.sql import DataFrameWriter, SparkSession

_ABSENT: Final = ("PATH_NOT_FOUND", "UNABLE_TO_INFER_SCHEMA")
_WRONG_ADDRESS: Final = ("No FileSystem for scheme", "Incomplete HDFS URI", "URISyntaxException")

_AT_A_TIME: Final = 4000
"""The number of rows to read at a time; the driver holds them."""


@frozen
class AtUrl:
    """The results at a URL."""

    session: SparkSession
    address: str

    def header(self) -> JsonObject | None:
        """Return the header, or None if there is none.

        Raises StoreError if it is corrupt or the address is wrong, and UnreachableError if nothing
        can be read.
        """
        path = f"{self.address}/manifest"
        try:
            lines = self.session.read.text(path).collect()
        except Exception as error:  # noqa: BLE001 - Spark has many exception classes
            if _names(error, _ABSENT):
                return None
            fault = f"{self.address} cannot be read: {reason_of(error)}"
            if _names(error, _WRONG_ADDRESS):
                raise StoreError(fault) from None
            raise UnreachableError(
                f"{fault}; correct the address or its settings, or start its server, and run the "
                "same command again"
            ) from None
        return object_in(lines[0][0], path) if lines else None

    @cached_property
    def _header(self) -> JsonObject | None:
        """The header, which does not change while the store is in use."""
        return self.header()

    def begin(self, header: JsonObject) -> None:
        """Write the header of new work."""
        frame = self.session.createDataFrame([(canonical_json(header),)], "value string")
        self._write(frame.coalesce(1).write, lambda writer: writer.text(f"{self.address}/manifest"))

    def rows(self) -> Iterator[Sequence[Row]]:
        """Yield the rows, some thousands at a time, in the order of their numbers.

        Such a store has no lock. If two drivers have done the same work, their rows differ only in
        their times, and one of them is used.
        """
        try:
            kept = self.session.read.parquet(f"{self.address}/blocks/*")
            highest = kept.selectExpr("max(number)").collect()[0][0]
            for first in range(0, -1 if highest is None else highest + 1, _AT_A_TIME):
                part = kept.where(f"number between {first} and {first + _AT_A_TIME - 1}")
                batches = part.dropDuplicates(["number"]).toArrow().to_batches()
                yield sorted(rows_in(self._header, batches), key=itemgetter("number"))
        except Exception as error:  # noqa: BLE001 - as above
            if not _names(error, _ABSENT):
                self.header()  # without its server, the campaign is not corrupt
                raise StoreError(f"{self.address} cannot be read: {reason_of(error)}") from None

    def add(self, rows: Sequence[Row]) -> None:
        """Write a group of rows into a folder named after its first and last number."""
        folder = f"{self.address}/blocks/{group_name(rows)}"
        frame = self.session.createDataFrame(table_of(self._header, rows))
        writer = frame.coalesce(1).write.option("compression", "zstd")
        self._write(writer, lambda writer: writer.parquet(folder))

    def _write(self, writer: DataFrameWriter, write: Callable[[DataFrameWriter], None]) -> None:
        try:
            write(writer.mode("overwrite"))
        except Exception as error:  # noqa: BLE001 - as above
            raise FailedWriteError(
                f"{self.address} cannot be written to: {reason_of(error)}; earlier blocks are "
                "saved: fix the address and run the same command again"
            ) from None


def _names(error: Exception, parts: Sequence[str]) -> bool:
    return any(part in str(error) for part in parts)
