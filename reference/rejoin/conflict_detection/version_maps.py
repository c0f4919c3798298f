"""Version maps: how many uploads of each client a version has behind it.

A version map is a mapping from nicknames to version numbers, where an entry that is missing says
the same as one of zero.

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
"""No version number is larger: every language's JSON carries integers up to here unharmed."""


def check_version_map(version_map: VersionMap) -> None:
    """Refuse what is no version map.

    Errors: "bad-nickname", "version-number".

    Clauses: CD-MAP-NUMBERS, CD-NICKNAME
    Source: "Zooko's Design", version map
    """
    for nickname, version in version_map.items():
        check_nickname(nickname)
        if not 0 <= version <= LARGEST_VERSION:
            raise ConflictDetectionError(
                "version-number", f"the version number of {nickname} is out of range"
            )


def entry_at_least(later: int, earlier: int) -> bool:
    """Whether one entry allows its map to follow the map of the other, in the repaired reading.

    pre: later >= 0 and earlier >= 0
    post: __return__ == (join_entries(later, earlier) == later)

    Clauses: CD-MAP-FOLLOWS
    Source: "Zooko's Design", strictly-follows
    """
    return later >= earlier


def join_entries(left: int, right: int) -> int:
    """The least number that is at least both.

    pre: left >= 0 and right >= 0
    post: entry_at_least(__return__, left) and entry_at_least(__return__, right)
    post: __return__ == left or __return__ == right

    Clauses: CD-MAP-JOIN
    Source: "Zooko's Design", conflict resolution
    """
    return left if entry_at_least(left, right) else right


def strictly_follows(reading: Reading, later: VersionMap, earlier: VersionMap) -> bool:
    """Whether `later` strictly follows `earlier`.

    As printed: for every entry of `earlier` there is one in `later` that is larger. Repaired: no
    entry is smaller and one is larger, and a missing entry counts as zero.

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
    """Whether two maps belong to one version: no two uploads ever have equal entries.

    Clauses: CD-MAP-SAME, CD-MAP-MISSING-ENTRY
    Source: "Zooko's Design", upload
    """
    if left == right:
        return True
    for nickname, version in left.items():
        if right.get(nickname, 0) != version:
            return False
    return all(nickname in left or version == 0 for nickname, version in right.items())


def without_zeros(version_map: VersionMap) -> dict[str, int]:
    """The map without entries of zero, which say nothing; sorted by nickname.

    Clauses: CD-MAP-MISSING-ENTRY
    """
    return {nickname: version for nickname, version in sorted(version_map.items()) if version}


def join(maps: Iterable[VersionMap]) -> dict[str, int]:
    """The least map that follows or equals all the given ones: entry by entry the larger number.

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
    """What a version with the map `remote` is to a client whose local version map is `local`.

    local: None where the client has no version of the file, and so no map.

    Clauses: CD-MAP-CLASSIFY, CD-MAP-SAME
    Source: "Zooko's Design", download
    """
    if local is None:
        return Classification.OVERWRITE
    if is_same_version(local, remote):
        return Classification.SAME
    if strictly_follows(reading, remote, local):
        return Classification.OVERWRITE
    if reading.followed_version == "stale" and strictly_follows(reading, local, remote):
        return Classification.STALE
    return Classification.CONFLICT
