"""The vectors of conflict detection that are computed: snapshots cut short, and signatures.

All others are text: `vectors/conflict-detection/<topic>.txt`.
"""

from __future__ import annotations

from rejoin_conformance.contract.vector import Topic


def topics() -> tuple[Topic, ...]:
    """Every topic with drafts in Python, by the name of its file."""
    from rejoin_conformance.systems.conflict_detection.drafts import (  # noqa: PLC0415 (only those who make the corpus pay for it)
        signatures,
        snapshots,
    )

    return signatures.TOPIC, snapshots.TOPIC
