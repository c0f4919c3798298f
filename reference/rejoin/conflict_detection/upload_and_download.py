"""Upload and download: the changes of a client's local and conflict version maps.

Source: "Zooko's Design", upload and download
"""

from __future__ import annotations

from collections.abc import Collection

from rejoin.conflict_detection.errors import ConflictDetectionError
from rejoin.conflict_detection.reading import Reading
from rejoin.conflict_detection.version_maps import LARGEST_VERSION, VersionMap


def map_of_upload(local: VersionMap, nickname: str) -> dict[str, int]:
    """Return the map of a client's next upload, which becomes its local version map.

    It is the local map with the client's own number increased by one.
    local: the client's local version map; empty if it has none.
    Errors: "version-number" if the number cannot be increased.

    Clauses: CD-MAP-UPLOAD, CD-FOLLOWS-DIRECTLY
    Source: "Zooko's Design", "When a client A uploads a file"
    """
    version = local.get(nickname, 0) + 1
    if version > LARGEST_VERSION:
        raise ConflictDetectionError(
            "version-number", f"the version number of {nickname} would exceed {LARGEST_VERSION}"
        )
    return {**local, nickname: version}


def local_map_after_overwrite(
    reading: Reading, nickname: str, downloaded: VersionMap
) -> dict[str, int]:
    """Return a client's local version map after a download overwrote its file: the downloaded map.

    As printed, a client that never wrote the file has an entry of zero for itself.

    Clauses: CD-MAP-OVERWRITE
    Source: "Zooko's Design", local version map and download
    """
    if reading.map_own_entry == "zero" and nickname not in downloaded:
        return {**downloaded, nickname: 0}
    return dict(downloaded)


def conflict_map_after_conflict(
    conflict_map: VersionMap, nickname: str, downloaded: VersionMap
) -> dict[str, int]:
    """Return the conflict version map after a download went into the conflict file of `nickname`.

    The entry of that client comes from the downloaded map. If a client links a version that it did
    not write, that map may have no entry for it. The conflict version map then has none either.

    Clauses: CD-MAP-CONFLICT
    Source: "Zooko's Design", conflict version map and download
    """
    changed = {**conflict_map}
    changed.pop(nickname, None)
    if nickname in downloaded:
        changed[nickname] = downloaded[nickname]
    return changed


def conflict_map_for(conflict_map: VersionMap, nicknames: Collection[str]) -> VersionMap:
    """Return the conflict version map reduced to the clients whose conflicts are left.

    Clauses: CD-MAP-CONFLICT
    Source: "Zooko's Design", conflict version map
    """
    return {name: version for name, version in conflict_map.items() if name in nicknames}
