"""The smallest histories whose merge depends on the fold order, one vector an order.

They are what the exhaustive check finds, up to renaming, with one element x. Beside each of them
stands a history that differs in one operation, so that no addition is concurrent with a removal.
"""

from __future__ import annotations

from itertools import permutations
from typing import Final

from rejoin_conformance.contract.vector import Draft, Topic
from rejoin_conformance.systems.history_merge.drafting import merged

_ADDED_TWICE: Final = "r ; p < r : x ; q < r : x ; s < p ; t < p : x"
_REMOVED_TWICE: Final = "r ; p < r : x ; q < r : x ; s < p ; t < p"
_ADDED_AGAIN: Final = "r ; p < r : x ; q < p ; s < p ; t < q ; u < q : x"

_ADDED_ONCE: Final = "r ; p < r : x ; q < r ; s < p ; t < p : x"
_REMOVED_AFTER_BOTH: Final = "r ; p < r : x ; q < r : x ; s < p q ; t < p : x ; u < q : x"
_REMOVED_ONCE: Final = "r ; p < r : x ; q < p ; s < p : x ; t < q ; u < q : x"


def _in_every_order(
    name: str, told: str, text: str, merge: str, state: str, others: dict[str, str]
) -> tuple[Draft, ...]:
    """A vector for each order; `others` has the orders whose state is not `state`."""
    return tuple(
        merged(
            f"{name}-{'-'.join(order)}",
            f"{told}: folded in the order {' '.join(order)}",
            "HM-FOLD-RANKED HM-MERGE-FOLD HM-MERGE-ORDER-FREE",
            text,
            merge,
            others.get(" ".join(order), state),
            order=" ".join(order),
        )
        for order in permutations(merge.split())
    )


TOPIC: Final = Topic(
    name="order-dependence",
    notes="The smallest histories in which the fold order decides, found by exhaustive search.",
    drafts=(
        *_in_every_order(
            "added-twice-removed-once",
            "Two add x, one removes what it knows of, one keeps it",
            _ADDED_TWICE,
            "q s t",
            "x",
            {"q t s": "", "t q s": ""},
        ),
        *_in_every_order(
            "added-twice-removed-twice",
            "Two add x, two remove the same one of these additions",
            _REMOVED_TWICE,
            "q s t",
            "",
            {"s t q": "x", "t s q": "x"},
        ),
        *_in_every_order(
            "added-again",
            "Additions one after the other, and two removals that do not know of each other",
            _ADDED_AGAIN,
            "s t u",
            "",
            {"s t u": "x", "t s u": "x"},
        ),
        *_in_every_order(
            "added-once",
            "One addition only, so that every order gives the same",
            _ADDED_ONCE,
            "q s t",
            "",
            {},
        ),
        *_in_every_order(
            "removed-after-both",
            "Two additions, and a removal that knows of both: every order gives the same",
            _REMOVED_AFTER_BOTH,
            "s t u",
            "",
            {},
        ),
        *_in_every_order(
            "removed-once-and-added-again",
            "Additions and one removal, all one after the other: every order gives the same",
            _REMOVED_ONCE,
            "s t u",
            "x",
            {},
        ),
    ),
)
