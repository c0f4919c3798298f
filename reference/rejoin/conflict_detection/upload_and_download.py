"""What an upload and a download do to a client's local version map and conflict version map.

Source: "Zooko's Design", upload and download
"""

from __future__ import annotations

from collections.abc import Collection

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


def conflict_map_after_conflict(
    conflict_map: VersionMap, nickname: str, downloaded: VersionMap
) -> dict[str, int]:
    """A client's conflict version map once a download went into the conflict file of `nickname`.

    The entry of that client is taken from the downloaded map. A client that links a version that it
    did not write may have no entry in that map, and then has none here.

    Clauses: CD-MAP-CONFLICT
    Source: "Zooko's Design", conflict version map and download
    """
    others = {name: version for name, version in conflict_map.items() if name != nickname}
    return {**others, nickname: downloaded[nickname]} if nickname in downloaded else others


def conflict_map_for(conflict_map: VersionMap, nicknames: Collection[str]) -> VersionMap:
    """A client's conflict version map once only the conflict files of `nicknames` are left.

    Clauses: CD-MAP-CONFLICT
    Source: "Zooko's Design", conflict version map
    """
    if not conflict_map:
        return conflict_map
    return {name: version for name, version in conflict_map.items() if name in nicknames}
