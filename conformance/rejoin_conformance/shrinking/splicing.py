"""Values without one node of a graph, whose children get its parents.

A list of objects that have an `id` and a list `parents` is a graph. To remove a node in the middle
of a chain, a reduction must change two places at once: the list, and the parents of the children.
"""

from __future__ import annotations

from collections.abc import Iterator

from rejoin_conformance.kit.json_types import Json, JsonObject
from rejoin_conformance.shrinking.places import places, replaced


def spliced(value: Json) -> Iterator[Json]:
    """Yield the value without one node of a graph in it, for each node with parents or children.

    Only values with fewer parts are yielded, so a reduction by these steps ends.
    """
    for place, each in places(value):
        nodes = _nodes(each)
        for gone in reversed(nodes):
            rest = [_without(node, gone) for node in nodes if node is not gone]
            if rest and _size(rest) < _size(nodes):
                yield replaced(value, place, [*rest])


def _nodes(value: Json) -> list[JsonObject]:
    """Return the nodes if a value is a graph, or an empty list."""
    if not isinstance(value, list):
        return []
    nodes = [each for each in value if isinstance(each, dict) and _is_node(each)]
    return nodes if len(nodes) == len(value) else []


def _is_node(value: JsonObject) -> bool:
    parents = value.get("parents")
    return (
        isinstance(value.get("id"), str)
        and isinstance(parents, list)
        and all(isinstance(parent, str) for parent in parents)
    )


def _without(node: JsonObject, gone: JsonObject) -> JsonObject:
    """Return a node with the parents of a removed one instead of it."""
    parents, instead = node["parents"], gone["parents"]
    assert isinstance(parents, list)
    assert isinstance(instead, list)
    if gone["id"] not in parents:
        return node
    place = parents.index(gone["id"])
    others = [parent for parent in parents if parent != gone["id"]]
    added = [parent for parent in instead if parent not in others and parent != node["id"]]
    return {**node, "parents": [*others[:place], *added, *others[place:]]}


def _size(nodes: list[JsonObject]) -> int:
    """Return the number of nodes and parents."""
    return sum(3 + len(parents) for node in nodes if isinstance(parents := node["parents"], list))
