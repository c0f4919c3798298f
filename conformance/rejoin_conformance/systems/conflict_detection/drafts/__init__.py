"""The vectors of conflict detection that are computed: signatures, bad IDs, sizes, examples, steps,
the old design.

All others are text: `vectors/conflict-detection/<topic>.txt`.
"""

from __future__ import annotations

from rejoin_conformance.contract.vector import Topic


def topics() -> tuple[Topic, ...]:
    """Return every topic with drafts in Python, by the name of its file."""
    from rejoin_conformance.systems.conflict_detection.drafts import (  # noqa: PLC0415 (only the generator needs it)
        long_history,
        old_design,
        signatures,
        signed_clients,
        sizes,
        snapshots,
        steps,
        three_clients,
    )

    return (
        long_history.TOPIC,
        old_design.TOPIC,
        signatures.TOPIC,
        signed_clients.TOPIC,
        sizes.TOPIC,
        snapshots.TOPIC,
        steps.TOPIC,
        three_clients.TOPIC,
    )
