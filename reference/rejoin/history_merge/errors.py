"""What the history merge refuses, and how it says so.

Every refusal names the nodes at fault, so that a caller can show them, fetch them, or drop the
message that brought them.
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
        "unknown-parent": "a node names a parent that the history does not hold",
        "unknown-node": "a query names a node that the history does not hold",
        "cycle": "a node is, by way of its parents, its own ancestor",
        "not-an-anti-chain": "of two nodes that are merged, one is an ancestor of the other",
        "empty-set": "lowest common ancestors are asked of no node at all",
        "not-a-fold-order": "a fold order leaves out, repeats, or adds a node",
        "conflict": "the 3-way merge has no result for these three states",
    }
)
"""Every code, with what it means."""


class HistoryMergeError(RejoinError):
    """A history, a query or a message that the history merge refuses.

    nodes: the IDs of the nodes at fault, in the order that the message names them.

    Clauses: HM-ERROR-NAMES
    """

    def __init__(self, code: str, message: str, nodes: Iterable[str] = ()) -> None:
        super().__init__(code, message)
        self.nodes = tuple(nodes)


def unknown_nodes(node_ids: list[str]) -> HistoryMergeError:
    """The error for a query about nodes that the history does not hold."""
    return HistoryMergeError(
        "unknown-node", f"the history does not hold {named(node_ids)}", node_ids
    )


def unknown_parents(node_id: str, parents: list[str]) -> HistoryMergeError:
    """The error for a node whose parents the history does not hold."""
    message = f"{node_id!r} has parents that the history does not hold: {named(parents)}"
    return HistoryMergeError("unknown-parent", message, [node_id, *parents])


def not_an_anti_chain(older: str, newer: str) -> HistoryMergeError:
    """The error for two nodes to be merged of which one is before the other."""
    message = (
        f"{older!r} stands twice"
        if older == newer
        else f"{older!r} is an ancestor of {newer!r}, so the two cannot be merged"
    )
    return HistoryMergeError("not-an-anti-chain", message, [older, newer])


def no_nodes_to_share(b: str) -> HistoryMergeError:
    """The error for lowest common ancestors of b and no other node."""
    return HistoryMergeError("empty-set", f"no node is given whose past {b!r} could share", [b])


def named(nodes: Iterable[str]) -> str:
    """Node IDs as an error message shows them: quoted, at most eight of them."""
    listed = list(nodes)
    shown = ", ".join(repr(node) for node in listed[:8])
    return shown if len(listed) <= 8 else f"{shown} and {len(listed) - 8} more"


def repeated(nodes: Iterable[str]) -> list[str]:
    """The node IDs that stand more than once, sorted."""
    listed = tuple(nodes)
    if len(set(listed)) == len(listed):
        return []
    return sorted(node for node, times in Counter(listed).items() if times > 1)
