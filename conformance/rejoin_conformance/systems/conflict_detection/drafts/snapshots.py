"""Topic `snapshots`: the snapshots with a parent that is too short or too long to be an ID."""

from __future__ import annotations

from typing import Final

from rejoin_conformance.contract.drafting import refused
from rejoin_conformance.contract.vector import Draft, Topic
from rejoin_conformance.systems.conflict_detection.snapshots import snapshot_id

ROOT: Final = snapshot_id(b"first")


def _refused(name: str, summary: str, parent: bytes) -> Draft:
    content = b"text".hex()
    return refused(
        "conflict-detection/snapshot-id",
        name,
        summary,
        "CD-SNAPSHOT-FIELDS",
        given={"content": content, "parents": [parent.hex()]},
        mended={"content": content, "parents": [ROOT.hex()]},
    )


TOPIC: Final = Topic(
    "snapshots",
    "",
    (
        _refused("parent-too-short", "A parent cannot have 31 bytes.", ROOT[:31]),
        _refused("parent-too-long", "A parent cannot have 33 bytes.", ROOT + b"\0"),
    ),
)
"""The computed vectors of the topic."""
