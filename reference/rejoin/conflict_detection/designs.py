"""What the two designs have to say for themselves: how a version is made, read and judged.

Everything else that clients do is the same in both.

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
    """Who makes a version: its nickname, and the seed of its identity key if it signs."""

    nickname: str
    signing_key: bytes | None = None


@frozen
class Uploaded(Generic[V]):
    """A version that was just made: the directory entry for it, and what making it took."""

    grid: Grid
    version: V
    entry: Entry
    cache: Cache
    operations: Operations


@frozen
class Found(Generic[V]):
    """What a look at another client's entry found.

    content: the capability of the version's content; None for a deletion.
    """

    classification: Classification
    version: V
    content: bytes | None
    cache: Cache
    operations: Operations


class Design(Protocol[V]):
    """A way to represent versions so that the follows relation can be told from them."""

    @property
    def name(self) -> str:
        """The design's name in scenarios: `snapshots` or `version-maps`."""

    @property
    def reading(self) -> Reading:
        """How the design is read."""

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
        """Make the next version, after `current` and the versions of the removed conflict files.

        conflict_map: the conflict version map before the removal.
        """

    def find(self, grid: Grid, current: V | None, entry: Entry, cache: Cache) -> Found[V]:
        """Classify another client's entry."""

    def taken(self, nickname: str, version: V) -> V:
        """The client's own version once `version` overwrote its file."""

    def noted(self, conflict_map: VersionMap, nickname: str, version: V) -> VersionMap:
        """The conflict version map once `version` went into the conflict file of `nickname`."""

    def is_same(self, left: V, right: V) -> bool:
        """Whether two versions are one."""

    def is_over(self, cache: Cache, current: V, held: V) -> bool:
        """Whether a conflict with `held` is over now that our version is `current`."""

    def ends_when_seen(self) -> bool:
        """Whether a client's name leaves a conflict file once its version does not conflict."""

    def one_file_per_version(self) -> bool:
        """Whether a conflict file names all clients that have its version."""

    def purged(self, cache: Cache, current: V, seen: tuple[V, ...]) -> Cache:
        """The cache without what its policy does not demand."""
