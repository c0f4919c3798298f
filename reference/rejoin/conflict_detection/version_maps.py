"""Version maps: for each version, the number of uploads of each client that it includes.

A version map is a mapping from nicknames to version numbers. Repaired: a missing entry has the same
meaning as an entry of zero. As printed: a map does not follow a map with an entry that it lacks.

Source: "Zooko's Design", version map and strictly-follows
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final, TypeAlias

from rejoin.conflict_detection.definitions import Classification, check_nickname
from rejoin.conflict_detection.errors import ConflictDetectionError
from rejoin.conflict_detection.reading import Reading

VersionMap: TypeAlias = Mapping[str, int]

LARGEST_VERSION: Final = 2**53 - 1
"""The largest version number: JSON readers in all languages represent it exactly."""


def check_version_map(version_map: VersionMap) -> None:
    """Refuse a mapping that is not a version map.

    Errors: "bad-nickname", "version-number".

    Clauses: CD-MAP-NUMBERS, CD-NICKNAME
    Source: "Zooko's Design", version map
    """
    for nickname, version in version_map.items():
        check_nickname(nickname)
        if not 0 <= version <= LARGEST_VERSION:
            raise ConflictDetectionError(
                "version-number",
                f"the version number of {nickname} is not between 0 and {LARGEST_VERSION}",
            )


def entry_at_least(later: int, earlier: int) -> bool:
    """Return whether the entry `later` lets its map follow the map of `earlier`, under `repaired`.

    pre: later >= 0 and earlier >= 0
    post: __return__ or entry_at_least(earlier, later)
    post: not (__return__ and entry_at_least(earlier, later)) or later == earlier
    post: not __return__ or entry_at_least(later + 1, earlier)

    Clauses: CD-MAP-FOLLOWS
    Source: "Zooko's Design", strictly-follows
    """
    return later >= earlier


def join_entries(left: int, right: int) -> int:
    """Return the larger of two entries.

    pre: left >= 0 and right >= 0
    post: __return__ >= left and __return__ >= right
    post: __return__ == left or __return__ == right
    post: __return__ == join_entries(right, left)

    Clauses: CD-MAP-JOIN
    Source: "Zooko's Design", conflict resolution
    """
    return left if entry_at_least(left, right) else right


def strictly_follows(reading: Reading, later: VersionMap, earlier: VersionMap) -> bool:
    """Return whether the map `later` strictly follows the map `earlier`.

    As printed: for every entry of `earlier`, `later` has a larger entry. Repaired: no entry is
    smaller, at least one is larger, and a missing entry counts as zero.

    Clauses: CD-MAP-FOLLOWS, CD-MAP-MISSING-ENTRY
    Source: "Zooko's Design", strictly-follows
    """
    every_entry_larger = reading.map_comparison == "every-entry-larger"
    missing_is_zero = reading.map_missing_entry == "zero"
    for nickname, version in earlier.items():
        other = later.get(nickname)
        if other is None:
            if not missing_is_zero:
                return False
            other = 0
        if not (other > version if every_entry_larger else entry_at_least(other, version)):
            return False
    return every_entry_larger or not is_same_version(later, earlier)


def is_same_version(left: VersionMap, right: VersionMap) -> bool:
    """Return whether two maps have equal entries, and therefore belong to the same version.

    Clauses: CD-MAP-SAME, CD-MAP-MISSING-ENTRY
    Source: "Zooko's Design", upload

    pre: max(len(left), len(right)) <= 1 and all(len(name) == 1 for name in [*left, *right])
    post: __return__ == is_same_version(right, left)
    post: __return__ == (without_zeros(left) == without_zeros(right))
    """
    if left == right:
        return True
    for nickname, version in left.items():
        if right.get(nickname, 0) != version:
            return False
    return all(nickname in left or version == 0 for nickname, version in right.items())


def without_zeros(version_map: VersionMap) -> dict[str, int]:
    """Return the map without its entries of zero, sorted by nickname.

    Clauses: CD-MAP-MISSING-ENTRY

    pre: len(version_map) <= 1 and all(len(name) == 1 for name in version_map)
    post: all(__return__.values()) and is_same_version(__return__, version_map)
    """
    return {nickname: version for nickname, version in sorted(version_map.items()) if version}


def join(maps: Iterable[VersionMap]) -> dict[str, int]:
    """Return the least map that follows or equals each of the maps.

    For each client, it has the largest number in any of the maps.

    Clauses: CD-MAP-JOIN
    Source: "Zooko's Design", conflict resolution
    """
    joined: dict[str, int] = {}
    for version_map in maps:
        for nickname, version in version_map.items():
            joined[nickname] = join_entries(joined.get(nickname, 0), version)
    return dict(sorted(joined.items()))


def classify_by_maps(
    reading: Reading, local: VersionMap | None, remote: VersionMap
) -> Classification:
    """Return the classification of a version with the map `remote`.

    local: the client's local version map, or None if it has no version of the file.

    Clauses: CD-MAP-CLASSIFY, CD-MAP-SAME, CD-THREE-CLIENTS
    Source: "Zooko's Design", download
    """
    if local is None:
        return Classification.OVERWRITE
    if reading.equal_map == "same" and is_same_version(local, remote):
        return Classification.SAME
    if strictly_follows(reading, remote, local):
        return Classification.OVERWRITE
    if reading.followed_version == "stale" and strictly_follows(reading, local, remote):
        return Classification.STALE
    return Classification.CONFLICT
