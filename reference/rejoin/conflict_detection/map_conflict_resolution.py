"""How removing conflict files changes the local version map, before the upload that follows.

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
    """The local version map once the conflict files of some clients are removed.

    conflict_map: the conflict version map. removed: client -> the whole map of the version that its
    conflict file had.
    Repaired: the join of the local map and all of these, so that the next upload follows whatever
    they follow. As printed: the entry of each of these clients is copied from the conflict version
    map, and no more.

    Clauses: CD-MAP-RESOLVE
    Source: "Zooko's Design", "If client A deletes or renames a conflict file"
    """
    if reading.map_resolution == "whole-map":
        return join((local, *(removed[nickname] for nickname in sorted(removed))))
    copied = {name: version for name, version in conflict_map.items() if name in removed}
    return {**local, **copied}


def is_resolved_by(reading: Reading, local: VersionMap, held: VersionMap) -> bool:
    """Whether a held conflict is over because the local version map follows or equals its map.

    As printed, only the user ends a conflict.

    Clauses: CD-MAP-CLEAN-UP
    Source: "Zooko's Design", conflict version map
    """
    if reading.map_clean_up == "by-the-user":
        return False
    return strictly_follows(reading, local, held) or is_same_version(local, held)
