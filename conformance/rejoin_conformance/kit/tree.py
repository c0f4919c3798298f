"""Results that add up: trees of JSON.

Numbers add, objects merge, and lists of examples keep the first ones. The order of additions does
not matter, so the parts of a result can come from any process in any order.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, TypeAlias

MOST_EXAMPLES: Final = 3
"""The number of examples that a list keeps: those with the lowest `index`."""

Tree: TypeAlias = dict[str, Any]
"""Name -> a number, a tree, or a list of examples. An example is an object with an `index`."""


def add(total: Tree, part: Mapping[str, Any]) -> None:
    """Add a tree to a total, in place. The total shares no object with the part but examples."""
    for name, value in part.items():
        if isinstance(value, int):
            total[name] = total.get(name, 0) + value
        elif isinstance(value, list):
            both = [*total.get(name, ()), *value]
            total[name] = sorted(both, key=lambda each: each["index"])[:MOST_EXAMPLES]
        else:
            add(total.setdefault(name, {}), value)
