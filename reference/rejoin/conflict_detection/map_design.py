"""Zooko's design as a whole: versions are version maps, stored as metadata in the directory.

The design's text does not mention deletion. Here, a deletion is an upload without content, and its
entry has a version map like any other.

Source: "Zooko's Design (as interpreted by Daira)"
"""

from __future__ import annotations

from attrs import evolve, frozen

from rejoin.conflict_detection.conflict_files import Conflicts
from rejoin.conflict_detection.cost_model import NO_OPERATIONS, local_change
from rejoin.conflict_detection.designs import Found, Maker, Uploaded
from rejoin.conflict_detection.errors import ConflictDetectionError
from rejoin.conflict_detection.grid import Entry, Grid, store_content
from rejoin.conflict_detection.local_cache import Cache
from rejoin.conflict_detection.map_conflict_resolution import (
    is_resolved_by,
    local_map_after_resolution,
)
from rejoin.conflict_detection.reading import REPAIRED, Reading
from rejoin.conflict_detection.upload_and_download import (
    conflict_map_after_conflict,
    local_map_after_overwrite,
    map_of_upload,
)
from rejoin.conflict_detection.version_maps import VersionMap, classify_by_maps, is_same_version


@frozen
class MapDesign:
    """The design in which a version is a version map."""

    reading: Reading = REPAIRED
    name: str = "version-maps"

    def upload(
        self,
        grid: Grid,
        maker: Maker,
        current: VersionMap | None,
        removed: Conflicts[VersionMap],
        conflict_map: VersionMap,
        content: bytes | None,
        cache: Cache,
    ) -> Uploaded[VersionMap]:
        """Upload the content with the local version map, after increasing the client's own number.

        Clauses: CD-MAP-UPLOAD, CD-MAP-RESOLVE, CD-MAP-DELETION
        Source: "Zooko's Design", upload and conflict resolution
        """
        content_at = None
        if content is not None:
            grid, content_at = store_content(grid, content)
        resolved = local_map_after_resolution(
            self.reading,
            current or {},
            conflict_map,
            {nickname: file.version for file in removed for nickname in file.nicknames},
        )
        version = map_of_upload(resolved, maker.nickname)
        return Uploaded(
            grid,
            version,
            Entry(content_at, version),
            cache,
            local_change(has_content=content is not None, has_snapshot=False),
        )

    def find(
        self,
        grid: Grid,  # noqa: ARG002 - the entry is enough
        current: VersionMap | None,
        entry: Entry,
        cache: Cache,
    ) -> Found[VersionMap]:
        """Compare the other client's version map with the local one; this fetches nothing.

        Clauses: CD-MAP-CLASSIFY
        Source: "Zooko's Design", download
        """
        version = entry.version_map
        if version is None:
            raise ConflictDetectionError("missing-object", "the directory entry has no version map")
        classification = classify_by_maps(self.reading, current, version)
        return Found(classification, version, entry.capability, cache, NO_OPERATIONS)

    def with_ancestors(self, grid: Grid, found: Found[VersionMap]) -> Found[VersionMap]:  # noqa: ARG002 - snapshots need it
        """Return the finding: a version map says all that its version follows."""
        return evolve(found, operations=NO_OPERATIONS)

    def taken(self, nickname: str, version: VersionMap) -> VersionMap:
        """Return the downloaded map, which replaces the local one.

        Clauses: CD-MAP-OVERWRITE
        """
        return local_map_after_overwrite(self.reading, nickname, version)

    def noted(self, conflict_map: VersionMap, nickname: str, version: VersionMap) -> VersionMap:
        """Return the conflict version map with the other client's own entry added.

        Clauses: CD-MAP-CONFLICT
        Source: "Zooko's Design", conflict version map
        """
        return conflict_map_after_conflict(conflict_map, nickname, version)

    def is_same(self, left: VersionMap, right: VersionMap) -> bool:
        """Return whether the maps are equal except for entries of zero."""
        return is_same_version(left, right)

    def is_over(
        self,
        cache: Cache,  # noqa: ARG002 - this design has no cache
        current: VersionMap,
        held: VersionMap,
    ) -> bool:
        """Return whether our local version map follows or equals the map that conflicted.

        Clauses: CD-MAP-CLEAN-UP
        """
        return is_resolved_by(self.reading, current, held)

    def ends_when_seen(self) -> bool:
        """Return False: a conflict file counts, whatever later polls of its client find.

        Clauses: CD-MAP-CLEAN-UP
        """
        return False

    def one_file_per_version(self) -> bool:
        """Return False: in this design, each conflict file names one client.

        Clauses: CD-CONFLICT-FILE-PER-CLIENT
        """
        return False

    def purged(
        self,
        cache: Cache,
        current: VersionMap | None,  # noqa: ARG002 - nothing is cached
        others: tuple[VersionMap, ...],  # noqa: ARG002
    ) -> Cache:
        """Return the cache unchanged: it is always empty."""
        return cache
