"""The history merge once more, as plainly as can be: an independent oracle for small histories.

Ancestors by closure, lowest common ancestors by their definition, the document's pseudo-code by
recursion without a cache, and states as Python sets. Only good for a dozen nodes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from hypothesis import strategies as st

from rejoin.history_merge import Node

SetNode = Node[frozenset[str]]
History = Mapping[str, SetNode]
Order = Callable[[frozenset[str]], tuple[str, ...]]


def by_id(nodes: Iterable[SetNode]) -> dict[str, SetNode]:
    """The nodes by their IDs."""
    return {node.id: node for node in nodes}


def anc(history: History, node_id: str) -> frozenset[str]:
    """A node and all nodes that can be reached by going to parents."""
    found = {node_id}
    grown = True
    while grown:
        above = {parent for each in found for parent in history[each].parents}
        grown = not above <= found
        found |= above
    return frozenset(found)


def maxima(history: History, nodes: Iterable[str]) -> frozenset[str]:
    """The nodes that are a proper ancestor of no other."""
    given = frozenset(nodes)
    return frozenset(v for v in given if not any(v != w and v in anc(history, w) for w in given))


def lca_u(history: History, a: Iterable[str], b: str) -> frozenset[str]:
    """The maxima of what b shares with any node of A."""
    past = frozenset().union(*(anc(history, each) for each in a))
    return maxima(history, past & anc(history, b))


def three_way(o: frozenset[str], a: frozenset[str], b: frozenset[str]) -> frozenset[str]:
    """Element by element, by cases."""
    result = set()
    for x in o | a | b:
        changed = [side for side in (a, b) if (x in side) != (x in o)]
        if (x in changed[0]) if changed else (x in o):
            result.add(x)
    return frozenset(result)


def merge(history: History, x: frozenset[str], order: Order) -> frozenset[str]:
    """The document's merge."""
    if not x:
        return frozenset()
    first, *rest = order(x)
    merged, state = [first], history[first].state
    for b in rest:
        origin = merge(history, lca_u(history, merged, b), order)
        state = three_way(origin, state, history[b].state)
        merged.append(b)
    return state


def ascending(nodes: frozenset[str]) -> tuple[str, ...]:
    """By ID."""
    return tuple(sorted(nodes))


def descending(nodes: frozenset[str]) -> tuple[str, ...]:
    """By ID, backwards."""
    return tuple(sorted(nodes, reverse=True))


@st.composite
def histories(draw: st.DrawFn, *, max_nodes: int = 8, elements: str = "xyz") -> tuple[SetNode, ...]:
    """Histories, parents first, whose nodes have anti-chains of parents and any states.

    IDs are drawn, so that their order says nothing about the order of the nodes.
    """
    ids = draw(st.permutations("abcdefghijkl"[:max_nodes]))
    count = draw(st.integers(1, max_nodes))
    history: dict[str, SetNode] = {}
    for node_id in ids[:count]:
        earlier = sorted(history)
        chosen = draw(st.sets(st.sampled_from(earlier), max_size=3)) if earlier else set()
        state = draw(st.frozensets(st.sampled_from(elements)))
        history[node_id] = Node(node_id, maxima(history, chosen), state)
    return tuple(history.values())


@st.composite
def anti_chains(draw: st.DrawFn, nodes: tuple[SetNode, ...]) -> frozenset[str]:
    """An anti-chain of a history."""
    history = by_id(nodes)
    return maxima(history, draw(st.sets(st.sampled_from(sorted(history)), max_size=5)))
