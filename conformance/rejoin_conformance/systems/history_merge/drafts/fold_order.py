"""Where the fold order matters, where it does not, and which one is meant."""

from __future__ import annotations

from itertools import permutations
from typing import Final

from rejoin_conformance.contract.vector import Draft, Topic
from rejoin_conformance.systems.history_merge.drafting import in_scenario, merged, merging, refused

_FIVE_NODES: Final = "r : ; p < r : x ; q < r : x ; s < p : ; t < p : x"
_ONCE: Final = "r : ; p < r : x ; q < r : y ; s < p : ; t < p : x z"
_ORDERED: Final = "r : ; p < r : x ; s < p : ; t < s : x ; q < r : y ; u < s : z"


def _each_order(
    name: str, summary: str, clauses: str, text: str, results: dict[str, str]
) -> tuple[Draft, ...]:
    return tuple(
        in_scenario(
            merged(f"{name}-{order.replace(' ', '-')}", f"{summary}: {order}", clauses, text, order,
                   state, order=order),
            name, order,
        )
        for order, state in results.items()
    )  # fmt: skip


def _all_orders(name: str, summary: str, text: str, nodes: str, state: str) -> tuple[Draft, ...]:
    orders = {" ".join(order): state for order in permutations(nodes.split())}
    return _each_order(name, summary, "HM-MERGE-ORDER-FREE HM-FOLD-RANKED", text, orders)


_DEPENDENT = (
    *_each_order(
        "five-nodes",
        "p and q add x independently, s removes it after p",
        "HM-FOLD-RANKED HM-MERGE-FOLD",
        _FIVE_NODES,
        {"q s t": "x", "q t s": "", "s q t": "x", "s t q": "x", "t q s": "", "t s q": "x"},
    ),
    merged("five-nodes-by-id", "Without a fold order, ascending IDs are meant", "HM-FOLD-ASCENDING",
           _FIVE_NODES, "t s q", "x"),
    merged("five-nodes-renamed", "The same history under other names: the node that removes comes "
           "last", "HM-FOLD-ASCENDING", "r : ; p < r : x ; a < r : x ; z < p : ; b < p : x",
           "a b z",
           ""),
    merged("ids-are-no-numbers", "IDs compare as strings: 10, which removes, comes before 8 and 9",
           "HM-FOLD-ASCENDING", "r : ; p < r : x ; 9 < r : x ; 10 < p : ; 8 < p : x", "8 9 10",
           "x"),
    merged("ids-are-no-numbers-in-reverse", "And here it comes last: 2 comes after 10 and 11",
           "HM-FOLD-ASCENDING", "r : ; p < r : x ; 10 < r : x ; 2 < p : ; 11 < p : x", "2 10 11",
           ""),
    merged("ids-not-by-length", "A longer ID may come before a shorter one", "HM-FOLD-ASCENDING",
           "r : ; p < r : x ; b < r : x ; aa < p : ; c < p : x", "aa b c", "x"),
    merged("shorter-ids-first", "An ID comes before its continuations", "HM-FOLD-ASCENDING",
           "r : ; p < r : x ; m < r : x ; mm < p : ; ma < p : x", "m ma mm", ""),
    merged("capitals-first", "Capital letters come before small ones", "HM-FOLD-ASCENDING",
           "r : ; p < r : x ; a < r : x ; Z < p : ; b < p : x", "Z a b", "x"),
    merged("hyphens-before-digits", "All characters count, by code point", "HM-FOLD-ASCENDING",
           "r : ; p < r : x ; n-2 < r : x ; n1 < p : ; n-3 < p : x", "n-2 n-3 n1", ""),
    merged("partly-ranked", "Nodes that the order does not list come after those that it does",
           "HM-FOLD-RANKED", _FIVE_NODES, "q s t", "", order="t q"),
    merged("rest-by-id", "The nodes that are not listed follow by ascending ID: q, then s",
           "HM-FOLD-RANKED", _FIVE_NODES, "q s t", "", order="t"),
    merged("rest-by-id-the-other-way", "The same with q ahead: s, then t", "HM-FOLD-RANKED",
           _FIVE_NODES, "q s t", "x", order="q"),
    merged("first-ranked", "A single node may be taken first", "HM-FOLD-RANKED", _FIVE_NODES,
           "q s t",
           "x", order="s"),
    merged("ranked-beyond-the-merge", "The order may list nodes that are not merged",
           "HM-FOLD-RANKED", _FIVE_NODES, "q s t", "", order="r q p t"),
    merged("ranked-nobody", "An empty order leaves the order of IDs", "HM-FOLD-RANKED",
           _FIVE_NODES, "q s t", "x", order=""),
    merged("two-nodes-never-depend", "For two nodes over one origin the order is without effect",
           "HM-3WAY-COMMUTATIVE HM-FOLD-RANKED", _FIVE_NODES, "q s", "x", order="s q"),
)  # fmt: skip

_INNER: Final = f"{_FIVE_NODES} ; a < q s t : x y ; b < q s t : "

_ORIGINS = (
    merged("origins-by-id", "The origins are folded by ascending ID too: x was there, b removed it",
           "HM-FOLD-ASCENDING HM-MERGE-ORIGIN", _INNER, "a b", "y"),
    merged("origins-ranked", "A fold order holds for the origins too: x was not there, a added it",
           "HM-FOLD-RANKED HM-MERGE-ORIGIN", _INNER, "a b", "x y", order="q t s"),
    merged("origins-ranked-last", "Only the order among the origins matters here",
           "HM-FOLD-RANKED HM-MERGE-ORIGIN", _INNER, "a b", "x y", order="b t q a"),
)  # fmt: skip

_FREE = (
    *_all_orders("added-once", "Each element is added at most once", _ONCE, "q s t", "y z"),
    *_all_orders("operations-in-a-row", "All operations on each element are ordered", _ORDERED,
                 "q t u", "x y z"),
)  # fmt: skip

_ASSOCIATIVE: Final = "HM-MERGE-ASSOCIATIVE"
_ASSOCIATIVE_DRAFTS = (
    merged("merged-together", "Three nodes, each element added at most once", _ASSOCIATIVE, _ONCE,
           "q s t", "y z"),
    merged("merged-two-first", "The first two merged into a node before", _ASSOCIATIVE,
           f"{_ONCE} ; v < q s : y", "t v", "y z"),
    merged("merged-other-two-first", "Another two merged into a node before", _ASSOCIATIVE,
           f"{_ONCE} ; v < s t : z", "q v", "y z"),
    merged("merged-all-first", "All three merged into a node before", _ASSOCIATIVE,
           f"{_ONCE} ; v < q s t : y z", "v", "y z"),
    merged("one-alone-first", "One alone put into a node before", _ASSOCIATIVE,
           f"{_ONCE} ; v < s :", "q t v", "y z"),
    merged("not-associative-together", "Without the premise: three nodes at once",
           "HM-FOLD-ASCENDING", _FIVE_NODES, "q s t", "x"),
    merged("not-associative-two-first", "Without the premise: q and t merged into a node before, "
           "and then s", "HM-FOLD-ASCENDING", f"{_FIVE_NODES} ; v < q t : x", "s v", ""),
)  # fmt: skip


def _refused_order(name: str, summary: str, order: str, mended: str) -> Draft:
    return refused("merge", name, summary, "HM-FOLD-INVALID",
                   given=merging(_FIVE_NODES, "q s t", order),
                   mended=merging(_FIVE_NODES, "q s t", mended))  # fmt: skip


_REFUSED = (
    _refused_order("order-with-a-node-twice", "An order that lists a node twice is refused",
                   "q t q", "q t s"),
    _refused_order("order-with-unknown-node", "An order that lists a node that is not there is "
                   "refused", "q z", "q t"),
)  # fmt: skip

TOPIC: Final = Topic(
    name="fold-order",
    notes=(
        "The merge of sets may depend on the order in which nodes are folded; where no order is "
        "given, nodes are taken by ascending ID, in every merge. A field `order` lists nodes that "
        "are taken first, in this order."
    ),
    drafts=(*_DEPENDENT, *_ORIGINS, *_FREE, *_ASSOCIATIVE_DRAFTS, *_REFUSED),
)
