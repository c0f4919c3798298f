"""Fold-recurse with temporary nodes: the same states as the complete algorithm."""

from __future__ import annotations

from typing import Final

from rejoin_conformance.contract.vector import Draft, Topic
from rejoin_conformance.systems.history_merge.drafting import in_scenario, merged

_FOLD: Final = "HM-TEMP-FOLD HM-TEMP-AGREES"
_FIVE_NODES: Final = "r : ; p < r : x ; q < r : x ; s < p : ; t < p : x"
_PICTURE: Final = "o : a b ; a < o : a ; u < o : a b u ; b < a : a b ; v < a : a v"
_WIDE: Final = (
    "r : ; p < r : x ; q < r : y ; s < r : z ; "
    "a < p q s : x y z ; b < p q s : x y ; c < p q s : y z w"
)


def _temporary(
    name: str,
    summary: str,
    text: str,
    merge: str,
    state: str,
    *,
    order: str | None = None,
    clauses: str = _FOLD,
) -> Draft:
    return merged(name, summary, clauses, text, merge, state, order=order,
                  operation="merge-temporary-nodes")  # fmt: skip


_ORDERS = tuple(
    in_scenario(
        _temporary(f"five-nodes-{order.replace(' ', '-')}",
                   f"The order-dependent history of five nodes: {order}", _FIVE_NODES, order, state,
                   order=order),
        "five-nodes", order,
    )
    for order, state in {
        "q s t": "x", "q t s": "", "s q t": "x", "s t q": "x", "t q s": "", "t s q": "x",
    }.items()
)  # fmt: skip

_DRAFTS = (
    _temporary("no-nodes", "No nodes have the default state", "r : a", "", ""),
    _temporary("one-node", "One node has its own state", "r : a ; p < r : b", "p", "b"),
    _temporary("two-nodes", "Two nodes over one origin", "z : a b c ; l < z : a b ; r < z : b c",
               "l r", "b"),
    _temporary("three-nodes", "A temporary node stands for the first two",
               "r : a ; p < r : a x ; q < r : ; s < r : a z", "p q s", "x z"),
    _temporary("second-picture", "The document's second picture", _PICTURE, "b u v", "a b u v"),
    _temporary("criss-cross", "Several common ancestors are merged first",
               "r : ; p < r : x ; q < r : y ; a < p q : x y ; b < p q : x", "a b", "x"),
    _temporary("criss-cross-of-three",
               "The origin is itself a merge of three, which needs temporary "
               "nodes of its own", _WIDE, "a b", "x y", clauses="HM-TEMP-FOLD HM-TEMP-VANISH"),
    _temporary("three-over-a-criss-cross-of-three", "Temporary nodes of the inner merges are no "
               "ancestors of the outer ones", _WIDE, "a b c", "w y",
               clauses="HM-TEMP-FOLD HM-TEMP-VANISH HM-TEMP-AGREES"),
    _temporary("separate-roots", "No common ancestor: the origin is the default state",
               "p : a b ; q : b c ; s : d", "p q s", "a b c d"),
    _temporary("names-like-temporary-nodes",
               "IDs that an implementation might use for its temporary "
               "nodes are ordinary ones",
               "tmp : ; temp0 < tmp : x ; temp1 < tmp : y ; temp2 < tmp : z",
               "temp0 temp1 temp2", "x y z", clauses="HM-TEMP-VANISH"),
)  # fmt: skip

TOPIC: Final = Topic(
    name="temporary-nodes",
    notes=(
        "merge-fold-recurse. Each of these inputs gives the same state by the operation "
        "history-merge/merge."
    ),
    drafts=(*_DRAFTS, *_ORDERS),
)
