"""Histories that need too deep or too long a literal recursion, in a small file."""

from __future__ import annotations

from typing import Final

from rejoin_conformance.contract.drafting import accepted
from rejoin_conformance.contract.vector import Topic
from rejoin_conformance.kit.json_types import Json, JsonObject


def _node(node_id: str, parents: list[str], state: list[str]) -> JsonObject:
    listed: list[Json] = [*parents]
    elements: list[Json] = [*state]
    return {"id": node_id, "parents": listed, "state": elements}


def _ladder(rungs: int, width: int) -> list[Json]:
    """Return rows of nodes. The parents of a node are all nodes of the previous row.

    The first node of row n adds an element, which all nodes from row n + 1 on contain.
    """
    nodes: list[Json] = [_node("r", [], [])]
    row, state = ["r"], list[str]()
    for rung in range(rungs):
        new_row = [f"{rung:03d}-{place}" for place in range(width)]
        added = f"e{rung % 4}"
        rest = [each for each in state if each != added]
        nodes.append(_node(new_row[0], row, sorted([*rest, added])))
        nodes += [_node(name, row, sorted(state)) for name in new_row[1:]]
        row, state = new_row, sorted([*rest, added])
    return nodes


def _chain(length: int) -> list[Json]:
    nodes: list[Json] = [_node("000", [], ["x"])]
    nodes += [_node(f"{n:03d}", [f"{n - 1:03d}"], ["x"]) for n in range(1, length)]
    return nodes


def _star(heads: int) -> list[Json]:
    nodes: list[Json] = [_node("r", [], ["x"])]
    nodes += [_node(f"{n:03d}", ["r"], [f"e{n % 7}", "x"]) for n in range(heads)]
    return nodes


def _crossing_branches(turns: int) -> list[Json]:
    """Return two branches that each merge a side message of the other at every turn.

    Nothing is removed. The common ancestors of two nodes are never the parents of one. Each node
    adds its own letter to the union of its parents' states.
    """
    states: dict[str, set[str]] = {"r": set()}
    nodes: list[Json] = [_node("r", [], [])]
    left = right = "r"
    for turn in range(turns):
        u, w, new_left, new_right = (f"{letter}{turn:03d}" for letter in "uwab")
        for name, parents in (
            (u, [right]),
            (w, [left]),
            (new_left, [left, u]),
            (new_right, [right, w]),
        ):
            states[name] = {name[0]}.union(*(states[parent] for parent in parents))
            independent = [name for name in parents if name != "r" or len(parents) == 1]
            nodes.append(_node(name, independent, sorted(states[name])))
        left, right = new_left, new_right
    return nodes


def _old_branches() -> list[Json]:
    """Return a criss-cross of 250 rows, and two branches that left it at row 200."""
    return [
        *_ladder(250, 2),
        _node("k", ["200-0"], ["e0", "e1", "e2", "e3", "k"]),
        _node("l", ["200-1"], ["e0", "e1", "e2", "e3"]),
    ]


_EVERY: Final[list[Json]] = ["e0", "e1", "e2", "e3"]

_DRAFTS = (
    accepted(
        "history-merge/merge",
        "criss-cross-of-400-rows",
        "In a criss-cross of 400 rows, each row is the origin of the next one; a literal recursion "
        "is deeper than calls nest in many languages.",
        "HM-MERGE-DEEP",
        given={"nodes": _ladder(400, 2), "merge": ["399-0", "399-1"]},
        output={"state": _EVERY},
    ),
    accepted(
        "history-merge/merge",
        "three-wide-60-rows",
        "In 60 rows of 3 nodes, a literal recursion makes 2 to the power of 60 merges.",
        "HM-MERGE-WIDE",
        given={"nodes": _ladder(60, 3), "merge": ["059-0", "059-1", "059-2"]},
        output={"state": _EVERY},
    ),
    accepted(
        "history-merge/merge",
        "four-wide-40-rows",
        "In 40 rows of 4 nodes, a literal recursion makes 3 to the power of 40 merges.",
        "HM-MERGE-WIDE",
        given={"nodes": _ladder(40, 4), "merge": ["039-0", "039-1", "039-2", "039-3"]},
        output={"state": _EVERY},
    ),
    accepted(
        "history-merge/merge-temporary-nodes",
        "temporary-nodes-three-wide-60-rows",
        "The merge by temporary nodes gives the same state for 60 rows of 3 nodes.",
        "HM-MERGE-WIDE HM-TEMP-AGREES",
        given={"nodes": _ladder(60, 3), "merge": ["059-0", "059-1", "059-2"]},
        output={"state": _EVERY},
    ),
    accepted(
        "history-merge/merge",
        "crossing-branches",
        "Two branches take in side messages of each other, so that no merge of a message's "
        "parents is the origin of another merge.",
        "HM-MERGE-DEEP",
        given={"nodes": _crossing_branches(120), "merge": ["a119", "b119"]},
        output={"state": ["a", "b", "u", "w"]},
    ),
    accepted(
        "history-merge/accept",
        "late-join-of-old-branches",
        "A session accepts a message that joins two branches which left the history 50 rows ago.",
        "HM-MERGE-DEEP",
        given={"nodes": _old_branches(), "message": _node("m", ["k", "l"], ["k"])},
        output={"accepted": True},
    ),
    accepted(
        "history-merge/before",
        "ends-of-a-long-chain",
        "The first node of a chain of 600 nodes is before the last one.",
        "HM-ORDER-BEFORE",
        given={"nodes": _chain(600), "earlier": "000", "later": "599"},
        output={"before": True},
    ),
    accepted(
        "history-merge/members",
        "200-heads",
        "A session with 200 heads after one message has all their elements.",
        "HM-MEMBERS-HEADS HM-MERGE-CONFLICT-FREE",
        given={"nodes": _star(200)},
        output={"state": [*(f"e{n}" for n in range(7)), "x"]},
    ),
)

TOPIC: Final = Topic(name="sizes", notes="", drafts=_DRAFTS)
