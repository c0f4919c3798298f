"""Histories that are none: doubled IDs, missing parents, cycles."""

from __future__ import annotations

from typing import Final

from rejoin_conformance.contract.vector import Draft, Topic
from rejoin_conformance.systems.history_merge.drafting import names, refused, stated, unstated


def _order(name: str, summary: str, clauses: str, text: str, mended: str) -> Draft:
    return refused(
        "ancestors",
        name,
        summary,
        clauses,
        given={"nodes": unstated(text), "of": names("r")},
        mended={"nodes": unstated(mended), "of": names("r")},
    )


def _merge(name: str, summary: str, clauses: str, text: str, mended: str) -> Draft:
    return refused(
        "merge",
        name,
        summary,
        clauses,
        given={"nodes": stated(text), "merge": names("p q")},
        mended={"nodes": stated(mended), "merge": names("p q")},
    )


def _members(name: str, summary: str, clauses: str, text: str, mended: str) -> Draft:
    return refused(
        "members",
        name,
        summary,
        clauses,
        given={"nodes": stated(text)},
        mended={"nodes": stated(mended)},
    )


_UNIQUE: Final = "HM-ORDER-UNIQUE"
_PARENTS: Final = "HM-ORDER-PARENTS-KNOWN"
_ACYCLIC: Final = "HM-ORDER-ACYCLIC"

_DRAFTS = (
    _order("same-id-same-node", "The same node listed twice", _UNIQUE,
           "r ; p < r ; p < r", "r ; p < r ; q < r"),
    _order("same-id-other-parents", "One ID for two nodes with different parents", _UNIQUE,
           "r ; p < r ; q < r ; p < q", "r ; p < r ; q < r ; s < q"),
    _merge("same-id-other-state", "One ID for two nodes with different states", _UNIQUE,
           "r : ; p < r : x ; q < r : y ; p < r : z", "r : ; p < r : x ; q < r : y ; s < r : z"),
    _order("same-id-two-roots", "Two roots of one ID", _UNIQUE, "r ; r", "r ; s"),
    _members("same-id-not-merged", "A doubled ID among nodes that the result does not need",
             "HM-ORDER-UNIQUE HM-ERROR-WHOLE",
             "r : ; p < r : x ; p < r : x ; q < p : y", "r : ; p < r : x ; q < p : y"),
    _order("unknown-parent", "A parent that is not there", _PARENTS, "r ; p < z", "r ; p < r"),
    _order("unknown-parent-beside-known", "One of two parents is not there", _PARENTS,
           "r ; p < r ; q < p z", "r ; p < r ; q < p"),
    _order("unknown-parent-of-root-position", "The only node has a parent that is not there",
           _PARENTS, "r < z", "r"),
    _merge("unknown-parent-of-merged-node", "A merged node lacks a parent", _PARENTS,
           "r : ; p < z : x ; q < r : y", "r : ; p < r : x ; q < r : y"),
    _merge("unknown-parent-elsewhere", "A node that is not merged lacks its parent",
           "HM-ORDER-PARENTS-KNOWN HM-ERROR-WHOLE",
           "r : ; p < r : x ; q < r : y ; s < z : w", "r : ; p < r : x ; q < r : y ; s < r : w"),
    _members("unknown-parent-with-id-of-element", "An element of a state is no node", _PARENTS,
             "r : z ; p < z : x", "r : z ; p < r : x"),
    _order("own-parent", "A node that is its own parent", _ACYCLIC, "r ; p < p", "r ; p"),
    _order("own-parent-beside-another", "A node that is one of its own two parents", _ACYCLIC,
           "r ; p < p r", "r ; p < r"),
    _order("cycle-of-two", "Two nodes that are each other's parents", _ACYCLIC,
           "r ; p < q r ; q < p", "r ; p < r ; q < p"),
    _order("cycle-of-three", "Three nodes that go round", _ACYCLIC,
           "r ; p < s ; q < p ; s < q r", "r ; p < r ; q < p ; s < q r"),
    _order("cycle-without-root", "A history in which every node has a parent", _ACYCLIC,
           "r < p ; p < r", "r ; p < r"),
    _order("cycle-apart", "A cycle that the query has nothing to do with",
           "HM-ORDER-ACYCLIC HM-ERROR-WHOLE", "r ; p < r ; x < y ; y < x", "r ; p < r ; x ; y < x"),
    _merge("cycle-above-merged-nodes", "The merged nodes come from a cycle", _ACYCLIC,
           "r < s : ; s < r : ; p < r : x ; q < r : y", "r : ; s < r : ; p < r : x ; q < r : y"),
    _members("cycle-below-the-only-head", "Nodes that go round, and no head at all", _ACYCLIC,
             "r < p : ; p < r : x", "r : ; p < r : x"),
)  # fmt: skip

TOPIC: Final = Topic(
    name="malformed-histories",
    notes="Each history has one fault; `mended` is the same history without it.",
    drafts=_DRAFTS,
)
