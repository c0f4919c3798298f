"""A plain, independent version of the history merge: an oracle for small histories.

It computes ancestors by closure and lowest common ancestors by their definition. It follows the
document's pseudo-code by recursion without a cache, and uses Python sets as states. It is fast
enough only for about a dozen nodes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from hypothesis import strategies as st

from rejoin.history_merge import SETS, Node, StateType
from rejoin_conformance.kit.json_types import Json
from rejoin_conformance.systems.history_merge.text import NOTATION

SetNode = Node[frozenset[str]]
History = Mapping[str, SetNode]
Order = Callable[[frozenset[str]], tuple[str, ...]]


def by_id(nodes: Iterable[SetNode]) -> dict[str, SetNode]:
    """Return the nodes by their IDs."""
    return {node.id: node for node in nodes}


def anc(history: History, node_id: str) -> frozenset[str]:
    """Return a node and all of its ancestors."""
    found = {node_id}
    grown = True
    while grown:
        above = {parent for each in found for parent in history[each].parents}
        grown = not above <= found
        found |= above
    return frozenset(found)


def maxima(history: History, nodes: Iterable[str]) -> frozenset[str]:
    """Return the nodes that are not a proper ancestor of another one of the nodes."""
    given = frozenset(nodes)
    return frozenset(v for v in given if not any(v != w and v in anc(history, w) for w in given))


def lca_u(history: History, a: Iterable[str], b: str) -> frozenset[str]:
    """Return the maxima of the ancestors that b shares with any node of A."""
    past = frozenset().union(*(anc(history, each) for each in a))
    return maxima(history, past & anc(history, b))


def three_way(o: frozenset[str], a: frozenset[str], b: frozenset[str]) -> frozenset[str]:
    """Return the three-way merge, element by element."""
    result = set()
    for x in o | a | b:
        changed = [side for side in (a, b) if (x in side) != (x in o)]
        if (x in changed[0]) if changed else (x in o):
            result.add(x)
    return frozenset(result)


def merge(history: History, x: frozenset[str], order: Order) -> frozenset[str]:
    """Return the result of the document's merge."""
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
    """Return the nodes in ascending order of their IDs."""
    return tuple(sorted(nodes))


def descending(nodes: frozenset[str]) -> tuple[str, ...]:
    """Return the nodes in descending order of their IDs."""
    return tuple(sorted(nodes, reverse=True))


@st.composite
def histories(draw: st.DrawFn, *, max_nodes: int = 8, elements: str = "xyz") -> tuple[SetNode, ...]:
    """Draw histories, parents first, whose nodes have anti-chains as parents and any states.

    IDs are drawn, so that their order does not depend on the order of the nodes.
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
    """Draw an anti-chain of a history."""
    history = by_id(nodes)
    return maxima(history, draw(st.sets(st.sampled_from(sorted(history)), max_size=5)))


def messages_in(text: str) -> list[Json]:
    """Return the messages that a text lists, as JSON, in its order. Raises NotationError."""
    nodes = NOTATION.parse([*text.split("\n"), "transitive-reduction"]).input["nodes"]
    assert isinstance(nodes, list)
    return nodes


def nodes_in(text: str) -> tuple[SetNode, ...]:
    """Return the same as nodes of the reference; a state that is left out is the empty set."""
    nodes: Any = messages_in(text)
    return tuple(
        Node(node["id"], frozenset(node["parents"]), frozenset(node.get("state", ())))
        for node in nodes
    )


def ladder(nodes: int, width: int) -> Iterator[SetNode]:
    """Yield rows of nodes, each node over the whole row before it; the last row may be short.

    These are the histories on which the literal recursion takes longest.
    """
    row: list[str] = []
    for first in range(0, nodes, width):
        names = [f"{number:06d}" for number in range(first, min(first + width, nodes))]
        for name in names:
            yield Node(name, frozenset(row), frozenset([name[-1], str(first % 5)]))
        row = names


class Counting:
    """The 3-way merge of sets, counting its calls."""

    def __init__(self) -> None:
        self.calls = 0

    def __call__(self, o: frozenset[str], a: frozenset[str], b: frozenset[str]) -> frozenset[str]:
        """Merge, and count the call."""
        self.calls += 1
        return SETS.three_way_merge(o, a, b)

    @property
    def states(self) -> StateType[frozenset[str]]:
        """Return sets that merge by this function."""
        return StateType("set", frozenset(), self)
