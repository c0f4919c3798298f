"""The vectors of history merge that are computed: one module a topic."""

from __future__ import annotations

from rejoin_conformance.contract.vector import Topic


def topics() -> tuple[Topic, ...]:
    """Return every topic, in the order of the modules' names."""
    from rejoin_conformance.systems.history_merge.drafts import (  # noqa: PLC0415 (only the generator needs it)
        answer_sizes,
        irregular,
        large,
    )

    return (answer_sizes.TOPIC, irregular.TOPIC, large.TOPIC)
