"""lcaU of merged nodes and one more node, and the common ancestors of all nodes."""

from __future__ import annotations

from typing import Final

from rejoin_conformance.contract.vector import Draft, Topic
from rejoin_conformance.systems.history_merge.drafting import names, query, refused, unstated

_PICTURE: Final = "o ; a < o ; u < o ; b < a ; v < a"
_CRISS_CROSS: Final = "r ; p < r ; q < r ; a < p q ; b < p q"
_CHAIN: Final = "r ; p < r ; q < p ; s < q"
_TWO_ROOTS: Final = "r ; s ; p < r ; q < s ; m < p q"
_STAIRCASE: Final = "r ; a < r ; b < a ; c < b ; x < a ; y < b ; z < c"
_WIDE: Final = "r ; p < r ; q < r ; s < r ; a < p q s ; b < p q s"


def _u(
    name: str, summary: str, clauses: str, text: str, of: str, further: str, found: str
) -> Draft:
    return query(
        "common-ancestors",
        name,
        summary,
        clauses,
        given={"nodes": unstated(text), "of": names(of), "with": further},
        output={"nodes": names(found)},
    )


def _all(name: str, summary: str, clauses: str, text: str, of: str, found: str) -> Draft:
    return query(
        "common-to-all",
        name,
        summary,
        clauses,
        given={"nodes": unstated(text), "of": names(of)},
        output={"nodes": names(found)},
    )


_LOWEST: Final = "HM-LCAU-LOWEST"
_TWO: Final = "HM-LCAU-LOWEST HM-LCA-TWO"
_CHAINED: Final = "HM-LCAU-CHAIN HM-LCAU-LOWEST"

_LCAU = (
    _u("of-siblings", "Siblings share their parent", _TWO, _PICTURE, "b", "v", "a"),
    _u("of-uncle-and-niece", "Only the root is common", _TWO, _PICTURE, "u", "v", "o"),
    _u("lowest-not-all", "An ancestor of a common ancestor is not among the lowest", _TWO, _CHAIN
       + " ; t < q", "s", "t", "q"),
    _u("criss-cross", "Two nodes with the same two parents have both", _TWO, _CRISS_CROSS, "a", "b",
       "p q"),
    _u("criss-cross-of-three", "Three common parents are all among the lowest", _TWO, _WIDE, "a",
       "b",
       "p q s"),
    _u("one-of-the-set-is-enough", "What is common with one node of the set counts", _LOWEST,
       _PICTURE, "b u", "v", "a"),
    _u("the-other-one-of-the-set", "The same set, listed the other way round", _LOWEST, _PICTURE,
       "u b", "v", "a"),
    _u("union-of-what-is-shared", "Each node of the set contributes its own", _LOWEST,
       "r ; p < r ; q < r ; a < p ; b < q ; c < p q", "a b", "c", "p q"),
    _u("shared-through-both", "What is shared through two nodes of the set stands once", _LOWEST,
       _CRISS_CROSS + " ; c < p", "a b", "c", "p"),
    _u("staircase", "The highest step that is shared", _LOWEST, _STAIRCASE, "x y", "z", "b"),
    _u("staircase-from-above", "A low step shares less", _LOWEST, _STAIRCASE, "y z", "x", "a"),
    _u("long-and-short-branch", "Paths of different lengths", _LOWEST,
       "r ; p < r ; a < r ; b < a ; c < b ; d < c p", "p", "d", "p"),
    _u("through-different-depths",
       "A common ancestor is the lowest though a longer path leads to it",
       _LOWEST, "r ; p < r ; a < p ; b < a ; c < b ; d < p r", "c", "d", "p"),
    _u("comparable-older-further", "Where the further node is before one of the set, it is itself "
       "the lowest", _CHAINED, _CHAIN, "s", "p", "p"),
    _u("comparable-older-in-set", "Where a node of the set is before the further one, it is the "
       "lowest", _CHAINED, _CHAIN, "p", "s", "p"),
    _u("same-node", "A node shares itself with itself", _CHAINED, _CHAIN, "q", "q", "q"),
    _u("further-before-one-of-two", "One comparable node suffices", _CHAINED, _PICTURE, "b u", "a",
       "a"),
    _u("one-of-two-before-further", "A node of the set that is before the further one is found "
       "beside the rest", _CHAINED, "r ; p < r ; q < r ; a < p ; m < q p", "q a", "m", "p q"),
    _u("set-need-not-be-an-anti-chain", "The set may hold an ancestor of another node of it",
       _CHAINED, _PICTURE, "o b", "v", "a"),
    _u("separate-roots", "Nothing is common", "HM-LCAU-NONE", _TWO_ROOTS, "p", "q", ""),
    _u("one-of-the-set-is-separate", "A separate node of the set adds nothing", "HM-LCAU-LOWEST",
       _TWO_ROOTS + " ; t < r", "p q", "t", "r"),
    _u("two-roots-shared", "Two roots may both be common", "HM-LCAU-LOWEST",
       "r ; s ; a < r s ; b < r s", "a", "b", "r s"),
)  # fmt: skip

_REFUSED = (
    refused("common-ancestors", "of-nothing", "An empty set is refused", "HM-LCAU-NOT-EMPTY",
            given={"nodes": unstated(_CHAIN), "of": [], "with": "p"},
            mended={"nodes": unstated(_CHAIN), "of": names("q"), "with": "p"}),
    refused("common-ancestors", "of-unknown", "An unknown node in the set is refused",
            "HM-ORDER-KNOWN-NODES",
            given={"nodes": unstated(_CHAIN), "of": names("q x"), "with": "p"},
            mended={"nodes": unstated(_CHAIN), "of": names("q s"), "with": "p"}),
    refused("common-ancestors", "with-unknown", "An unknown further node is refused",
            "HM-ORDER-KNOWN-NODES",
            given={"nodes": unstated(_CHAIN), "of": names("q"), "with": "x"},
            mended={"nodes": unstated(_CHAIN), "of": names("q"), "with": "s"}),
)  # fmt: skip

_COMMON_TO_ALL = (
    _all("all-two", "For two nodes it is what they share", "HM-LCA-MANY HM-LCA-TWO", _PICTURE,
         "b v", "a"),
    _all("all-three", "Every node has to share it", "HM-LCA-MANY", _PICTURE, "b u v", "o"),
    _all("all-one", "One node shares itself", "HM-LCA-MANY", _PICTURE, "b", "b"),
    _all("all-criss-cross", "There may be several", "HM-LCA-MANY", _WIDE + " ; c < q s", "a b c",
         "q s"),
    _all("all-comparable", "The older of two comparable nodes", "HM-LCA-MANY HM-LCA-TWO", _CHAIN,
         "p s", "p"),
    _all("all-separate", "Nothing is common to separate roots", "HM-LCA-MANY", _TWO_ROOTS, "p q",
    ""),
    _all("all-one-separate", "One separate node leaves nothing common", "HM-LCA-MANY",
         "r ; a < r ; b < r ; s", "a b s", ""),
    _all("all-of-nothing", "Every node is common to no nodes, so the heads are the lowest",
         "HM-LCA-MANY", _PICTURE, "", "b u v"),
)  # fmt: skip

TOPIC: Final = Topic(
    name="common-ancestors",
    notes="Of a set and one further node (lcaU), and of all nodes of a set (for recurse-fold).",
    drafts=(*_LCAU, *_REFUSED, *_COMMON_TO_ALL),
)
