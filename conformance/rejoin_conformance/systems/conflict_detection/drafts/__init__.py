"""The vectors of conflict detection that are computed: sizes beyond common buffers.

All others are text: `vectors/conflict-detection/<topic>.txt`.
"""

from __future__ import annotations

from rejoin_conformance.contract.vector import Topic


def topics() -> tuple[Topic, ...]:
    """Return every topic with drafts in Python, by the name of its file."""
    from rejoin_conformance.systems.conflict_detection.drafts import (  # noqa: PLC0415 (only the generator needs it)
        sizes,
    )

    return (sizes.TOPIC,)
