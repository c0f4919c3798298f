"""Messages that are set aside, and the reason that is reported."""

from __future__ import annotations

from rejoin_conformance.contract.vector import Topic
from rejoin_conformance.systems.config_merge.drafts.ignored import (
    included,
    invalid,
    precedence,
    stale,
)


def topic() -> Topic:
    """Invalid, duplicate, stale, included."""
    return Topic(
        "ignored",
        "Which messages are set aside before a merge: invalid, duplicate, stale and included ones.",
        (*invalid.drafts(), *stale.drafts(), *included.drafts(), *precedence.drafts()),
    )
