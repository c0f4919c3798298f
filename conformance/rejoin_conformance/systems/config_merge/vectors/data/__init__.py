"""Application data."""

from __future__ import annotations

from rejoin_conformance.systems.config_merge.vectors.data import limits, sets, shape
from rejoin_conformance.vectors import Topic


def topic() -> Topic:
    """What is valid as application data."""
    return Topic(
        "data",
        "What is valid as application data. Most are decided by the diff that leads from empty "
        "data to the data in question: it shows that they were read, and how.",
        (*shape.drafts(), *sets.drafts(), *limits.drafts()),
    )
