"""The merge of A and B together, and of B with a new node over A: where they differ, where not.

Each pair of vectors is a scenario: the same nodes merged together, and with a node over some.
"""

from __future__ import annotations

from typing import Final

from rejoin_conformance.contract.vector import Draft, Topic
from rejoin_conformance.systems.history_merge.drafting import in_scenario, merged

_ADDED_TWICE: Final = "r ; p < r : x ; q < r : x ; s < p ; t < p : x"
_REMOVED_TWICE: Final = "r ; p < r : x ; q < r : x ; s < p ; t < p"
_ADDED_AGAIN: Final = "r ; p < r : x ; q < p ; s < p ; t < q ; u < q : x"
_NO_ORDER_MATTERS: Final = (
    "r ; p < r : x ; q < r : x ; s < p ; a < p q : x ; b < p q : x ; c < s ; d < s : x"
)
_ADDED_ONCE: Final = "r ; p < r : x ; q < r ; s < p ; t < p : x"
_TOTALLY_ORDERED: Final = "r ; p < r : x ; q < p ; s < p : x ; t < q ; u < q : x"

_CLAUSES: Final = "HM-MERGE-ASSOCIATIVE HM-MERGE-ORIGIN"


def _pair(
    name: str,
    told: str,
    text: str,
    a: str,
    b: str,
    *,
    together: str,
    v: str,
    over: str,
) -> tuple[Draft, Draft]:
    """The merge of A and B together, and of B with a node v over A whose state is A's merge."""
    parents = "-".join(a.split())
    first = merged(
        f"{name}-{parents}-together",
        f"{told}: {a} and {b} merged together",
        _CLAUSES,
        text,
        f"{a} {b}",
        together,
    )
    second = merged(
        f"{name}-{parents}-joined-first",
        f"{told}: a node over {a} merged with {b}",
        _CLAUSES,
        f"{text} ; v < {a} : {v}",
        f"v {b}",
        over,
    )
    scenario = f"{name}-{parents}"
    return in_scenario(first, scenario, "together"), in_scenario(second, scenario, "joined-first")


TOPIC: Final = Topic(
    name="associativity",
    notes="A merge of some nodes first may change the result, even where no fold order does.",
    drafts=(
        *_pair("added-twice-removed-once", "Two additions, one removal", _ADDED_TWICE, "q t", "s",
               together="x", v="x", over=""),
        *_pair("added-twice-removed-once", "Two additions, one removal", _ADDED_TWICE, "q s", "t",
               together="x", v="x", over="x"),
        *_pair("added-twice-removed-twice", "Two additions, two removals of one", _REMOVED_TWICE,
               "s t", "q", together="", v="", over="x"),
        *_pair("added-again", "Added again while another removes", _ADDED_AGAIN, "s u", "t",
               together="x", v="", over=""),
        *_pair("no-order-matters", "Every fold order gives {x}", _NO_ORDER_MATTERS, "a c", "b d",
               together="x", v="", over=""),
        *_pair("no-order-matters", "Every fold order gives {x}", _NO_ORDER_MATTERS, "a d", "b c",
               together="x", v="x", over=""),
        *_pair("no-order-matters", "Every fold order gives {x}", _NO_ORDER_MATTERS, "a b", "c d",
               together="x", v="x", over="x"),
        *_pair("added-once", "Added once only", _ADDED_ONCE, "q t", "s",
               together="", v="x", over=""),
        *_pair("totally-ordered", "All operations one after the other", _TOTALLY_ORDERED, "s u",
               "t", together="x", v="x", over="x"),
        *(
            merged(
                f"no-order-matters-{'-'.join(order.split())}",
                f"Every fold order gives {{x}}: {order}",
                "HM-FOLD-RANKED HM-MERGE-ORDER-FREE",
                _NO_ORDER_MATTERS,
                "a b c d",
                "x",
                order=order,
            )
            for order in ("a c b d", "b d a c", "c d a b", "d c b a")
        ),
    ),
)  # fmt: skip
