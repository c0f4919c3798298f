"""The vectors of history merge that are computed: one module a topic."""

from __future__ import annotations

from rejoin_conformance.contract.vector import Topic
from rejoin_conformance.systems.history_merge.drafts import irregular, large, sizes


def topics() -> tuple[Topic, ...]:
    """Return every topic, in the order of the modules' names."""
    return (irregular.topic(), large.TOPIC, sizes.TOPIC)
