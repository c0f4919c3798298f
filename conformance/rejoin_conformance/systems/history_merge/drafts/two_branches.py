"""Merges of two nodes: pictures, undoing, adding again, equal operations on both sides."""

from __future__ import annotations

from typing import Final

from rejoin_conformance.contract.vector import Topic
from rejoin_conformance.systems.history_merge.drafting import in_scenario, merged, merging, refused

_HISTORY: Final = "HM-MERGE-HISTORY HM-MERGE-STEP"
_ORIGIN: Final = "HM-MERGE-ORIGIN HM-MERGE-STEP"

_BASICS = (
    merged("nothing", "The merge of no nodes is the default state", "HM-MERGE-EMPTY",
           "r : a", "", ""),
    merged("nothing-in-the-empty-history", "Even in the empty history", "HM-MERGE-EMPTY", "", "",
    ""),
    merged("one-node", "One node has its own state", "HM-MERGE-ONE", "r : a ; p < r : b c", "p",
    "b c"),
    merged("one-inner-node", "A node that is no head has its own state too", "HM-MERGE-ONE",
           "r : a ; p < r : b ; q < p : c", "p", "b"),
    merged("one-node-with-two-parents", "A node's state counts, not the merge of its parents",
           "HM-MERGE-ONE", "r : ; p < r : x ; q < r : y ; m < p q : z", "m", "z"),
    merged("one-empty-state", "A node's state may be empty", "HM-MERGE-ONE", "r : a ; p < r :", "p",
           ""),
)  # fmt: skip

_PICTURE = (
    in_scenario(merged("picture-from-abc", "The document's first picture, left: both removed",
                       _HISTORY, "z : a b c ; l < z : a b ; r < z : b c", "l r", "b"),
                "first-picture", "from abc"),
    in_scenario(merged("picture-from-b", "The document's first picture, right: both added",
                       _HISTORY,
                       "z : b ; l < z : a b ; r < z : b c", "l r", "a b c"),
                "first-picture", "from b"),
)  # fmt: skip

_TEXT_LONG: Final = "r : a ; p < r : a b ; q < p : a b c ; s < q : b c ; t < r : a d"

_BRANCHES = (
    merged("unequal-lengths", "Branches of different lengths", _HISTORY, _TEXT_LONG, "s t",
    "b c d"),
    merged("inner-nodes", "Nodes that are no heads merge as they were", _HISTORY, _TEXT_LONG, "q t",
           "a b c d"),
    merged("origin-is-the-lowest", "The origin is the last common node, not the first", _ORIGIN,
           "r : ; o < r : x ; p < o : ; q < o : x", "p q", ""),
    merged("origin-lacks-what-the-root-had", "What was removed before the fork stays removed",
           _ORIGIN, "r : x ; o < r : ; p < o : ; q < o : y", "p q", "y"),
    merged("origin-had-what-the-root-lacks", "What was added before the fork can be removed after "
           "it", _ORIGIN, "r : ; o < r : x y ; p < o : y ; q < o : x y z", "p q", "y z"),
    merged("descendants-play-no-part", "What comes after the merged nodes does not count", _HISTORY,
           "r : ; p < r : x ; q < r : y ; s < p : ; t < q : z", "p q", "x y"),
    merged("other-branches-play-no-part", "Nor do other branches", _HISTORY,
           "r : a ; p < r : a x ; q < r : a y ; s < r : ; t < s : z", "p q", "a x y"),
    merged("separate-roots", "Without a common ancestor the origin is the default state",
           "HM-MERGE-NO-ORIGIN", "p : a b ; q : b c", "p q", "a b c"),
    merged("separate-roots-longer", "Operations after separate roots are additions too",
           "HM-MERGE-NO-ORIGIN", "p : a b ; s < p : b ; q : a c", "s q", "a b c"),
    merged("two-common-roots", "Two common roots are merged from the default state",
           "HM-MERGE-NO-ORIGIN HM-MERGE-ORIGIN",
           "r : a b ; s : b c ; p < r s : a b ; q < r s : b c d", "p q", "b d"),
    merged("listed-backwards", "The nodes may be listed in any order", "HM-ORDER-LISTING",
           "r < z : b c ; l < z : a b ; z : a b c", "l r", "b"),
    merged("named-backwards", "The nodes to merge may be named in any order", "HM-FOLD-ASCENDING",
           "z : a b c ; l < z : a b ; r < z : b c", "r l", "b"),
)  # fmt: skip

_UNDO = (
    merged("implicit-undo", "One branch added and removed; the other did nothing", _HISTORY,
           "r : ; p < r : x ; s < p : ; q < r : y", "s q", "y"),
    merged("undone-addition-against-addition", "One branch took its addition back, the other added",
           _HISTORY, "r : ; p < r : x ; s < p : ; q < r : x", "s q", "x"),
    merged("undone-removal", "One branch removed and added again; the other removed", _HISTORY,
           "r : x ; p < r : ; s < p : x ; q < r :", "s q", ""),
    merged("undone-removal-against-nothing", "One branch removed and added again; the other did "
           "nothing", _HISTORY, "r : x ; p < r : ; s < p : x ; q < r : x y", "s q", "x y"),
    merged("readded-after-removal", "Removed before the fork, added again after it", _HISTORY,
           "r : x ; o < r : ; p < o : x ; q < o : y", "p q", "x y"),
    merged("readded-against-old-branch", "Removed and added again, against a branch from before",
           _HISTORY, "r : x ; o < r : ; p < o : x ; q < r : x y", "p q", "x y"),
    merged("removed-against-old-branch", "A removal holds against a branch that never knew of it",
           _HISTORY, "r : x ; o < r : ; p < o : ; q < r : x y", "p q", "y"),
    merged("both-added", "Both branches added the same", _HISTORY, "r : ; p < r : x ; q < r : x",
           "p q", "x"),
    merged("both-removed", "Both branches removed the same", _HISTORY, "r : x ; p < r : ; q < r :",
           "p q", ""),
    merged("both-added-one-removed-again", "Both added; one removed it again before the merge",
           _HISTORY, "r : ; p < r : x ; s < p : ; q < r : x ; t < q : x y", "s t", "x y"),
    merged("both-removed-one-added-again", "Both removed; one added it again before the merge",
           _HISTORY, "r : x ; p < r : ; s < p : x ; q < r : ; t < q : y", "s t", "y"),
)  # fmt: skip

_SAME_STATE = (
    merged("same-state", "Nodes of one state merge to it", "HM-MERGE-IDEMPOTENT",
           "r : a ; p < r : b ; q < r : b", "p q", "b"),
    merged("same-state-as-three", "However many they are", "HM-MERGE-IDEMPOTENT",
           "r : a ; p < r : b ; q < r : b ; s < r : b", "p q s", "b"),
    merged("same-state-over-a-criss-cross", "Whatever their history", "HM-MERGE-IDEMPOTENT",
           "r : a ; p < r : x ; q < r : y ; s < p q : b ; t < p q : b", "s t", "b"),
    merged("same-empty-state", "The empty state as well", "HM-MERGE-IDEMPOTENT",
           "r : a ; p < r : ; q < r :", "p q", ""),
)  # fmt: skip

_REDUNDANT = (
    merged("redundant-parent", "A parent that the order does not need changes nothing",
           "HM-MERGE-REDUNDANT-PARENTS", "r : x ; o < r : ; p < o r : ; q < o : x", "p q", "x"),
    merged("redundant-parent-left-out", "The same history without it", "HM-MERGE-REDUNDANT-PARENTS",
           "r : x ; o < r : ; p < o : ; q < o : x", "p q", "x"),
)  # fmt: skip

_UNKNOWN = (
    refused("merge", "unknown-node", "A node that the history does not hold cannot be merged",
            "HM-ORDER-KNOWN-NODES",
            given=merging("r : ; p < r : x ; q < r : y", "p z"),
            mended=merging("r : ; p < r : x ; q < r : y", "p q")),
    refused("merge", "unknown-node-alone", "Not even alone", "HM-ORDER-KNOWN-NODES",
            given=merging("r : x", "z"), mended=merging("r : x", "r")),
    refused("merge", "unknown-node-in-the-empty-history", "Nor in the empty history",
            "HM-ORDER-KNOWN-NODES", given=merging("", "r"), mended=merging("", "")),
)  # fmt: skip

TOPIC: Final = Topic(
    name="two-branches",
    notes="Merges of no, one and two nodes, which do not depend on the fold order.",
    drafts=(*_BASICS, *_PICTURE, *_BRANCHES, *_UNDO, *_SAME_STATE, *_REDUNDANT, *_UNKNOWN),
)
