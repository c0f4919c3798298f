"""Questions about orders whose nodes lie thousands of nodes apart, with little between them.

Implementations store sets of nodes in words, blocks and trees of blocks. These histories have nodes
in the first and the last block of a set, and none in the blocks between.
"""

from __future__ import annotations

from typing import Final

from rejoin_conformance.contract.drafting import accepted
from rejoin_conformance.contract.recipe_drafting import repeated
from rejoin_conformance.kit.json_types import Json, JsonObject


def _bare(node_id: str, *parents: str) -> JsonObject:
    return {"id": node_id, "parents": [*parents]}


def _chain(letter: str, length: int, *parents: str) -> list[Json]:
    """Return a chain c0, c1, ..., of which the first node has these parents."""
    following: JsonObject = {"id": f"{letter}<i>", "parents": [f"{letter}<i-1>"]}
    return [_bare(f"{letter}0", *parents), repeated(length - 1, following, start=1)]


def _fork(trunk: int, branch: int) -> list[Json]:
    """Return a chain c, and two chains l and m after its last node."""
    last = f"c{trunk - 1}"
    return [*_chain("c", trunk), *_chain("l", branch, last), *_chain("m", branch, last)]


def _roots() -> list[Json]:
    """Return 2,049 roots h0, h1, ..., h2048, with x after the first one, p and q after the last.

    Number 1,024 is `a` instead, which comes before the others in the order of IDs.
    """
    root: JsonObject = {"id": "h<i>", "parents": []}
    return [
        repeated(1024, root),
        _bare("a"),
        repeated(1024, root, start=1025),
        _bare("x", "h0"),
        _bare("p", "h2048"),
        _bare("q", "h2048"),
    ]


_FORK: Final = _fork(3072, 60)
_ROOTS: Final = _roots()

_BEFORE: Final = tuple(
    accepted(
        "history-merge/before",
        name,
        summary,
        "HM-ORDER-BEFORE",
        given={"nodes": nodes, "earlier": earlier, "later": later},
        output={"before": answer},
        recipe=True,
    )
    for name, summary, nodes, earlier, later, answer in (
        (
            "last-not-before-first-of-1025",
            "The last node of a chain of 1,025 nodes is not before the first one.",
            _chain("c", 1025),
            "c1024",
            "c0",
            False,
        ),
        (
            "early-before-last-of-1500",
            "A node in the first half of a chain of 1,500 nodes is before the last one.",
            _chain("c", 1500),
            "c600",
            "c1499",
            True,
        ),
        (
            "before-on-one-branch-after-3072-nodes",
            "Two nodes are on one of the branches that leave a chain of 3,072 nodes.",
            _FORK,
            "l40",
            "l50",
            True,
        ),
        (
            "before-on-two-branches-after-3072-nodes",
            "Two nodes are on different branches that leave a chain of 3,072 nodes.",
            _FORK,
            "m40",
            "l50",
            False,
        ),
        (
            "before-on-two-branches-after-2060-nodes",
            "Two nodes are on different branches that leave a chain of 2,060 nodes.",
            _fork(2060, 60),
            "m40",
            "l50",
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
        given={"nodes": _FORK, "of": ["l50"], "with": "c0"},
        output={"nodes": ["c0"]},
        recipe=True,
    ),
    accepted(
        "history-merge/common-ancestors",
        "far-node-and-first",
        "A node far into a history has the first node in common with it.",
        "HM-LCAU-LOWEST",
        given={"nodes": _FORK, "of": ["c0"], "with": "l50"},
        output={"nodes": ["c0"]},
        recipe=True,
    ),
    accepted(
        "history-merge/common-ancestors",
        "last-of-2049-roots",
        "Two nodes share the last of 2,049 roots.",
        "HM-LCAU-LOWEST",
        given={"nodes": _ROOTS, "of": ["p"], "with": "q"},
        output={"nodes": ["h2048"]},
        recipe=True,
    ),
)

_SETS: Final = (
    accepted(
        "history-merge/maximal",
        "first-and-last-of-2049-roots",
        "Of 2,049 roots, one near the beginning and the last one are maximal together.",
        "HM-ORDER-MAXIMAL",
        given={"nodes": _ROOTS, "among": ["h2048", "h5"]},
        output={"nodes": ["h2048", "h5"]},
        recipe=True,
    ),
    accepted(
        "history-merge/maximal",
        "root-far-before-its-child",
        "A root is before its child, and 2,048 other roots are between the two.",
        "HM-ORDER-MAXIMAL",
        given={"nodes": _ROOTS, "among": ["h0", "h5", "x"]},
        output={"nodes": ["h5", "x"]},
        recipe=True,
    ),
    accepted(
        "history-merge/ancestors",
        "roots-1024-apart",
        "The ancestors of two roots, the second of which is listed 1,024 places later.",
        "HM-ORDER-ANCESTORS-OF-ALL",
        given={"nodes": _ROOTS, "of": ["h1", "h1025"]},
        output={"nodes": ["h1", "h1025"]},
        recipe=True,
    ),
    accepted(
        "history-merge/ancestors",
        "roots-1024-apart-in-reverse",
        "The ancestors of two roots, the first of which is listed 1,024 places later.",
        "HM-ORDER-ANCESTORS-OF-ALL",
        given={"nodes": _ROOTS, "of": ["a", "h0"]},
        output={"nodes": ["a", "h0"]},
        recipe=True,
    ),
)

FAR_NODES: Final = (*_BEFORE, *_COMMON, *_SETS)
