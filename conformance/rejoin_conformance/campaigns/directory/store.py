"""The interface of a store for a campaign's finished blocks.

`local_store` keeps them in a folder of the driver's machine, `spark_store` at a URL of Spark's file
systems. In both, a finished wave is one Parquet file that is either complete or missing, so a
campaign can be interrupted at any time and resumed.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Protocol

from rejoin_conformance.campaigns.directory.rows import FinishedBlock
from rejoin_conformance.kit.json_types import JsonObject


class StoreError(Exception):
    """The store cannot be used. The message is one line: place, fault and what to do."""


class OtherCampaignError(StoreError):
    """The store has another campaign."""


class BusyError(StoreError):
    """Another process uses the store."""


class FailedWriteError(StoreError):
    """The store cannot write, for example to a full disk. Earlier blocks are complete."""


class UnreachableError(StoreError):
    """The store cannot be reached, for example because its server is down."""


class Store(Protocol):
    """A store for the blocks of one campaign."""

    def manifest(self) -> JsonObject | None:
        """Return the manifest, or None if there is no campaign yet."""

    def begin(self, manifest: JsonObject) -> None:
        """Write the manifest of a new campaign."""

    def waves(self) -> Iterator[Sequence[FinishedBlock]]:
        """Yield the finished blocks, wave by wave, in the order of their numbers."""

    def keep(self, blocks: Sequence[FinishedBlock]) -> None:
        """Write a finished wave: at least one block, in the order of their numbers."""
