"""Sets that are no anti-chain: refused by the merge, reduced by an operation of its own."""

from __future__ import annotations

from typing import Final

from rejoin_conformance.contract.vector import Draft, Topic
from rejoin_conformance.systems.history_merge.drafting import merged, merging, refused

_CHAIN: Final = "r : ; p < r : x ; s < p : x y ; q < r : z"
_CRISS_CROSS: Final = "r : ; p < r : x ; q < r : y ; a < p q : x y ; b < p q : x"
_TWO_ROOTS: Final = "r : a ; s : b ; p < r : c"


def _refused(
    name: str,
    summary: str,
    text: str,
    merge: str,
    mended: str,
    *,
    order: str | None = None,
    operation: str = "merge",
    clauses: str = "HM-MERGE-CHECK HM-MERGE-CHECK-NAMES",
) -> Draft:
    return refused(operation, name, summary, clauses, given=merging(text, merge, order),
                   mended=merging(text, mended))  # fmt: skip


_REFUSED = (
    _refused("parent-first", "The parent comes first in fold order", _CHAIN, "p s", "q s"),
    _refused("child-first", "The child comes first in fold order", _CHAIN, "p s", "q s",
             order="s p"),
    _refused("far-ancestor", "An ancestor of an ancestor", _CHAIN, "r s", "q s"),
    _refused("far-ancestor-last", "The same, the descendant first", _CHAIN, "r s", "q s",
             order="s r"),
    _refused("third-node-below-the-first", "Only the third node is comparable", _CHAIN, "p q s",
             "p q"),
    _refused("third-node-above-the-last", "An ancestor comes third", _CHAIN, "p q s", "q s",
             order="s q p"),
    _refused("root-of-all", "The root of all others", _CHAIN, "p q r", "p q"),
    _refused("below-two-of-them", "A node below two others", _CRISS_CROSS, "a p q", "p q"),
    _refused("comparable-over-a-criss-cross", "Of a row and one node of the next", _CRISS_CROSS,
             "a q", "a b"),
    _refused("separate-roots-one-comparable", "Among separate roots", _TWO_ROOTS, "p r s", "p s"),
    _refused("a-node-twice", "A node that is named twice is <= itself", _CHAIN, "p p", "p q",
             clauses="HM-MERGE-DUPLICATE"),
    _refused("a-node-twice-beside-another", "Also beside another node", _CHAIN, "q s q", "q s",
             clauses="HM-MERGE-DUPLICATE"),
    _refused("same-states-do-not-help", "Nodes of one state are refused all the same",
             "r : x ; p < r : x ; q < r : x", "p r", "p q"),
    _refused("temporary-nodes", "Fold-recurse refuses it too", _CHAIN, "p s", "q s",
             operation="merge-temporary-nodes", clauses="HM-TEMP-ANTI-CHAIN"),
    _refused("temporary-nodes-third", "Fold-recurse refuses a comparable third node", _CHAIN,
             "p q s", "p q", operation="merge-temporary-nodes", clauses="HM-TEMP-ANTI-CHAIN"),
    _refused("recurse-fold", "Recurse-fold refuses it too", _CHAIN, "p s", "q s",
             operation="merge-recurse-fold", clauses="HM-TEMP-ANTI-CHAIN"),
)  # fmt: skip


def _reduced(name: str, summary: str, text: str, merge: str, state: str) -> Draft:
    return merged(name, summary, "HM-MERGE-REDUCED", text, merge, state, operation="merge-reduced",
                  level="may")  # fmt: skip


_UNDONE: Final = "r : x ; p < r : ; q < p : x ; s < r : x y"

_REDUCED = (
    _reduced("reduced-to-the-newest", "Of a chain the newest node stays", _CHAIN, "p r s", "x y"),
    _reduced("reduced-to-the-rest", "An ancestor is left out before the fold begins", _CHAIN,
             "p q s", "x y z"),
    _reduced("reduced-twice-named", "A node that is named twice is taken once", _CHAIN, "q q", "z"),
    _reduced("reduced-anti-chain", "An anti-chain is merged as it is", _CHAIN, "q s", "x y z"),
    _reduced("reduced-undone-removal", "p removed x, q has put it back: p must not count again",
             _UNDONE, "p q s", "x y"),
    _reduced("reduced-nothing", "No nodes have the default state", _CHAIN, "", ""),
)  # fmt: skip

TOPIC: Final = Topic(
    name="anti-chain-check",
    notes="`mended` is a merge of the same history whose nodes are independent.",
    drafts=(*_REFUSED, *_REDUCED),
)
