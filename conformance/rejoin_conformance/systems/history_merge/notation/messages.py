"""Messages without a question, for tests and drawings."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from rejoin.history_merge import Node
from rejoin_conformance.kit.json_types import Json
from rejoin_conformance.systems.history_merge.notation.states import (
    read_node,
    scanner_of,
    write_nodes,
)

SetNode = Node[frozenset[str]]


def messages_in(text: str) -> list[Json]:
    """Return the messages that a text lists, as JSON, in its order. Raises NotationError."""
    scanner = scanner_of(text.split("\n"))
    messages: list[Json] = []
    while not scanner.at_end:
        if messages and not scanner.ends_statement():
            raise scanner.fault("`<`, `:`, `;` or the end of the line")
        if not scanner.at_end:
            messages.append(read_node(scanner))
    return messages


def nodes_in(text: str) -> tuple[SetNode, ...]:
    """Return the same as nodes of the reference; a state that is left out is the empty set."""
    return tuple(map(_node, messages_in(text)))


def _node(message: Any) -> SetNode:
    return Node(message["id"], frozenset(message["parents"]), frozenset(message.get("state", ())))


def nodes_text(nodes: Iterable[SetNode]) -> str:
    """Return the text of nodes of the reference, as many on a line as there is room for."""
    messages: Sequence[Any] = [
        {"id": node.id, "parents": sorted(node.parents), "state": sorted(node.state)}
        for node in nodes
    ]
    return "\n".join(write_nodes(messages))
