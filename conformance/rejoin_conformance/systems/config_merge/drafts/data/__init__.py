"""Application data."""

from __future__ import annotations

from rejoin_conformance.contract.vector import Topic
from rejoin_conformance.systems.config_merge.drafts.data import limits, sets, shape


def topic() -> Topic:
    """What is valid as application data."""
    return Topic(
        "data",
        "What is valid as application data. Most are decided by the diff that leads from empty "
        "data to the data in question: it shows that they were read, and how.",
        (*shape.drafts(), *sets.drafts(), *limits.drafts()),
    )
