"""Questions about orders whose nodes lie thousands of nodes apart, with little between them.

Implementations store sets of nodes in words, blocks and trees of blocks. These histories have nodes
in the first and the last block of a set, and none in the blocks between.
"""

from __future__ import annotations

from typing import Final

from rejoin_conformance.contract.drafting import accepted
from rejoin_conformance.kit.json_types import Json, JsonObject
from rejoin_conformance.systems.history_merge.drafts.large_histories import names


def _bare(node_id: str, *parents: str) -> JsonObject:
    return {"id": node_id, "parents": [*parents]}


def _chain(ids: list[str], *parents: str) -> list[Json]:
    nodes: list[Json] = []
    for node_id in ids:
        nodes.append(_bare(node_id, *parents))
        parents = (node_id,)
    return nodes


def _fork(trunk: int, branch: int) -> list[Json]:
    """Return a chain c, and two chains l and m after its last node."""
    last = f"c{trunk - 1:04d}"
    return [
        *_chain(names("c", trunk)),
        *_chain(names("l", branch), last),
        *_chain(names("m", branch), last),
    ]


def _roots(count: int) -> list[Json]:
    """Return roots, of which number 1,024 is `a`; x after the first one, p and q after the last."""
    ids = [name if number != 1024 else "a" for number, name in enumerate(names("h", count))]
    children = [_bare("x", ids[0]), _bare("p", ids[-1]), _bare("q", ids[-1])]
    return [*map(_bare, ids), *children]


_FORK: Final = _fork(3072, 60)
_ROOTS: Final = _roots(2049)

_BEFORE: Final = tuple(
    accepted(
        "history-merge/before",
        name,
        summary,
        "HM-ORDER-BEFORE",
        given={"nodes": nodes, "earlier": earlier, "later": later},
        output={"before": answer},
    )
    for name, summary, nodes, earlier, later, answer in (
        (
            "last-not-before-first-of-1025",
            "The last node of a chain of 1,025 nodes is not before the first one.",
            _chain(names("c", 1025)),
            "c1024",
            "c0000",
            False,
        ),
        (
            "early-before-last-of-1500",
            "A node in the first half of a chain of 1,500 nodes is before the last one.",
            _chain(names("c", 1500)),
            "c0600",
            "c1499",
            True,
        ),
        (
            "before-on-one-branch-after-3072-nodes",
            "Two nodes are on one of the branches that leave a chain of 3,072 nodes.",
            _FORK,
            "l0040",
            "l0050",
            True,
        ),
        (
            "before-on-two-branches-after-3072-nodes",
            "Two nodes are on different branches that leave a chain of 3,072 nodes.",
            _FORK,
            "m0040",
            "l0050",
            False,
        ),
        (
            "before-on-two-branches-after-2060-nodes",
            "Two nodes are on different branches that leave a chain of 2,060 nodes.",
            _fork(2060, 60),
            "m0040",
            "l0050",
            False,
        ),
    )
)

_COMMON: Final = (
    accepted(
        "history-merge/common-ancestors",
        "first-and-far-node",
        "The first node of a history has itself in common with a node 3,000 nodes later.",
        "HM-LCAU-LOWEST",
        given={"nodes": _FORK, "of": ["l0050"], "with": "c0000"},
        output={"nodes": ["c0000"]},
    ),
    accepted(
        "history-merge/common-ancestors",
        "far-node-and-first",
        "A node far into a history has the first node in common with it.",
        "HM-LCAU-LOWEST",
        given={"nodes": _FORK, "of": ["c0000"], "with": "l0050"},
        output={"nodes": ["c0000"]},
    ),
    accepted(
        "history-merge/common-ancestors",
        "last-of-2049-roots",
        "Two nodes share the last of 2,049 roots.",
        "HM-LCAU-LOWEST",
        given={"nodes": _ROOTS, "of": ["p"], "with": "q"},
        output={"nodes": ["h2048"]},
    ),
)

_SETS: Final = (
    accepted(
        "history-merge/maximal",
        "first-and-last-of-2049-roots",
        "Of 2,049 roots, one near the beginning and the last one are maximal together.",
        "HM-ORDER-MAXIMAL",
        given={"nodes": _ROOTS, "among": ["h0005", "h2048"]},
        output={"nodes": ["h0005", "h2048"]},
    ),
    accepted(
        "history-merge/maximal",
        "root-far-before-its-child",
        "A root is before its child, and 2,048 other roots are between the two.",
        "HM-ORDER-MAXIMAL",
        given={"nodes": _ROOTS, "among": ["h0000", "h0005", "x"]},
        output={"nodes": ["h0005", "x"]},
    ),
    accepted(
        "history-merge/ancestors",
        "roots-1024-apart",
        "The ancestors of two roots, the second of which is listed 1,024 places later.",
        "HM-ORDER-ANCESTORS-OF-ALL",
        given={"nodes": _ROOTS, "of": ["h0001", "h1025"]},
        output={"nodes": ["h0001", "h1025"]},
    ),
    accepted(
        "history-merge/ancestors",
        "roots-1024-apart-in-reverse",
        "The ancestors of two roots, the first of which is listed 1,024 places later.",
        "HM-ORDER-ANCESTORS-OF-ALL",
        given={"nodes": _ROOTS, "of": ["a", "h0000"]},
        output={"nodes": ["a", "h0000"]},
    ),
)

FAR_NODES: Final = (*_BEFORE, *_COMMON, *_SETS)
