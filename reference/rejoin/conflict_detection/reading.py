"""The choice points of both designs, and the two readings that settle them.

`LITERAL` does what the document prints. `REPAIRED` is the default. It departs from the print only
if the print contradicts the document's own definitions; the errata of the spec explain each case.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final, Literal

from attrs import frozen


@frozen(kw_only=True, repr=False)
class Reading:
    """The choice for each point at which the document is open or contradicts itself.

    name: the name of this reading for vectors and adapters.
    followed_version: the classification of a downloaded version that our version already follows:
        `stale`, which is ignored, or `conflict`, like every other version that is not an overwrite
        (CD-E02).
    snapshot_conflict_files: whether a conflict file is for one other client, or for one version,
        with the nicknames of all clients that are known to have it (CD-E08).
    map_comparison: whether a map follows another if no entry is smaller and one is larger, or only
        if every entry is larger (CD-E01).
    map_missing_entry: whether an entry that the later map lacks counts as zero, or prevents this
        map from following (CD-E05).
    map_own_entry: whether a client that never wrote a file has no entry for itself in its local
        map, or an entry of zero (CD-E05).
    equal_map: the classification of a version whose map equals ours: `same`, or `conflict`, because
        an equal map does not strictly follow (CD-E39).
    map_resolution: whether resolving a conflict joins the whole map of the conflict file into the
        local map, or copies only the other client's own entry (CD-E03).
    map_clean_up: whether a conflict file and its entry go away as soon as the local version follows
        them, or only when the user removes the file (CD-E06).
    links_downloads: whether a client links a version that overwrote its file in its own directory;
        it is true in both named readings (CD-E12).
    kept_generations: how many generations of ancestors of a linked snapshot a client keeps alive
        with its leases; None, in both named readings, if it keeps all of them (CD-E27).
    conflict_names: whether a conflict file is named after the other client, as in both named
        readings, or `previous` if the client made its own version (CD-E16).
    """

    name: str
    followed_version: Literal["stale", "conflict"]
    snapshot_conflict_files: Literal["one-per-client", "one-per-version"]
    map_comparison: Literal["no-entry-smaller", "every-entry-larger"]
    map_missing_entry: Literal["zero", "does-not-follow"]
    map_own_entry: Literal["absent", "zero"]
    equal_map: Literal["same", "conflict"]
    map_resolution: Literal["whole-map", "own-entry"]
    map_clean_up: Literal["when-followed", "by-the-user"]
    links_downloads: bool = True
    kept_generations: int | None = None
    conflict_names: Literal["other-client", "previous"] = "other-client"

    def __repr__(self) -> str:
        return f"<Reading {self.name}>"


REPAIRED: Final = Reading(
    name="repaired",
    followed_version="stale",
    snapshot_conflict_files="one-per-client",
    map_comparison="no-entry-smaller",
    map_missing_entry="zero",
    map_own_entry="absent",
    equal_map="same",
    map_resolution="whole-map",
    map_clean_up="when-followed",
)
"""The default: the document's definitions, with its contradictions repaired."""

LITERAL: Final = Reading(
    name="literal",
    followed_version="conflict",
    snapshot_conflict_files="one-per-version",
    map_comparison="every-entry-larger",
    map_missing_entry="does-not-follow",
    map_own_entry="zero",
    equal_map="conflict",
    map_resolution="own-entry",
    map_clean_up="by-the-user",
)
"""The document to the letter."""

READINGS: Final[Mapping[str, Reading]] = MappingProxyType(
    {reading.name: reading for reading in (REPAIRED, LITERAL)}
)
"""Name -> reading; the default comes first."""
