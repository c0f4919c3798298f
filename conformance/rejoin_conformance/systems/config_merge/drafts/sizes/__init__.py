"""Topic `sizes`: quantities beyond common buffers. Each result depends on every single item."""

from __future__ import annotations

from rejoin_conformance.contract.vector import Topic
from rejoin_conformance.systems.config_merge.drafts.sizes import (
    encodings,
    messages,
    scenarios,
    trees,
)


def topic() -> Topic:
    """Return data and diffs, encodings and lengths, and lists of messages."""
    return Topic(
        "sizes",
        "Quantities at and beyond the sizes of common buffers. Each result depends on every "
        "single item. spec/config-merge/sizes.md lists the quantities. Most inputs are recipes "
        "(docs/vector-format.md).",
        (*trees.drafts(), *encodings.drafts(), *messages.drafts(), *scenarios.drafts()),
    )
