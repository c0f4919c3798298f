"""The document's example of version maps: three clients agree, and two of them update concurrently.

The document stops after C has seen one of the updates. The rest follows from its rules for the
other update and for C's resolution.

Source: "Zooko's Design", Example
"""

from __future__ import annotations

from typing import Final

from attrs import frozen

from rejoin.conflict_detection.definitions import Classification
from rejoin.conflict_detection.map_conflict_resolution import local_map_after_resolution
from rejoin.conflict_detection.reading import Reading
from rejoin.conflict_detection.upload_and_download import (
    conflict_map_after_conflict,
    map_of_upload,
)
from rejoin.conflict_detection.version_maps import VersionMap, classify_by_maps

AGREED: Final[VersionMap] = {"A": 10, "B": 20, "C": 30}


@frozen
class ThreeClients:
    """The example under a reading.

    of_a, of_b: the maps of the two updates.
    a_alone, b_alone: C's classification of each update, if considered alone.
    b_after_a: C's classification of B's update after A's update has overwritten C's file.
    resolution: the map that C uploads when it removes the conflict file of B.
    a_takes, b_takes: A's and B's classification of this upload.
    """

    of_a: VersionMap
    of_b: VersionMap
    a_alone: Classification
    b_alone: Classification
    b_after_a: Classification
    resolution: VersionMap
    a_takes: Classification
    b_takes: Classification


def three_clients(reading: Reading) -> ThreeClients:
    """Play the example from (10, 20, 30).

    Clauses: CD-THREE-CLIENTS
    Source: "Zooko's Design", Example
    """
    of_a = map_of_upload(AGREED, "A")
    of_b = map_of_upload(AGREED, "B")
    conflict_map = conflict_map_after_conflict({}, "B", of_b)
    resolved = local_map_after_resolution(reading, of_a, conflict_map, {"B": of_b})
    resolution = map_of_upload(resolved, "C")
    return ThreeClients(
        of_a,
        of_b,
        classify_by_maps(reading, AGREED, of_a),
        classify_by_maps(reading, AGREED, of_b),
        classify_by_maps(reading, of_a, of_b),
        resolution,
        classify_by_maps(reading, of_a, resolution),
        classify_by_maps(reading, of_b, resolution),
    )
