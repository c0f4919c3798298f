"""The older short form of histories of sets, one line a node: `id < parents : elements`.

    o         : a b
    u < o     : a b u
    m < u v w : a

A root has no `<`; a node whose state is the empty set has nothing after the colon, or no colon.
Lines may be joined by semicolons. The same text serves vectors, tests and findings.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from rejoin.history_merge import Node

SetNode = Node[frozenset[str]]

_LINE: Final = re.compile(
    r"(?P<id>[^\s<:;]+)\s*(?:<\s*(?P<parents>[^<:;]*?))?\s*(?::\s*(?P<state>[^<:;]*))?"
)


def parse_history(text: str) -> tuple[SetNode, ...]:
    """The nodes that a text describes, in its order; whether they make a history is not looked at.

    Raises ValueError for a line that is none.
    """
    nodes = []
    for line in re.split(r"[;\n]", text):
        if not line.strip():
            continue
        match = _LINE.fullmatch(line.strip())
        if match is None:
            raise ValueError(f"not a node of a history: {line.strip()!r}")
        parents = frozenset((match["parents"] or "").split())
        nodes.append(Node(match["id"], parents, frozenset((match["state"] or "").split())))
    return tuple(nodes)


def render_history(nodes: Iterable[SetNode]) -> str:
    """The text of a history, one line a node, colons below each other."""
    rows = [
        (
            f"{node.id} < {' '.join(sorted(node.parents))}" if node.parents else node.id,
            " ".join(sorted(node.state)),
        )
        for node in nodes
    ]
    width = max((len(left) for left, _ in rows), default=0)
    return "\n".join(f"{left:<{width}} : {right}".rstrip() for left, right in rows)
