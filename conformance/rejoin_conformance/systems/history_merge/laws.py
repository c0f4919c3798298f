"""The laws of the history merge, each with its premises.

A message is an *operation* on an element if exactly one of two states has the element: the state of
the message and the merge of its parents. A *set* is an anti-chain of messages that is merged: the
heads of the history, and a few drawn sets. If a law does not hold for all sets, it is kept with its
premise and without. A history that breaks it without the premise is counted as a finding.
"""

from __future__ import annotations

from typing import Final

from rejoin_conformance.contract.law import Law

_ALL: Final = ("document",)
_PREMISE: Final = (
    "no addition of the element, in the set or before it, is concurrent with a removal of it"
)

LAST_OPERATIONS: Final = Law(
    name="last-operations-count",
    statement="An element is in the merge of a set if the last operations on it are additions, and "
    "not in the merge if they are removals.",
    premises=_PREMISE,
    clauses=("HM-MERGE-ORDER-FREE", "HM-MERGE-FOLD", "HM-MERGE-STEP", "HM-3WAY-ELEMENT"),
    claimed_by=_ALL,
)

ORDER_FREE: Final = Law(
    name="order-independence",
    statement="If an element is in the merge of a set in one fold order, it is in the merge in "
    "every fold order.",
    premises=_PREMISE,
    clauses=("HM-MERGE-ORDER-FREE", "HM-FOLD-RANKED"),
    claimed_by=_ALL,
)

ORDER_FREE_ALWAYS: Final = Law(
    name="order-independence-always",
    statement="All fold orders give the same merge of a set, as the document claims.",
    premises="none",
    clauses=("HM-MERGE-ORDER-FREE",),
    claimed_by=(),
)

ASSOCIATIVE: Final = Law(
    name="associativity",
    statement="Merging a part of a set first, and then a new node over that part with the rest of "
    "the set, does not change whether an element is in the merge.",
    premises=_PREMISE,
    clauses=("HM-MERGE-ASSOCIATIVE",),
    claimed_by=_ALL,
)

ASSOCIATIVE_ALWAYS: Final = Law(
    name="associativity-always",
    statement="Merging a part of a set first, and then a new node over that part with the rest of "
    "the set, gives the merge of the set, as the document claims.",
    premises="none",
    clauses=("HM-MERGE-ASSOCIATIVE",),
    claimed_by=(),
)

RECURSE_FOLD: Final = Law(
    name="recurse-fold-agrees",
    statement="The variant that recurses first and then folds gives the same merge.",
    premises="none",
    clauses=("HM-RECURSE-FOLD", "HM-RECURSE-FOLD-DIFFERS"),
    claimed_by=(),
)

TEMPORARY_NODES: Final = Law(
    name="temporary-nodes-agree",
    statement="Fold-recurse with temporary nodes gives the same merge as the complete algorithm "
    "and leaves no node behind.",
    premises="none",
    clauses=("HM-TEMP-AGREES", "HM-TEMP-FOLD", "HM-TEMP-VANISH"),
    claimed_by=_ALL,
)

APPLIED_ONCE: Final = Law(
    name="counters-count-once",
    statement="If states are counters, the merge of a set is the sum of the increments of all "
    "messages in the set and before it, each added exactly once, in every fold order.",
    premises="none",
    clauses=("HM-MERGE-ANY-TYPE", "HM-3WAY-COUNTER", "HM-MERGE-ORIGIN", "HM-LCAU-LOWEST"),
    claimed_by=_ALL,
)

ELEMENT_WISE: Final = Law(
    name="elements-are-independent",
    statement="An element is in the merge of a set if and only if the same merge of that element "
    "alone contains it.",
    premises="none",
    clauses=("HM-3WAY-ELEMENT", "HM-3WAY-SET", "HM-MERGE-ANY-TYPE"),
    claimed_by=_ALL,
)

UNANIMITY: Final = Law(
    name="unanimity",
    statement="The merge of a set contains every element that is in all states of the set, and no "
    "element that is in none of them.",
    premises="the set is not empty",
    clauses=("HM-MERGE-IDEMPOTENT", "HM-MERGE-ONE", "HM-3WAY-IDEMPOTENT"),
    claimed_by=_ALL,
)

ONLY_THE_PAST: Final = Law(
    name="only-the-past-counts",
    statement="The merge of a set stays the same if the history is cut down to the set and the "
    "messages before it, and lists them in another order.",
    premises="none",
    clauses=("HM-MERGE-HISTORY", "HM-ORDER-LISTING"),
    claimed_by=_ALL,
)

REDUNDANT_PARENTS: Final = Law(
    name="redundant-parents-mean-nothing",
    statement="If messages get additional parents that are before their other parents, the heads, "
    "the merges and the transitive reduction stay the same.",
    premises="none",
    clauses=("HM-MERGE-REDUNDANT-PARENTS", "HM-ORDER-REDUCTION", "HM-ORDER-MAXIMAL"),
    claimed_by=_ALL,
)

REDUCED: Final = Law(
    name="reduced-sets",
    statement="If a node before the set is added to the set, the merge is refused, and the error "
    "names the older of the two nodes first. A merge of the maximal nodes only gives the merge of "
    "the set.",
    premises="there is a node before the set",
    clauses=("HM-MERGE-CHECK", "HM-MERGE-REDUCED"),
    claimed_by=_ALL,
)

CACHE: Final = Law(
    name="cache-changes-nothing",
    statement="A session with its cache, a session with a cache of two states, and a merge without "
    "a cache give the same states.",
    premises="none",
    clauses=("HM-MEMBERS-HEADS", "HM-MERGE-HISTORY"),
    claimed_by=_ALL,
)

DELIVERY_ORDER: Final = Law(
    name="delivery-order-means-nothing",
    statement="A session that receives the same messages in another order, and accepts each as "
    "soon as it has the parents, merges the parents of each message to the same state and ends "
    "with the same members.",
    premises="none",
    clauses=("HM-ACCEPT-ANY-ORDER", "HM-ACCEPT-PARENTS", "HM-MEMBERS-HEADS"),
    claimed_by=_ALL,
)

REFUSALS: Final = Law(
    name="refusals-change-nothing",
    statement="A session refuses a message that it already has, a message with an unknown parent, "
    "and a message whose parents are not an anti-chain. The error has the right code and nodes, "
    "and the session does not change.",
    premises="none",
    clauses=(
        "HM-ACCEPT-DUPLICATE",
        "HM-ACCEPT-PARENTS",
        "HM-ACCEPT-ANTI-CHAIN",
        "HM-ACCEPT-UNCHANGED",
    ),
    claimed_by=_ALL,
)

SAME_VIEW: Final = Law(
    name="members-of-a-view",
    statement="The merge of the heads of the messages that an author has seen gives the members of "
    "a session with only these messages. A message over these heads that changes nothing leaves "
    "the members as they are.",
    premises="none",
    clauses=("HM-MEMBERS-HEADS", "HM-MEMBERS-NO-MERGE-NODE", "HM-MEMBERS-ONE-HEAD"),
    claimed_by=_ALL,
)

OPERATIONAL_EDGES: Final = Law(
    name="operational-edges",
    statement="There is one operational edge for each message with parents whose author changed "
    "the members, and its operation is that change. If the message has several parents, the edge "
    "leads to a virtual node.",
    premises="none",
    clauses=("HM-EDGE-SINGLE", "HM-EDGE-MERGE", "HM-EDGE-VIRTUAL", "HM-EDGE-ROOT"),
    claimed_by=_ALL,
)

THREE_WAY: Final = Law(
    name="three-way-merge",
    statement="For any three states of the history, the 3-way merge returns the changed state if "
    "only one side changed, is commutative under a fixed origin, is idempotent, equals diff and "
    "apply, equals the symmetric form, and merges each element independently.",
    premises="none",
    clauses=(
        "HM-3WAY-IDENTITY",
        "HM-3WAY-COMMUTATIVE",
        "HM-3WAY-IDEMPOTENT",
        "HM-3WAY-DIFF-FORM",
        "HM-3WAY-ELEMENT",
        "HM-3WAY-SYMMETRIC-FORM",
    ),
    claimed_by=_ALL,
)

EVALUATIONS: Final = Law(
    name="evaluations-agree",
    statement="The literal evaluation of the reference gives the same merge of a set as the fast "
    "one.",
    premises="the set and the messages before it are within the bound of the literal evaluation",
    clauses=("HM-MERGE-FOLD", "HM-MERGE-STEP", "HM-MERGE-ORIGIN", "HM-LCAU-LOWEST"),
    claimed_by=_ALL,
)

LAWS: Final = (
    LAST_OPERATIONS,
    ORDER_FREE,
    ORDER_FREE_ALWAYS,
    ASSOCIATIVE,
    ASSOCIATIVE_ALWAYS,
    RECURSE_FOLD,
    TEMPORARY_NODES,
    APPLIED_ONCE,
    ELEMENT_WISE,
    UNANIMITY,
    ONLY_THE_PAST,
    REDUNDANT_PARENTS,
    REDUCED,
    CACHE,
    DELIVERY_ORDER,
    REFUSALS,
    SAME_VIEW,
    OPERATIONAL_EDGES,
    THREE_WAY,
    EVALUATIONS,
)
