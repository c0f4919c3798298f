"""Histories whose merge a literal recursion would not survive, in a file that stays small."""

from __future__ import annotations

from typing import Final

from rejoin_conformance.contract.vector import Topic
from rejoin_conformance.kit.json_types import Json, JsonObject
from rejoin_conformance.systems.history_merge.drafting import names, query


def _node(node_id: str, parents: list[str], state: list[str]) -> JsonObject:
    listed: list[Json] = [*parents]
    elements: list[Json] = [*state]
    return {"id": node_id, "parents": listed, "state": elements}


def _ladder(rungs: int, width: int) -> list[Json]:
    """Rows of nodes over the whole row before; the first node of each row adds an element.

    An element that row n adds is there from row n + 1 on in every node.
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
    """Two branches that take in a side message of each other at every turn; nothing is removed.

    The common ancestors of two nodes are never the parents of one. Each node adds its own letter
    to the union of its parents' states.
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
    """A criss-cross of 250 rows, and two branches that left it at row 200."""
    return [
        *_ladder(250, 2),
        _node("k", ["200-0"], ["e0", "e1", "e2", "e3", "k"]),
        _node("l", ["200-1"], ["e0", "e1", "e2", "e3"]),
    ]


_DRAFTS = (
    query("merge", "criss-cross-of-400-rows",
          "Each row is the origin of the next: deeper than calls "
          "nest in many languages", "HM-MERGE-DEEP",
          given={"nodes": _ladder(400, 2), "merge": names("399-0 399-1")},
          output={"state": names("e0 e1 e2 e3")}),
    query("merge", "three-wide-60-rows", "Taken literally, 2 to the 60 merges", "HM-MERGE-WIDE",
          given={"nodes": _ladder(60, 3), "merge": names("059-0 059-1 059-2")},
          output={"state": names("e0 e1 e2 e3")}),
    query("merge", "four-wide-40-rows", "Taken literally, 3 to the 40 merges", "HM-MERGE-WIDE",
          given={"nodes": _ladder(40, 4), "merge": names("039-0 039-1 039-2 039-3")},
          output={"state": names("e0 e1 e2 e3")}),
    query("merge-temporary-nodes", "temporary-nodes-three-wide-60-rows", "The same with temporary "
          "nodes", "HM-MERGE-WIDE HM-TEMP-AGREES",
          given={"nodes": _ladder(60, 3), "merge": names("059-0 059-1 059-2")},
          output={"state": names("e0 e1 e2 e3")}),
    query("merge", "crossing-branches", "Two branches that take in side messages of each other: no "
          "merge of a message's parents is the origin of another", "HM-MERGE-DEEP",
          given={"nodes": _crossing_branches(120), "merge": names("a119 b119")},
          output={"state": names("a b u w")}),
    query("accept", "late-join-of-old-branches", "A message joins two branches that left long ago",
          "HM-MERGE-DEEP HM-ACCEPT-CACHE", given={
              "nodes": _old_branches(), "message": _node("m", ["k", "l"], ["k"])},
          output={"accepted": True}),
    query("before", "ends-of-a-long-chain", "The first node of a long chain is before the last",
          "HM-ORDER-BEFORE", given={"nodes": _chain(600), "earlier": "000", "later": "599"},
          output={"before": True}),
    query("members", "200-heads", "Two hundred heads over one message",
          "HM-MEMBERS-HEADS HM-MERGE-CONFLICT-FREE", given={"nodes": _star(200)},
          output={"state": names("e0 e1 e2 e3 e4 e5 e6 x")}),
    query("members", "every-shape-has-a-result", "Two heads that agree in nothing",
          "HM-MERGE-CONFLICT-FREE", given={"nodes": [
              _node("r", [], ["a", "b"]), _node("p", ["r"], ["c"]), _node("q", ["r"], ["d"])]},
          output={"state": ["c", "d"]}),
)  # fmt: skip

TOPIC: Final = Topic(
    name="sizes",
    notes="Deep and wide histories. Their results are plain: nothing is ever removed.",
    drafts=_DRAFTS,
)
