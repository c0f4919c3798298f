"""Histories of sets for tests: drawn, from a text, and those that take the literal merge long."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from hypothesis import strategies as st

from rejoin.history_merge import SETS, Node, StateType
from rejoin_conformance.kit.json_types import Json
from rejoin_conformance.laws.history_merge import History, Message, last, past
from rejoin_conformance.systems.history_merge.text import NOTATION

SetNode = Node[frozenset[str]]


def by_id(nodes: Iterable[SetNode]) -> dict[str, SetNode]:
    """Return the nodes by their IDs."""
    return {node.id: node for node in nodes}


def history_of(nodes: Iterable[SetNode]) -> dict[str, Message]:
    """Return nodes, parents first, as the history of the oracle of the laws."""
    history: dict[str, Message] = {}
    for node in nodes:
        history[node.id] = Message(past(history, node.parents) | {node.id}, node.state)
    return history


def maximal(history: History, names: Iterable[str]) -> frozenset[str]:
    """Return the names that no other one of the names follows."""
    return last(history, past(history, names))


@st.composite
def histories(draw: st.DrawFn, *, max_nodes: int = 8, elements: str = "xyz") -> tuple[SetNode, ...]:
    """Draw histories, parents first, whose nodes have anti-chains as parents and any states.

    IDs are drawn, so that their order does not depend on the order of the nodes.
    """
    ids = draw(st.permutations("abcdefghijkl"[:max_nodes]))
    count = draw(st.integers(1, max_nodes))
    nodes: list[SetNode] = []
    for node_id in ids[:count]:
        history = history_of(nodes)
        chosen = draw(st.sets(st.sampled_from(sorted(history)), max_size=3)) if history else set()
        state = draw(st.frozensets(st.sampled_from(elements)))
        nodes.append(Node(node_id, maximal(history, chosen), state))
    return tuple(nodes)


@st.composite
def anti_chains(draw: st.DrawFn, nodes: tuple[SetNode, ...]) -> frozenset[str]:
    """Draw an anti-chain of a history."""
    history = history_of(nodes)
    return maximal(history, draw(st.sets(st.sampled_from(sorted(history)), max_size=5)))


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
