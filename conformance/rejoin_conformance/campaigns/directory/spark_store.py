"""Keep a campaign at a URL of Spark's file systems: hdfs://, s3a://, abfss://, gs:// ...

The store reads and writes data frames, so it also works over Spark Connect. The URL contains
`manifest`, a text of one line, and `blocks/` with a folder for each wave, which has one Parquet
file. Spark's committer moves a file into place when it is complete. The store never reads files in
`_temporary`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Final

from attrs import frozen

from rejoin_conformance.campaigns.directory.checksums import table_with_checksums, verified_blocks
from rejoin_conformance.campaigns.directory.rows import FinishedBlock, wave_name
from rejoin_conformance.campaigns.directory.store import (
    FailedWriteError,
    StoreError,
    UnreachableError,
)
from rejoin_conformance.campaigns.spark.failures import reason_of
from rejoin_conformance.kit.json_types import (
    JsonObject,
    NotStrictJsonError,
    canonical_json,
    strict_json,
)

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

_ABSENT: Final = ("PATH_NOT_FOUND", "UNABLE_TO_INFER_SCHEMA")
_WRONG_ADDRESS: Final = ("No FileSystem for scheme", "Incomplete HDFS URI", "URISyntaxException")

_AT_A_TIME: Final = 4000
"""The number of blocks to read at a time; the driver holds them."""


@frozen
class SparkStore:
    """The campaign at a URL."""

    session: SparkSession
    address: str

    def manifest(self) -> JsonObject | None:
        """Return the manifest, or None if there is none.

        Raises StoreError if it is corrupt or the address is wrong, and UnreachableError if nothing
        can be read.
        """
        try:
            lines = self.session.read.text(f"{self.address}/manifest").collect()
        except Exception as error:  # noqa: BLE001 - Spark has many exception classes
            if _is_absent(error):
                return None
            raise self._unreadable(error) from None
        try:
            value = strict_json(lines[0][0]) if lines else None
        except NotStrictJsonError as error:
            raise StoreError(f"{self.address}/manifest is corrupt: {error}") from None
        if value is not None and not isinstance(value, dict):
            raise StoreError(f"{self.address}/manifest is not the manifest of a campaign")
        return value

    @cached_property
    def _manifest(self) -> JsonObject | None:
        """The manifest, which does not change while the store is in use."""
        return self.manifest()

    def begin(self, manifest: JsonObject) -> None:
        """Write the manifest of a new campaign."""
        frame = self.session.createDataFrame([(canonical_json(manifest),)], "value string")
        try:
            frame.coalesce(1).write.mode("overwrite").text(f"{self.address}/manifest")
        except Exception as error:  # noqa: BLE001 - as above
            raise _failed_write(self.address, error) from None

    def waves(self) -> Iterator[Sequence[FinishedBlock]]:
        """Yield the finished blocks, some thousands at a time, in the order of their numbers.

        Such a store has no lock. If two drivers have done the same block, their rows are equal, and
        one of them is used.
        """
        try:
            kept = self.session.read.parquet(f"{self.address}/blocks/*")
            highest = kept.selectExpr("max(block)").collect()[0][0]
            for first in range(0, -1 if highest is None else highest + 1, _AT_A_TIME):
                part = kept.where(f"block between {first} and {first + _AT_A_TIME - 1}")
                rows = part.dropDuplicates(["block"]).toArrow()
                blocks = verified_blocks(self._manifest, rows.to_batches())
                yield tuple(sorted(blocks, key=lambda each: each.result.block))
        except Exception as error:  # noqa: BLE001 - as above
            if not _is_absent(error):
                self.manifest()  # without its server, the campaign is not corrupt
                raise StoreError(f"{self.address} cannot be read: {reason_of(error)}") from None

    def keep(self, blocks: Sequence[FinishedBlock]) -> None:
        """Write a finished wave into a folder named after its first and last block."""
        folder = f"{self.address}/blocks/{wave_name(blocks)}"
        frame = self.session.createDataFrame(table_with_checksums(self._manifest, blocks)).coalesce(
            1
        )
        try:
            frame.write.mode("overwrite").option("compression", "zstd").parquet(folder)
        except Exception as error:  # noqa: BLE001 - as above
            raise _failed_write(self.address, error) from None

    def _unreadable(self, error: Exception) -> StoreError:
        """Return the error of a manifest that Spark cannot read."""
        fault = f"{self.address} cannot be read: {reason_of(error)}"
        if any(name in str(error) for name in _WRONG_ADDRESS):
            return StoreError(fault)
        return UnreachableError(
            f"{fault}; correct the address or its settings, or start its server, and run the same "
            "command again"
        )


def _is_absent(error: Exception) -> bool:
    return any(name in str(error) for name in _ABSENT)


def _failed_write(address: str, error: Exception) -> FailedWriteError:
    return FailedWriteError(
        f"{address} cannot be written to: {reason_of(error)}; earlier blocks are saved: "
        "fix the address and run the same command again"
    )
