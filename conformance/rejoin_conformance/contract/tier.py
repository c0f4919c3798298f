"""The level and the tier of a vector."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, Literal, TypeAlias

Level: TypeAlias = Literal["must", "should", "may"]

Tier: TypeAlias = Literal["core", "sizes", "random"]

TIERS: Final[tuple[Tier, ...]] = ("core", "sizes", "random")
"""The tiers in the order in which failures are worth reading."""

_TIER_OF_TOPIC: Final[Mapping[str, Tier]] = {
    "behaviours": "random",
    "distilled": "random",
    "large": "sizes",
    "levels": "sizes",
    "limits": "sizes",
    "sizes": "sizes",
}
"""Topic -> tier; all other topics are `core`. docs/vector-format.md has the same list."""


def tier_of(vector_id: str) -> Tier:
    """Return the tier of a vector of the corpus, which follows from the topic in its ID.

    `core`: written vectors, each of one thing. `sizes`: the sizes and depths of a conforming
    implementation. `random`: calls from shrunk random histories and from behaviours of a model.
    """
    return _TIER_OF_TOPIC.get(vector_id.split("/")[1], "core")
