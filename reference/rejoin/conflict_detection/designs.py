"""The interface of the two designs: how a version is made, read and classified.

All other actions of clients are the same in both designs.

Source: "Summary and definitions", two alternative designs
"""

from __future__ import annotations

from typing import Generic, Protocol, TypeVar

from attrs import frozen

from rejoin.conflict_detection.conflict_files import Conflicts
from rejoin.conflict_detection.cost_model import Operations
from rejoin.conflict_detection.definitions import Classification
from rejoin.conflict_detection.grid import Entry, Grid
from rejoin.conflict_detection.local_cache import Cache
from rejoin.conflict_detection.reading import Reading
from rejoin.conflict_detection.version_maps import VersionMap

V = TypeVar("V")


@frozen
class Maker:
    """The maker of a version: its nickname, and the 32-byte seed of its key if it signs."""

    nickname: str
    signing_key: bytes | None = None


@frozen
class Uploaded(Generic[V]):
    """The result of an upload: the new version, its directory entry, and the operations."""

    grid: Grid
    version: V
    entry: Entry
    cache: Cache
    operations: Operations


@frozen
class Found(Generic[V]):
    """The result of a look at another client's entry.

    content: the capability of the version's content; None for a deletion.
    """

    classification: Classification
    version: V
    content: bytes | None
    cache: Cache
    operations: Operations


class Design(Protocol[V]):
    """A representation of versions from which the follows relation can be computed."""

    @property
    def name(self) -> str:
        """Return the design's name in scenarios: `snapshots` or `version-maps`."""

    @property
    def reading(self) -> Reading:
        """Return the reading of the design."""

    def upload(
        self,
        grid: Grid,
        maker: Maker,
        current: V | None,
        removed: Conflicts[V],
        conflict_map: VersionMap,
        content: bytes | None,
        cache: Cache,
    ) -> Uploaded[V]:
        """Make the version that follows `current` and those of the removed conflict files.

        conflict_map: the conflict version map before the removal.
        """

    def find(self, grid: Grid, current: V | None, entry: Entry, cache: Cache) -> Found[V]:
        """Classify another client's entry."""

    def with_ancestors(self, grid: Grid, found: Found[V]) -> Found[V]:
        """Return the finding with the ancestors of the version in the cache.

        Its operations are those that this took in addition.
        """

    def taken(self, nickname: str, version: V) -> V:
        """Return the client's own version after `version` overwrote its file."""

    def noted(self, conflict_map: VersionMap, nickname: str, version: V) -> VersionMap:
        """Return the conflict version map after a conflict with the `version` of `nickname`."""

    def is_same(self, left: V, right: V) -> bool:
        """Return whether two versions are the same version."""

    def is_over(self, cache: Cache, current: V, held: V) -> bool:
        """Return whether a conflict with `held` is over, now that our version is `current`."""

    def ends_when_seen(self) -> bool:
        """Return whether a conflict file no longer counts for a client once a poll finds none."""

    def one_file_per_version(self) -> bool:
        """Return whether a conflict file names all clients that have its version."""

    def purged(self, cache: Cache, current: V | None, others: tuple[V, ...]) -> Cache:
        """Return the cache without the snapshots that its policy does not require.

        current: our version, or None if we hold a conflict and have no version.
        others: the versions of other clients, and those that we hold as conflicts.
        """
