"""The members of a session: the merge of its heads."""

from __future__ import annotations

from typing import Final

from rejoin_conformance.contract.vector import Draft, Topic
from rejoin_conformance.kit.json_types import JsonObject
from rejoin_conformance.systems.history_merge.drafting import names, query, stated, typed

_FIVE_NODES: Final = "r : ; p < r : x ; q < r : x ; s < p : ; t < p : x"


def _members(
    name: str, summary: str, clauses: str, text: str, state: str, order: str | None = None
) -> Draft:
    given: JsonObject = {"nodes": stated(text)}
    if order is not None:
        given["order"] = names(order)
    return query("members", name, summary, clauses, given=given,
                 output={"state": [*sorted(state.split())]})  # fmt: skip


_HEADS: Final = "HM-MEMBERS-HEADS"
_ONE: Final = "HM-MEMBERS-ONE-HEAD HM-MEMBERS-HEADS"

_DRAFTS = (
    _members("no-messages", "A session without messages has no members", "HM-MEMBERS-EMPTY", "",
    ""),
    _members("one-message", "One message says who the members are", _ONE, "r : a b", "a b"),
    _members("chain", "The last message of a chain says it", _ONE,
             "r : a ; p < r : a b ; q < p : b c",
             "b c"),
    _members("after-a-merge", "A message that joins the branches says it", _ONE,
             "r : a ; p < r : a b ; q < r : a c ; m < p q : a b c", "a b c"),
    _members("after-a-merge-that-changes", "Even where it departs from the merge of its parents",
             _ONE,
             "r : a ; p < r : a b ; q < r : a c ; m < p q : d", "d"),
    _members("everybody-left", "There may be no members", _ONE, "r : a ; p < r :", ""),
    _members("fork", "Both branches count",
             "HM-MEMBERS-HEADS HM-MEMBERS-NO-MERGE-NODE HM-DYNAMIC-STATE",
             "r : a b ; p < r : a b c ; q < r : b", "b c"),
    _members("fork-joined-without-change",
             "The same with a message that joins the fork and changes "
             "nothing", "HM-MEMBERS-NO-MERGE-NODE HM-MEMBERS-ONE-HEAD",
             "r : a b ; p < r : a b c ; q < r : b ; m < p q : b c", "b c"),
    _members("fork-of-three", "Three heads", _HEADS,
             "r : a ; p < r : a b ; q < r : a c ; s < r :", "b c"),
    _members("heads-at-different-depths", "Heads need not be equally deep", _HEADS,
             "r : a ; p < r : a b ; q < p : a b c ; s < q : b c ; t < r : a d", "b c d"),
    _members("inner-nodes-do-not-count", "What is no head counts only as history", _HEADS,
             "r : a ; p < r : a b ; q < p : a ; s < r : a c", "a c"),
    _members("joined-and-forked-again", "A fork after a join", _HEADS,
             "r : a ; p < r : a b ; q < r : a c ; m < p q : a b c ; s < m : a b c d ; t < m : b c",
             "b c d"),
    _members("two-first-messages", "Two sessions that were begun apart",
             "HM-MEMBERS-HEADS HM-MERGE-NO-ORIGIN", "r : a b ; s : a c", "a b c"),
    _members("kicked-and-invited-again",
             "One branch kicks and invites again, the other knows nothing",
             _HEADS, "r : a b ; p < r : a ; q < p : a b ; s < r : a b c", "a b c"),
    _members("kicked-against-left", "One branch kicks who leaves on the other", _HEADS,
             "r : a b ; p < r : a ; q < r : a", "a"),
    _members("crossing-heads", "Heads over a criss-cross", _HEADS,
             "r : a ; p < r : a b ; q < r : a c ; s < p q : a b c ; t < p q : a c", "a c"),
    _members("order-by-id", "By ascending ID where the order matters", "HM-MEMBERS-HEADS "
             "HM-FOLD-ASCENDING", _FIVE_NODES, "x"),
    _members("order-given", "In another order where it is given", "HM-MEMBERS-HEADS HM-FOLD-RANKED",
             _FIVE_NODES, "", "q t"),
    query("members", "counter", "The heads of counters", "HM-MEMBERS-HEADS HM-MERGE-ANY-TYPE",
          given={"nodes": typed("r : 5 ; p < r : 7 ; q < r : 4", "counter"),
          "state_type": "counter"},
          output={"state": "6"}),
    query("members", "counter-without-messages", "Counters begin with 0",
          "HM-MEMBERS-EMPTY HM-3WAY-COUNTER", given={"nodes": [], "state_type": "counter"},
          output={"state": "0"}),
)  # fmt: skip

TOPIC: Final = Topic(
    name="membership",
    notes="members(G) = merge[G](max(G)).",
    drafts=_DRAFTS,
)
