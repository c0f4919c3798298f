"""Resolution with version maps: the change of the local version map before the upload.

Source: "Zooko's Design", "If client A deletes or renames a conflict file"
"""

from __future__ import annotations

from collections.abc import Mapping

from rejoin.conflict_detection.reading import Reading
from rejoin.conflict_detection.version_maps import (
    VersionMap,
    is_same_version,
    join,
    strictly_follows,
)


def local_map_after_resolution(
    reading: Reading,
    local: VersionMap,
    conflict_map: VersionMap,
    removed: Mapping[str, VersionMap],
) -> dict[str, int]:
    """Return the local version map after the conflict files of some clients were removed.

    Repaired: the join of the local map and the whole maps, so that the next upload follows every
    version that these versions follow. As printed: only the entry of each of these clients is
    copied from the conflict version map.
    conflict_map: the conflict version map. removed: client -> the whole map of the version in its
    conflict file.

    Clauses: CD-MAP-RESOLVE
    Source: "Zooko's Design", "If client A deletes or renames a conflict file"
    """
    if reading.map_resolution == "whole-map":
        return join((local, *(removed[nickname] for nickname in sorted(removed))))
    copied = {name: version for name, version in conflict_map.items() if name in removed}
    return {**local, **copied}


def is_resolved_by(reading: Reading, local: VersionMap, held: VersionMap) -> bool:
    """Return whether a held conflict is over: the local map follows or equals the map `held`.

    As printed, only the user ends a conflict.

    Clauses: CD-MAP-CLEAN-UP
    Source: "Zooko's Design", conflict version map
    """
    if reading.map_clean_up == "by-the-user":
        return False
    return strictly_follows(reading, local, held) or is_same_version(local, held)
