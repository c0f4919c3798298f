"""Common ancestors in irregular histories, worked out from the definition with sets.

A search that takes the nodes in a wrong order, for instance from a faulty heap, gives right answers
in small and in regular histories. Here many nodes wait at the same time, in no regular order.
"""

from __future__ import annotations

from typing import Final

from rejoin_conformance.contract.drafting import accepted
from rejoin_conformance.contract.vector import Draft, Topic
from rejoin_conformance.kit.json_types import Json

NODES: Final = 150
SPREAD: Final = (20, 40, 60)
"""How far back the parents of a node are at most, for its first, second and third parent."""


def _question(seed: int) -> Draft:
    parents = _history(seed)
    left = sorted({NODES - 1 - (seed * 7 + place * 11) % 75 for place in range(1 + seed % 8)})
    right = NODES - 1 - (seed * 5) % 9
    nodes: list[Json] = [
        {"id": _name(node), "parents": [*map(_name, sorted(above))]}
        for node, above in enumerate(parents)
    ]
    lowest: list[Json] = [*map(_name, sorted(_common(parents, left, right)))]
    return accepted(
        "history-merge/common-ancestors",
        f"history-{seed}",
        f"The lowest common ancestors of {_name(right)} and {' '.join(map(_name, left))}.",
        "HM-LCAU-LOWEST",
        given={
            "nodes": nodes[:: -1 if seed % 2 else 1],
            "of": [*map(_name, left)],
            "with": _name(right),
        },
        output={"nodes": lowest},
    )


def _history(seed: int) -> list[set[int]]:
    """Return the parents of each node: up to three earlier nodes, by a linear congruence."""
    parents: list[set[int]] = [set()]
    value = seed
    for node in range(1, NODES):
        above = set()
        for back in SPREAD[: 1 + node % 3]:
            value = (value * 1103515245 + 12345) % 2**31
            above.add(max(0, node - 1 - (value >> 16) % back))
        parents.append(above)
    return parents


def _common(parents: list[set[int]], left: list[int], right: int) -> set[int]:
    """Return the nodes that are in both pasts and are no parent of another such node."""
    pasts: list[set[int]] = []
    for node, above in enumerate(parents):
        pasts.append({node}.union(*(pasts[parent] for parent in above)))
    common = pasts[right].intersection(set[int]().union(*(pasts[node] for node in left)))
    return common.difference(*(parents[node] for node in common))


def _name(node: int) -> str:
    return f"n{node:03d}"


TOPIC: Final = Topic(
    "irregular",
    "Common ancestors in irregular histories, in which a search has many nodes at a time to "
    "choose from. The answers are worked out from the definition.",
    tuple(_question(seed) for seed in range(1, 17)),
)
