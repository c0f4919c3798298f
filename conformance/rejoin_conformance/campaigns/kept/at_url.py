"""Keep results at a URL of Spark's file systems: hdfs://, s3a://, abfss://, gs:// ...

The executors write the tables, and the driver reads them, as data frames; so this also works over
Spark Connect. Spark's committer moves a file into place when it is complete. It loses files if two
jobs write to one folder at a time, so each attempt has a folder in each table, and one slice is
written at a time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from threading import Lock
from typing import TYPE_CHECKING, Any, Final

from rejoin_conformance.campaigns.kept.store import (
    CAMPAIGNS,
    Store,
    StoreError,
    UnusableNowError,
    header_in,
)
from rejoin_conformance.campaigns.spark.failures import reason_of
from rejoin_conformance.campaigns.tables import BLOCKS, TABLES, arrow_schema, columns_of, ddl
from rejoin_conformance.kit.json_types import JsonObject

if TYPE_CHECKING:
    import pyarrow as pa
    from pyspark.sql import DataFrame, DataFrameWriter, SparkSession

_ABSENT: Final = ("PATH_NOT_FOUND", "UNABLE_TO_INFER_SCHEMA")
_WRONG_ADDRESS: Final = ("No FileSystem for scheme", "Incomplete HDFS URI", "URISyntaxException")

_SUMMED: Final = (
    "case table when 'violations' then history is not null when 'verdicts' then restarts > 0 "
    "else true end"
)
_TABLE: Final = r"regexp_extract(path, r'([^/]+)(/attempt=[^/]+)?/[^/]+$', 1)"
"""The name of the table of a file, in Spark's SQL."""
_RECURSIVE: Final = {"recursiveFileLookup": "true"}
_AT_A_TIME: Final = 4000
"""The number of blocks to read at a time; the driver holds their rows."""


class AtUrl(Store):
    """The results at a URL."""

    def __init__(self, session: SparkSession, address: str) -> None:
        super().__init__(address)
        self.session = session
        self._writing = Lock()

    def header(self) -> JsonObject | None:
        """Return the header, or None if there is none.

        Raises StoreError if it is corrupt or the address is wrong, and UnusableNowError if nothing
        can be read.
        """
        path = f"{self.address}/{CAMPAIGNS}"
        try:
            table = self.session.read.parquet(path).limit(1).toArrow()
        except Exception as error:  # noqa: BLE001 - Spark has many exception classes
            if _names(error, _ABSENT):
                return None
            fault = f"{self.address} cannot be read: {reason_of(error)}"
            if _names(error, _WRONG_ADDRESS):
                raise StoreError(fault) from None
            raise UnusableNowError(
                f"{fault}; correct the address or its settings, or start its server, and run the "
                "same command again"
            ) from None
        return header_in(table, path)

    def write(self, table: str, rows: pa.Table, name: str) -> None:  # noqa: ARG002 - Spark names it
        """Let Spark write a file of a table."""
        self._write(self.session.createDataFrame(rows).coalesce(1), table)

    def parts(self) -> Iterator[tuple[str, Mapping[str, pa.Table]]]:
        """Yield the tables of some blocks at a time.

        Such a store has no lock. If two drivers have done the same block, the later one counts.
        """
        frames = self._read(self.frames)
        if BLOCKS not in frames:
            return
        highest = self._read(lambda: frames[BLOCKS].selectExpr("max(block)").collect())[0][0]
        for first in range(0, -1 if highest is None else highest + 1, _AT_A_TIME):
            where = f"block between {first} and {first + _AT_A_TIME - 1}"
            some = {name: frame.where(where) for name, frame in frames.items()}
            read = {name: self._read(frame.toArrow) for name, frame in some.items()}
            yield (
                self.address,
                {name: each.cast(arrow_schema(columns_of(name))) for name, each in read.items()},
            )

    def add_frame(self, wide: DataFrame) -> pa.Table:
        """Let the executors write a wide frame, `blocks` last. Return the rows that are summed up.

        They are all but the violations whose history is not kept, and the calls without a restart.
        """
        held = wide.persist()
        try:
            found = {row[0] for row in held.groupBy("table").count().collect()}
            with self._writing:
                for name in TABLES:
                    if name in found:
                        rows = held.where(f"table = '{name}'").select(*columns_of(name))
                        self._write(rows, f"{name}/attempt={self.attempt}")
            return held.where(_SUMMED).toArrow()
        finally:
            held.unpersist()

    def frames(self) -> dict[str, DataFrame]:
        """Return table -> its rows, for each table that has files.

        To read a table that has none would log an error of a hundred lines.
        """
        reader = self.session.read.format("binaryFile").options(**_RECURSIVE)
        try:
            files = reader.option("pathGlobFilter", "*.parquet").load(self.address)
            tables = files.selectExpr(_TABLE).distinct().collect()
        except Exception as error:
            if _names(error, _ABSENT):
                return {}
            raise
        read = self.session.read.options(**_RECURSIVE)
        return {
            name: read.schema(ddl(columns_of(name))).parquet(f"{self.address}/{name}")
            for (name,) in tables
            if name in TABLES
        }

    def _read(self, read: Callable[[], Any]) -> Any:
        """Return what a function reads. Raises StoreError if it fails."""
        try:
            return read()
        except Exception as error:  # noqa: BLE001 - as above
            self.header()  # without its server, the campaign is not corrupt
            raise StoreError(f"{self.address} cannot be read: {reason_of(error)}") from None

    def _write(self, frame: DataFrame, folder: str) -> None:
        writer: DataFrameWriter = frame.write.option("compression", "zstd").mode("append")
        try:
            writer.parquet(f"{self.address}/{folder}")
        except Exception as error:  # noqa: BLE001 - as above
            raise UnusableNowError(
                f"{self.address} cannot be written to: {reason_of(error)}; earlier blocks are "
                "saved: fix the address and run the same command again"
            ) from None


def _names(error: Exception, parts: Sequence[str]) -> bool:
    return any(part in str(error) for part in parts)
