"""A DAG in layers, as the playgrounds draw it: each node in a layer below its parents.

An edge over several layers has a place in each of them, so that it crosses no node.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from typing import TypeAlias

from attrs import frozen

Place: TypeAlias = tuple[float, int]
"""(column, layer); columns can be halves."""


@frozen
class Layered:
    """The places of nodes, and the places through which the edge of (child, parent) goes."""

    nodes: Mapping[int, Place]
    edges: Mapping[tuple[int, int], Sequence[Place]]

    @property
    def size(self) -> tuple[float, int]:
        """Return the number of columns and of layers."""
        every = [place for way in self.edges.values() for place in way] + [*self.nodes.values()]
        columns, layers = zip(*every, strict=True) if every else ((-1,), (-1,))
        return max(columns) + 1, max(layers) + 1


def layered(dag: Mapping[int, Sequence[int]]) -> Layered:
    """Return the places of a DAG: node -> its parents, parents before children."""
    depths: dict[int, int] = {}
    for node, parents in dag.items():
        depths[node] = max((depths[each] for each in parents), default=-1) + 1
    layers: list[dict[object, list[object]]] = [
        {} for _ in range(max(depths.values(), default=-1) + 1)
    ]
    routes: dict[tuple[int, int], list[object]] = {}
    for node, parents in dag.items():
        above: list[object] = []
        for parent in dict.fromkeys(parents):
            route: list[object] = [parent]
            for depth in range(depths[parent] + 1, depths[node]):
                bend = (node, parent, depth)
                layers[depth][bend] = [route[-1]]
                route.append(bend)
            above.append(route[-1])
            routes[node, parent] = [*route, node]
        layers[depths[node]][node] = above
    places = dict(_columns(layers))
    return Layered(
        {node: places[node] for node in dag},
        {edge: [places[each] for each in route] for edge, route in routes.items()},
    )


def _columns(layers: Sequence[Mapping[object, Sequence[object]]]) -> Iterator[tuple[object, Place]]:
    """Yield each layer in the order of the middles of what stands above it, around the middle."""
    columns: dict[object, float] = {}
    widest = max(map(len, layers), default=0)
    for depth, layer in enumerate(layers):
        wished = {
            each: sum(columns[it] for it in above) / len(above) if above else widest / 2
            for each, above in layer.items()
        }
        for place, each in enumerate(sorted(layer, key=wished.__getitem__)):
            columns[each] = (widest - len(layer)) / 2 + place
            yield each, (columns[each], depth)


def heads(dag: Mapping[int, Sequence[int]]) -> set[int]:
    """Return the nodes without a child."""
    return {*dag} - {parent for parents in dag.values() for parent in parents}


def origins(dag: Mapping[int, Sequence[int]]) -> set[int]:
    """Return the lowest common ancestors of any two parents of a node, and of any two heads."""
    before: dict[int, set[int]] = {}
    for node, parents in dag.items():
        before[node] = {node}.union(*(before[each] for each in parents))
    found: set[int] = set()
    for together in [heads(dag), *map(set, dag.values())]:
        for one, other in combinations(sorted(together), 2):
            common = before[one] & before[other]
            found |= common - {each for it in common for each in before[it] - {it}}
    return found
