"""Merges of three and more nodes of one origin, and staircases."""

from __future__ import annotations

from typing import Final

from rejoin_conformance.contract.vector import Topic
from rejoin_conformance.systems.history_merge.drafting import merged

_FOLD: Final = "HM-MERGE-FOLD HM-MERGE-STEP"
_PICTURE: Final = "o : a b ; a < o : a ; u < o : a b u ; b < a : a b ; v < a : a v"
_STAIRCASE: Final = (
    "r : ; a < r : x ; b < a : x y ; c < b : x y z ; k < r : w ; l < a : x v ; m < b : x y u"
)

_OCTOPUS = (
    merged("three-additions", "Three branches add something each", _FOLD,
           "r : a ; p < r : a x ; q < r : a y ; s < r : a z", "p q s", "a x y z"),
    merged("three-removals", "Three branches remove something each", _FOLD,
           "r : x y z w ; p < r : y z w ; q < r : x z w ; s < r : x y w", "p q s", "w"),
    merged("one-removes-of-three", "One removal holds against two that kept", _FOLD,
           "r : x ; p < r : x ; q < r : ; s < r : x", "p q s", ""),
    merged("one-adds-of-three", "One addition holds against two that did nothing", _FOLD,
           "r : ; p < r : ; q < r : x ; s < r :", "p q s", "x"),
    merged("all-add-the-same", "All add the same", _FOLD,
           "r : ; p < r : x ; q < r : x ; s < r : x ; t < r : x", "p q s t", "x"),
    merged("all-remove-the-same", "All remove the same", _FOLD,
           "r : x y ; p < r : y ; q < r : y ; s < r : y", "p q s", "y"),
    merged("five-branches", "Five branches, additions and removals", _FOLD,
           "r : a b c ; p < r : a b ; q < r : a b c d ; s < r : b c ; t < r : a b c e ; "
           "u < r : a b c",
           "p q s t u", "b d e"),
    merged("five-roots", "Five separate roots", "HM-MERGE-NO-ORIGIN HM-MERGE-FOLD",
           "p : a ; q : b ; s : a c ; t : ; u : d", "p q s t u", "a b c d"),
    merged("three-of-five", "Only the nodes that are named are merged", _FOLD,
           "r : a ; p < r : a x ; q < r : ; s < r : a y ; t < r : a z ; u < r : b", "p s t",
           "a x y z"),
    merged("second-picture", "The document's second picture: b was added again and stays",
           "HM-RECURSE-FOLD-DIFFERS HM-MERGE-FOLD HM-LCAU-LOWEST", _PICTURE, "b u v", "a b u v"),
    merged("third-node-shares-with-the-second", "The third node shares a removal with the second "
           "one only", "HM-LCAU-LOWEST HM-MERGE-FOLD",
           "o : x ; p < o : x y ; a < o : ; q < a : z ; s < a : x", "p q s", "x y z"),
)  # fmt: skip

_STAIRS = (
    merged("staircase-two-steps", "Branches off two steps", _FOLD, _STAIRCASE, "k l", "v w x"),
    merged("staircase-all-steps", "Branches off every step and the top", _FOLD, _STAIRCASE,
           "c k l m", "u v w x y z"),
    merged("staircase-without-top", "Branches off every step without the top", _FOLD, _STAIRCASE,
           "k l m", "u v w x y"),
    merged("staircase-removals", "Each branch removes what its step had added", _FOLD,
           "r : w ; a < r : w x ; b < a : w x y ; c < b : w x y z ; k < r : ; l < a : w ; "
           "m < b : w x",
           "c k l m", "z"),
    merged("staircase-one-removal-high-up", "A removal on a high step holds for the branches below",
           _FOLD,
           "r : x ; a < r : x y ; b < a : y ; c < b : y z ; k < r : x v ; l < a : x y w", "c k l",
           "v w y z"),
    merged("staircase-readded", "What a low step removed and a high step added again", _FOLD,
           "r : x ; a < r : ; b < a : x ; c < b : x y ; k < r : x v ; l < a : w", "c k l",
           "v w x y"),
)  # fmt: skip

TOPIC: Final = Topic(
    name="octopus",
    notes=(
        "Merges of many nodes at once, and of branches that leave one line at different points. "
        "The results do not depend on the fold order."
    ),
    drafts=(*_OCTOPUS, *_STAIRS),
)
