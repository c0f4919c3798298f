"""What an upload and a download do to a client's local version map and conflict version map.

Source: "Zooko's Design", upload and download
"""

from __future__ import annotations

from collections.abc import Mapping

from rejoin.conflict_detection.errors import ConflictDetectionError
from rejoin.conflict_detection.reading import Reading
from rejoin.conflict_detection.version_maps import LARGEST_VERSION, VersionMap


def map_of_upload(local: VersionMap, nickname: str) -> dict[str, int]:
    """The map of a client's next upload, which is its local version map from then on.

    local: the client's local version map, empty where it has none. Its own number grows by one.
    Errors: "version-number" where it cannot grow.

    Clauses: CD-MAP-UPLOAD, CD-FOLLOWS-DIRECTLY
    Source: "Zooko's Design", "When a client A uploads a file"
    """
    version = local.get(nickname, 0) + 1
    if version > LARGEST_VERSION:
        raise ConflictDetectionError("version-number", "no larger version number is left")
    return {**local, nickname: version}


def local_map_after_overwrite(
    reading: Reading, nickname: str, downloaded: VersionMap
) -> dict[str, int]:
    """A client's local version map once a download overwrote its file: the downloaded map.

    As printed, a client that never wrote the file has an entry of zero for itself.

    Clauses: CD-MAP-OVERWRITE
    Source: "Zooko's Design", local version map and download
    """
    if reading.map_own_entry == "zero" and nickname not in downloaded:
        return {**downloaded, nickname: 0}
    return dict(downloaded)


def conflict_version_map(held: Mapping[str, VersionMap]) -> dict[str, int]:
    """The conflict version map: for each client with a conflict file, its own entry.

    held: client -> the whole map of the version that its conflict file has. A client that links a
    version that it did not write may have no entry in that version's map, and gets none here.

    Clauses: CD-MAP-CONFLICT
    Source: "Zooko's Design", conflict version map
    """
    return {
        nickname: version_map[nickname]
        for nickname, version_map in sorted(held.items())
        if nickname in version_map
    }
