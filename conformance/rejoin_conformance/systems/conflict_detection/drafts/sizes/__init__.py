"""Topic `sizes`: quantities beyond common buffers. Each result depends on every single item."""

from __future__ import annotations

from typing import Final

from rejoin_conformance.contract.vector import Topic
from rejoin_conformance.systems.conflict_detection.drafts.sizes import graphs, maps, scenarios

TOPIC: Final = Topic(
    "sizes",
    "Quantities at and beyond the sizes of common buffers. Each result depends on every single "
    "item. spec/conflict-detection/sizes.md lists the quantities. Most inputs are recipes "
    "(docs/vector-format.md).",
    (*graphs.drafts(), *maps.drafts(), *scenarios.drafts()),
)
"""The vectors of many versions, parents, clients, files and entries."""
