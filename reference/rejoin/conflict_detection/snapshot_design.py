"""Leif's design as a whole: versions are snapshots, and a walk finds their ancestors.

Source: "Leif's Proposal: Magic-Folder 'single-file' snapshot design"
"""

from __future__ import annotations

from attrs import evolve, frozen

from rejoin.conflict_detection.conflict_files import Conflicts
from rejoin.conflict_detection.cost_model import NO_OPERATIONS, Operations, local_change
from rejoin.conflict_detection.designs import Found, Maker, Uploaded
from rejoin.conflict_detection.errors import ConflictDetectionError
from rejoin.conflict_detection.grid import (
    Entry,
    Grid,
    fetch_ancestor,
    store_content,
    store_snapshot,
)
from rejoin.conflict_detection.local_cache import Cache, examine, known_parents, purge, remember
from rejoin.conflict_detection.overwrite_and_conflict import is_descendant, walk
from rejoin.conflict_detection.reading import REPAIRED, Reading
from rejoin.conflict_detection.resolution import parents_of_upload
from rejoin.conflict_detection.signed_snapshots import sign_snapshot
from rejoin.conflict_detection.snapshots import Snapshot, new_snapshot
from rejoin.conflict_detection.version_maps import VersionMap


@frozen
class SnapshotDesign:
    """The design in which a version is a snapshot's capability."""

    reading: Reading = REPAIRED
    name: str = "snapshots"

    def upload(
        self,
        grid: Grid,
        maker: Maker,
        current: bytes | None,
        removed: Conflicts[bytes],
        conflict_map: VersionMap,  # noqa: ARG002 - maps need it
        content: bytes | None,
        cache: Cache,
    ) -> Uploaded[bytes]:
        """Upload the content, and then a snapshot of it for the directory to link.

        Clauses: CD-SNAPSHOT-EDIT, CD-RESOLVE-PARENTS, CD-DELETE-SNAPSHOT, CD-UNDELETE
        Source: "Overview"; "Deletion propagation and eventual Garbage Collection"
        """
        content_at = None
        if content is not None:
            grid, content_at = store_content(grid, content)
        snapshot = new_snapshot(content_at, parents_of_upload(current, removed))
        if maker.signing_key is not None:
            snapshot = sign_snapshot(snapshot, maker.signing_key)
        grid, version = store_snapshot(grid, snapshot)
        return Uploaded(
            grid,
            version,
            Entry(version),
            remember(cache, version, snapshot),
            local_change(has_content=content is not None, has_snapshot=True),
        )

    def find(self, grid: Grid, current: bytes | None, entry: Entry, cache: Cache) -> Found[bytes]:
        """Fetch the other client's snapshot, and walk back from it as far as needed.

        Errors: "missing-object" if the entry links no snapshot, or one that no longer exists.

        Clauses: CD-WALK-KNOWN, CD-WALK-COLLECTED
        Source: "Overview", polling
        """
        version = entry.capability
        if version is None:
            raise ConflictDetectionError("missing-object", "the directory entry links no snapshot")
        examined = examine(
            self.reading,
            cache,
            lambda capability: fetch_ancestor(grid, capability, version),
            current,
            version,
        )
        return Found(
            examined.classification,
            version,
            examined.cache.snapshots[version].content,
            examined.cache,
            _downloads(examined.downloads),
        )

    def with_ancestors(self, grid: Grid, found: Found[bytes]) -> Found[bytes]:
        """Return the finding with the version's ancestors in the cache, up to cached snapshots.

        Clauses: CD-WALK-HELD
        Source: none
        """
        cache = found.cache
        fetched: dict[bytes, Snapshot | None] = {}

        def parents_of(capability: bytes) -> tuple[bytes, ...]:
            snapshot = fetch_ancestor(grid, capability, found.version)
            fetched[capability] = snapshot
            return () if snapshot is None else snapshot.parents

        walk(cache.snapshots, parents_of, cache.snapshots[found.version].parents)
        for capability, snapshot in fetched.items():
            if snapshot is not None:
                cache = remember(cache, capability, snapshot)
        return evolve(found, cache=cache, operations=_downloads(len(fetched)))

    def taken(self, nickname: str, version: bytes) -> bytes:  # noqa: ARG002 - maps need it
        """Return the snapshot itself, which does not depend on the client that has it."""
        return version

    def noted(
        self,
        conflict_map: VersionMap,
        nickname: str,  # noqa: ARG002 - maps need it
        version: bytes,  # noqa: ARG002
    ) -> VersionMap:
        """Return the empty map: this design has no conflict version map."""
        return conflict_map

    def is_same(self, left: bytes, right: bytes) -> bool:
        """Return whether the capabilities are equal."""
        return left == right

    def is_over(self, cache: Cache, current: bytes, held: bytes) -> bool:
        """Return whether our snapshot is the conflicting one or a descendant of it.

        cache: after the walk to our snapshot, or after its upload. It has every snapshot between
        the two, because it had the conflicting one (CD-PURGE-HELD).

        Clauses: CD-CONFLICT-FILE-GONE, CD-RESOLVE-THIRD-PARTY
        Source: "Example: simultaneous update with four parties", the conflict files disappear
        """
        return held == current or is_descendant(known_parents(cache), current, held)

    def ends_when_seen(self) -> bool:
        """Return whether a conflict file no longer counts for a client once a poll finds none.

        It does if its name lists the clients that have its version now.

        Clauses: CD-CONFLICT-FILE-PER-VERSION
        """
        return self.reading.snapshot_conflict_files == "one-per-version"

    def one_file_per_version(self) -> bool:
        """Return whether the reading has one conflict file per version, instead of one per client.

        Clauses: CD-CONFLICT-FILE-PER-CLIENT, CD-CONFLICT-FILE-PER-VERSION
        """
        return self.reading.snapshot_conflict_files == "one-per-version"

    def purged(self, cache: Cache, current: bytes | None, others: tuple[bytes, ...]) -> Cache:
        """Return the cache after purging it for our snapshot and the others that count."""
        return purge(cache, current, others)


def _downloads(snapshots: int) -> Operations:
    """Return the cost of a walk that requested this number of snapshots."""
    return Operations(snapshot_downloads=snapshots) if snapshots else NO_OPERATIONS
