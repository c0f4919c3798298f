"""Keep a campaign at an address of Spark's file systems: hdfs://, s3a://, abfss://, gs:// ...

Everything is read and written as data frames, so that it works over Spark Connect, too. Below the
address lie `manifest`, a text of one line, and one folder a wave below `blocks/`, with one Parquet
file in it. Spark's committer puts a file in place when it is whole, and what lies in `_temporary`
is never read.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Final

from attrs import frozen

from rejoin_conformance.campaigns.directory.rows import (
    FinishedBlock,
    blocks_of,
    table_of,
    wave_name,
)
from rejoin_conformance.campaigns.directory.store import FailedWriteError, StoreError
from rejoin_conformance.campaigns.spark.session import reason_of
from rejoin_conformance.kit.json_types import (
    JsonObject,
    NotStrictJsonError,
    canonical_json,
    strict_json,
)

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

_ABSENT: Final = ("PATH_NOT_FOUND", "UNABLE_TO_INFER_SCHEMA")


_AT_A_TIME: Final = 4000
"""Blocks that are read in one go; the driver holds them."""


@frozen
class SparkStore:
    """The campaign below an address."""

    session: SparkSession
    address: str

    def manifest(self) -> JsonObject | None:
        """The manifest, or None where there is none. Raises StoreError where it is broken."""
        try:
            lines = self.session.read.text(f"{self.address}/manifest").collect()
        except Exception as error:  # noqa: BLE001 - Spark has a hundred classes of them
            if _is_absent(error):
                return None
            raise StoreError(f"{self.address} cannot be read: {reason_of(error)}") from None
        try:
            value = strict_json(lines[0][0]) if lines else None
        except NotStrictJsonError as error:
            raise StoreError(f"{self.address}/manifest is broken: {error}") from None
        if value is not None and not isinstance(value, dict):
            raise StoreError(f"{self.address}/manifest is not the manifest of a campaign")
        return value

    def begin(self, manifest: JsonObject) -> None:
        """Keep the manifest of a new campaign."""
        frame = self.session.createDataFrame([(canonical_json(manifest),)], "value string")
        try:
            frame.coalesce(1).write.mode("overwrite").text(f"{self.address}/manifest")
        except Exception as error:  # noqa: BLE001 - as above
            raise _failed_write(self.address, error) from None

    def waves(self) -> Iterator[Sequence[FinishedBlock]]:
        """The finished blocks, some thousands at a time, in the order of their numbers.

        Nothing keeps two drivers out of such a place; should both have done a block, then both
        have found the same, and one of the two rows is taken.
        """
        try:
            kept = self.session.read.parquet(f"{self.address}/blocks/*")
            highest = kept.selectExpr("max(block)").collect()[0][0]
            for first in range(0, -1 if highest is None else highest + 1, _AT_A_TIME):
                part = kept.where(f"block between {first} and {first + _AT_A_TIME - 1}")
                rows = part.dropDuplicates(["block"]).toArrow()
                blocks = blocks_of(rows.to_batches())
                yield tuple(sorted(blocks, key=lambda each: each.result.block))
        except Exception as error:  # noqa: BLE001 - as above
            if not _is_absent(error):
                raise StoreError(f"{self.address} cannot be read: {reason_of(error)}") from None

    def keep(self, blocks: Sequence[FinishedBlock]) -> None:
        """Keep a finished wave in a folder of the name of its first and last block."""
        folder = f"{self.address}/blocks/{wave_name(blocks)}"
        frame = self.session.createDataFrame(table_of(blocks)).coalesce(1)
        try:
            frame.write.mode("overwrite").option("compression", "zstd").parquet(folder)
        except Exception as error:  # noqa: BLE001 - as above
            raise _failed_write(self.address, error) from None


def _is_absent(error: Exception) -> bool:
    return any(name in str(error) for name in _ABSENT)


def _failed_write(address: str, error: Exception) -> FailedWriteError:
    return FailedWriteError(
        f"{address} cannot be written to: {reason_of(error)}; "
        "what was finished before is kept: mend it and give the same command again"
    )
