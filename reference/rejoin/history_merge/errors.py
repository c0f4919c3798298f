"""The error codes of the history merge, and the errors that several modules raise.

Every error names the nodes at fault, so that a caller can show them, fetch them, or drop the
message that contains them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Final

from rejoin.errors import RejoinError

CODES: Final[Mapping[str, str]] = MappingProxyType(
    {
        "duplicate-node": "two nodes of a history, or two messages, have the same ID",
        "unknown-parent": "a node names a parent that the history does not contain",
        "unknown-node": "a query names a node that the history does not contain",
        "cycle": "a chain of parents leads from a node back to itself",
        "not-an-anti-chain": "one of the nodes to merge is before another one, or is named twice",
        "empty-set": "the set A of lcaU(A, b) is empty",
        "not-a-fold-order": "a fold order omits, repeats or adds a node",
        "conflict": "three states have no 3-way merge",
        "answer-too-large": "the texts of an answer have more than 2^20 bytes",
    }
)
"""Code -> its meaning."""


class HistoryMergeError(RejoinError):
    """A refusal of a history, a query or a message.

    nodes: the IDs of the nodes at fault, in the order in which the message names them.

    Clauses: HM-ERROR-NAMES
    """

    def __init__(self, code: str, message: str, nodes: Iterable[str] = ()) -> None:
        super().__init__(code, message)
        self.nodes = tuple(nodes)


def unknown_nodes(node_ids: list[str]) -> HistoryMergeError:
    """Return the error for a query about nodes that the history does not contain."""
    return HistoryMergeError(
        "unknown-node", f"the history does not contain {named(node_ids)}", node_ids
    )


def unknown_parents(node_id: str, parents: list[str]) -> HistoryMergeError:
    """Return the error for a node whose parents the history does not contain."""
    message = f"{node_id!r} has parents that the history does not contain: {named(parents)}"
    return HistoryMergeError("unknown-parent", message, [node_id, *parents])


def not_an_anti_chain(older: str, newer: str) -> HistoryMergeError:
    """Return the error for a merge of two nodes with older <= newer."""
    message = (
        f"{older!r} is named twice"
        if older == newer
        else f"{older!r} is an ancestor of {newer!r}, so the two cannot be merged"
    )
    return HistoryMergeError("not-an-anti-chain", message, [older, newer])


def no_nodes_to_share(b: str) -> HistoryMergeError:
    """Return the error for lcaU of the empty set and b."""
    message = f"lcaU of no nodes and {b!r} does not exist: name at least one node to merge it with"
    return HistoryMergeError("empty-set", message, [b])


def named(nodes: Iterable[str]) -> str:
    """Return node IDs for an error message: quoted, and at most eight of them."""
    listed = list(nodes)
    shown = ", ".join(repr(node) for node in listed[:8])
    return shown if len(listed) <= 8 else f"{shown} and {len(listed) - 8} more"


def repeated(nodes: Iterable[str]) -> list[str]:
    """Return the node IDs that occur more than once, sorted."""
    listed = tuple(nodes)
    if len(set(listed)) == len(listed):
        return []
    return sorted(node for node, times in Counter(listed).items() if times > 1)
