"""The vectors of conflict detection: one module a topic.

Graphs, encodings and whole stories are stated by hand (`by_hand`), so that the reference is held to
them and does not merely repeat itself.
"""

from __future__ import annotations

from rejoin_conformance.contract.vector import Topic


def topics() -> tuple[Topic, ...]:
    """Every topic, by the name of its file."""
    from rejoin_conformance.systems.conflict_detection.drafts import (  # noqa: PLC0415 (only those who make the corpus pay for it)
        caches,
        classify_snapshot,
        classify_version_map,
        conflict_files,
        costs,
        deletion,
        follows,
        four_parties,
        garbage,
        local_merge,
        maps_in_action,
        mismatches,
        names,
        polling,
        purge,
        resolution,
        signatures,
        snapshots,
        version_maps,
        walk,
    )

    return (
        caches.topic(),
        classify_snapshot.topic(),
        classify_version_map.topic(),
        conflict_files.topic(),
        costs.topic(),
        deletion.topic(),
        follows.topic(),
        four_parties.topic(),
        garbage.topic(),
        local_merge.topic(),
        maps_in_action.topic(),
        mismatches.topic(),
        names.topic(),
        polling.topic(),
        purge.topic(),
        resolution.topic(),
        signatures.topic(),
        snapshots.topic(),
        version_maps.topic(),
        walk.topic(),
    )
