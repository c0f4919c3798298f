"""Recurse-fold, the variant that the document shows to be wrong."""

from __future__ import annotations

from typing import Final

from rejoin_conformance.contract.vector import Draft, Topic
from rejoin_conformance.systems.history_merge.drafting import in_scenario, merged

_PICTURE: Final = "o : a b ; a < o : a ; u < o : a b u ; b < a : a b ; v < a : a v"
_LATE_ADD: Final = "r : ; p < r : x ; q < r : y ; s < p : ; t < p : x z"


def _wrong(
    name: str, summary: str, text: str, merge: str, state: str, *, order: str | None = None
) -> Draft:
    return merged(name, summary, "HM-RECURSE-FOLD", text, merge, state, order=order,
                  operation="merge-recurse-fold")  # fmt: skip


_DRAFTS = (
    in_scenario(_wrong("second-picture", "The document's second picture: b is lost", _PICTURE,
                       "b u v",
                       "a u v"), "second-picture", "recurse-fold"),
    in_scenario(merged("second-picture-merged", "The merge of the same nodes keeps b",
                       "HM-RECURSE-FOLD-DIFFERS", _PICTURE, "b u v", "a b u v"),
                "second-picture", "merge"),
    in_scenario(_wrong("removal-forgotten", "s removed x, which t kept; the common origin of all "
                       "three lacks x, so t seems to have added it", _LATE_ADD, "q s t", "x y z"),
                "removal", "recurse-fold"),
    in_scenario(merged("removal-merged", "The merge of the same nodes removes x",
                       "HM-RECURSE-FOLD-DIFFERS", _LATE_ADD, "q s t", "y z"), "removal", "merge"),
    _wrong("no-nodes", "No nodes have the default state", "r : a", "", ""),
    _wrong("one-node", "One node has its own state", "r : a ; p < r : b", "p", "b"),
    _wrong("two-nodes", "For two nodes over one origin it is the merge",
           "z : a b c ; l < z : a b ; r < z : b c", "l r", "b"),
    _wrong("star", "Where all branches fork at one node it is the merge",
           "r : a ; p < r : a x ; q < r : ; s < r : a z", "p q s", "x z"),
    _wrong("criss-cross", "Two common ancestors are merged by recurse-fold",
           "r : ; p < r : x ; q < r : y ; a < p q : x y ; b < p q : x", "a b", "x"),
    _wrong("separate-roots", "Without a common ancestor the origin is the default state",
           "p : a b ; q : b c", "p q", "a b c"),
    _wrong("one-separate-root", "One separate root makes the default state the origin of all",
           "r : x y ; p < r : x ; q < r : y ; s : z", "p q s", "x y z"),
    merged("one-separate-root-merged", "The merge of the same nodes removes x and y",
           "HM-RECURSE-FOLD-DIFFERS", "r : x y ; p < r : x ; q < r : y ; s : z", "p q s", "z"),
    _wrong("ranked", "It follows the fold order that is given", _LATE_ADD, "q s t", "x y z",
           order="t s q"),
)  # fmt: skip

TOPIC: Final = Topic(
    name="recurse-fold",
    notes=(
        "Implementations need not offer this operation. Where they do, it has to be wrong in the "
        "same way."
    ),
    drafts=_DRAFTS,
)
