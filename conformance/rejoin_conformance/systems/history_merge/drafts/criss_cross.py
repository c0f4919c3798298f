"""Histories in which two nodes have several lowest common ancestors."""

from __future__ import annotations

from typing import Final

from rejoin_conformance.contract.vector import Topic
from rejoin_conformance.systems.history_merge.drafting import merged

_ORIGIN: Final = "HM-MERGE-ORIGIN HM-LCAU-LOWEST"

_SIMPLE: Final = "r : ; p < r : x ; q < r : y"
_DOUBLE: Final = (
    "r : ; p < r : x ; q < r : y ; a < p q : x y ; b < p q : x ; c < a b : x z ; d < a b : x y"
)

_DRAFTS = (
    merged("both-kept", "Both sides kept what was merged", _ORIGIN,
           f"{_SIMPLE} ; a < p q : x y ; b < p q : x y", "a b", "x y"),
    merged("one-side-removed", "One side removed what one origin had added", _ORIGIN,
           f"{_SIMPLE} ; a < p q : x y ; b < p q : x", "a b", "x"),
    merged("each-side-removed-another", "Each side removed another addition", _ORIGIN,
           f"{_SIMPLE} ; a < p q : y ; b < p q : x", "a b", ""),
    merged("both-sides-added", "Both sides added something else", _ORIGIN,
           f"{_SIMPLE} ; a < p q : x y v ; b < p q : x y w", "a b", "v w x y"),
    merged("origins-removed", "The two origins had removed something each", _ORIGIN,
           "r : x y z ; p < r : y z ; q < r : x z ; a < p q : z ; b < p q : x z", "a b", "x z"),
    merged("one-origin-would-differ", "Neither origin alone gives the result: x is gone in p, y in "
           "q, and both were added again", _ORIGIN,
           "r : x y ; p < r : y ; q < r : x ; a < p q : x ; b < p q : y", "a b", "x y"),
    merged("origins-added-the-same", "Both origins had added the same element; one side removed it",
           _ORIGIN, "r : ; p < r : x ; q < r : x ; a < p q : ; b < p q : x", "a b", ""),
    merged("origin-of-add-and-remove", "One origin had removed what the other had kept", _ORIGIN,
           "r : x ; p < r : ; q < r : x y ; a < p q : y ; b < p q : x y", "a b", "x y"),
    merged("crossing-children", "Children of the crossing nodes", _ORIGIN,
           f"{_SIMPLE} ; a < p q : x y ; b < p q : x y ; s < a : y ; t < b : x y z", "s t", "y z"),
    merged("crossing-twice", "A criss-cross over a criss-cross", _ORIGIN, _DOUBLE, "c d", "x y z"),
    merged("crossing-twice-lower-row", "Its lower row", _ORIGIN, _DOUBLE, "a b", "x"),
    merged("three-origins", "Three lowest common ancestors", _ORIGIN,
           "r : ; p < r : x ; q < r : y ; s < r : z ; a < p q s : x y z ; b < p q s : y z", "a b",
           "y z"),
    merged("three-origins-in-pairs", "Three nodes, each over another pair of origins", _ORIGIN,
           "r : ; p < r : x ; q < r : y ; s < r : z ; a < p q : x y ; b < q s : y z ; "
           "c < p s : x z", "a b c", "x y z"),
    merged("three-origins-in-pairs-with-removals", "Each of them removed one origin's addition",
           _ORIGIN,
           "r : ; p < r : x ; q < r : y ; s < r : z ; a < p q : y ; b < q s : z ; c < p s : x",
           "a b c", ""),
    merged("slanted", "The common ancestors are on different levels", _ORIGIN,
           "r : ; p < r : x ; q < r : y ; a < p q : x y ; s < q : y z ; b < a s : x y z ; "
           "c < p s : x z", "b c", "x z"),
    merged("origins-over-two-roots", "The origins come from separate roots",
           "HM-MERGE-ORIGIN HM-MERGE-NO-ORIGIN",
           "p : x ; q : y ; a < p q : x y z ; b < p q : y", "a b", "y z"),
)  # fmt: skip

TOPIC: Final = Topic(
    name="criss-cross",
    notes=(
        "Where two nodes have several lowest common ancestors, the origin is the merge of these. "
        "No single one of them would do."
    ),
    drafts=_DRAFTS,
)
