"""Where somebody changed something."""

from __future__ import annotations

from typing import Final

from rejoin_conformance.contract.vector import Draft, Topic
from rejoin_conformance.kit.json_types import Json
from rejoin_conformance.systems.history_merge.drafting import names, query, refused, stated


def _edge(text: str) -> Json:
    """An edge from `node [virtual] [+inserted ...] [-deleted ...]`."""
    node, *words = text.split()
    return {
        "node": node,
        "virtual": "virtual" in words,
        "inserted": [word[1:] for word in words if word.startswith("+")],
        "deleted": [word[1:] for word in words if word.startswith("-")],
    }


def _edges(name: str, summary: str, clauses: str, text: str, *edges: str) -> Draft:
    return query("operational-edges", name, summary, clauses, given={"nodes": stated(text)},
                 output={"edges": [_edge(each) for each in edges]})  # fmt: skip


_SINGLE: Final = "HM-EDGE-SINGLE HM-EDGE-OPERATION"
_VIRTUAL: Final = "HM-EDGE-VIRTUAL HM-EDGE-OPERATION"
_FORK: Final = "r : a ; p < r : a x ; q < r : y"

_DRAFTS = (
    _edges("insertion", "A node that adds", _SINGLE, "r : a ; p < r : a b", "p +b"),
    _edges("deletion", "A node that removes", _SINGLE, "r : a b ; p < r : b", "p -a"),
    _edges("replacement", "A node that adds and removes", _SINGLE, "r : a b ; p < r : b c d",
           "p +c +d -a"),
    _edges("no-change", "A node that changes nothing", "HM-EDGE-SINGLE", "r : a ; p < r : a"),
    _edges("undone", "Undoing is an operation as well", _SINGLE, "r : ; p < r : x ; q < p :",
           "p +x",
           "q -x"),
    _edges("root", "A root has no edge, whatever its state", "HM-EDGE-ROOT", "r : a b"),
    _edges("two-roots", "No root has one", "HM-EDGE-ROOT", "r : a ; s : b"),
    _edges("only-merged", "A node that only merges", "HM-EDGE-MERGE", f"{_FORK} ; m < p q : x y",
           "p +x", "q +y -a"),
    _edges("merged-to-one-side", "A node with two parents that takes over one of them",
           _VIRTUAL, f"{_FORK} ; m < p q : y", "m virtual -x", "p +x", "q +y -a"),
    _edges("merged-and-added", "A node that merges and adds", _VIRTUAL,
           f"{_FORK} ; m < p q : x y z",
           "m virtual +z", "p +x", "q +y -a"),
    _edges("kept-what-the-merge-removes", "Keeping what the merge would remove is an operation",
           _VIRTUAL, f"{_FORK} ; m < p q : a x y", "m virtual +a", "p +x", "q +y -a"),
    _edges("merged-over-a-criss-cross", "The merge, not the parents' states, decides",
           "HM-EDGE-MERGE HM-EDGE-OPERATION",
           "r : ; p < r : x ; q < r : y ; a < p q : x y ; b < p q : x ; m < a b : x",
           "b virtual -y", "p +x", "q +y"),
    _edges("merged-roots", "A node that joins separate roots", "HM-EDGE-MERGE HM-EDGE-ROOT",
           "r : a ; s : b ; m < r s : a b"),
    _edges("nothing", "The empty history", "HM-EDGE-SINGLE", ""),
    refused("operational-edges", "parents-not-an-anti-chain",
            "A node whose parents cannot be merged",
            "HM-EDGE-MERGE HM-MERGE-CHECK",
            given={"nodes": stated("r : ; p < r : x ; m < p r : x")},
            mended={"nodes": stated("r : ; p < r : x ; m < p : x")}),
    query("merge", "virtual-node-made-real", "Putting the virtual node in changes no merge",
          "HM-EDGE-VIRTUAL", given={
              "nodes": stated(f"{_FORK} ; m0 < p q : x y ; m1 < m0 : x y z ; s < p : x w"),
              "merge": names("m1 s")}, output={"state": names("w x y z")}),
    query("merge", "virtual-node-left-out", "The same without it", "HM-EDGE-VIRTUAL", given={
              "nodes": stated(f"{_FORK} ; m1 < p q : x y z ; s < p : x w"),
              "merge": names("m1 s")}, output={"state": names("w x y z")}),
)  # fmt: skip

TOPIC: Final = Topic(
    name="operational-edges",
    notes=(
        "An edge is named by its newer node; `virtual` says that its older end is a virtual node "
        "that merges the parents."
    ),
    drafts=_DRAFTS,
)
