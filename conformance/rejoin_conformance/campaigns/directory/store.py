"""Where a campaign's finished blocks are kept: what is asked of such a place.

`local_store` keeps them in a folder of the driver's machine, `spark_store` at any address that
Spark's file systems understand. In either a finished wave is one Parquet file that is there as a
whole or not at all, so that a campaign can end at any moment and go on from there.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Protocol

from rejoin_conformance.campaigns.directory.rows import FinishedBlock
from rejoin_conformance.kit.json_types import JsonObject


class StoreError(Exception):
    """The place cannot be used, in one line: where, what is wrong, what to do."""


class OtherCampaignError(StoreError):
    """The place holds another campaign."""


class BusyError(StoreError):
    """Another process is at work in the place."""


class FailedWriteError(StoreError):
    """The place took no more: a full disk, a lost file system. What was kept before is whole."""


class Store(Protocol):
    """A place that keeps the blocks of one campaign."""

    def manifest(self) -> JsonObject | None:
        """The manifest that is kept there, or None where there is no campaign yet."""

    def begin(self, manifest: JsonObject) -> None:
        """Keep the manifest of a new campaign."""

    def waves(self) -> Iterator[Sequence[FinishedBlock]]:
        """The finished blocks, wave by wave, in the order of their numbers."""

    def keep(self, blocks: Sequence[FinishedBlock]) -> None:
        """Keep a finished wave: one block at least, in the order of their numbers."""
