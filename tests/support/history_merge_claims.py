"""The premises of each history, and the counts of the plain search, as the reference has them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from itertools import product
from types import MappingProxyType
from typing import Final

from attrs import frozen

from rejoin.history_merge import (
    SETS,
    Graph,
    Node,
    before,
    lca_u,
    operational_edges,
)
from rejoin_conformance.systems.history_merge.exhaust.literal import (
    State,
    anti_chains,
    every_dag,
    every_history,
    findings_of,
)
from rejoin_conformance.systems.history_merge.exhaust.premises import PREMISES


def histories(nodes: int) -> Iterator[tuple[Node[State], ...]]:
    """Yield every history of a root and that many further nodes, each with the element or not."""
    for parents in every_dag(nodes):
        for states in product((frozenset[str](), frozenset("x")), repeat=nodes):
            yield tuple(
                Node(str(number), frozenset(map(str, above)), state)
                for number, (above, state) in enumerate(
                    zip([(), *parents], [frozenset[str](), *states], strict=True)
                )
            )


@frozen
class Operations:
    """The operations of a history on the element: the nodes that add it and that remove it."""

    graph: Graph[State]
    added: tuple[str, ...]
    removed: tuple[str, ...]

    def concurrent(self, some: tuple[str, ...], others: tuple[str, ...]) -> bool:
        """Return whether one of some nodes and one of some others are concurrent."""
        is_before = [{(u, v), (v, u)} for u, v in product(some, others) if u != v]
        return any(not any(before(self.graph, *pair) for pair in both) for both in is_before)


def operations(graph: Graph[State]) -> Operations:
    """Return the operations of a history, from its operational edges."""
    edges = operational_edges(graph, SETS)
    added, removed = (
        tuple(edge.node for edge in edges if bool(edge.after) is adds) for adds in (True, False)
    )
    return Operations(graph, added, removed)


_FAULTS: Final[Mapping[str, Callable[[Operations], bool]]] = MappingProxyType(
    {
        "operation-twice": lambda o: len(o.added + o.removed) > 1,
        "operation-thrice": lambda o: len(o.added + o.removed) > 2,
        "added-twice": lambda o: len(o.added) > 1,
        "removed": lambda o: len(o.removed) > 0,
        "removed-twice": lambda o: len(o.removed) > 1,
        "re-added": lambda o: any(before(o.graph, *each) for each in product(o.removed, o.added)),
        "concurrent-additions": lambda o: o.concurrent(o.added, o.added),
        "concurrent-removals": lambda o: o.concurrent(o.removed, o.removed),
        "concurrent-opposites": lambda o: o.concurrent(o.removed, o.added),
        "changed-at-merge": lambda o: any(
            len(o.graph.node(node).parents) > 1 for node in o.added + o.removed
        ),
        "several-parents": lambda o: any(len(node.parents) > 1 for node in o.graph),
        "several-origins": lambda o: any(
            len(lca_u(o.graph, {*chain} - {last}, last)) > 1
            for chain in anti_chains(o.graph)
            if len(chain) > 1
            for last in chain
        ),
        "three-heads": lambda o: any(len(chain) > 2 for chain in anti_chains(o.graph)),
    }
)


def met_by(graph: Graph[State]) -> dict[str, bool]:
    """Return whether a history meets each premise."""
    found = operations(graph)
    occurs = {name: fault(found) for name, fault in _FAULTS.items()}
    return {each.name: not any(occurs[fault] for fault in each.faults) for each in PREMISES}


def plain_counts(nodes: int) -> Counter[str]:
    """Return all counts of one size. The count X of the premise P is named `premise:P:X`."""
    counts: Counter[str] = Counter()
    for graph in every_history(nodes):
        found = findings_of(graph)
        counts["histories"] += 1
        counts.update(found)
        for name in (name for name, met in met_by(graph).items() if met):
            counts[f"premise:{name}:histories"] += 1
            for what in ("order_dependent", "not_associative"):
                counts[f"premise:{name}:{what}"] += found[what]
    counts["dags"] = counts["histories"] >> nodes
    return counts
