"""The laws of the history merge, each with its premises.

An *operation* on an element is a message whose state has the element where the merge of its parents
has not, or the other way round. A *set* is an anti-chain of messages that is merged: the heads of
the history, and some others. Laws that do not hold for all sets are kept beside the same law with
its premise; what breaks them is counted as a finding.
"""

from __future__ import annotations

from typing import Final

from rejoin_conformance.contract.law import Law

_ALL: Final = ("document",)
_PREMISE: Final = "no addition of the element is concurrent with a removal of it, before the set"

LAST_OPERATIONS: Final = Law(
    name="last-operations-count",
    statement="An element is in the merge of a set where the last operations on it are additions, "
    "and not where they are removals.",
    premises=_PREMISE,
    clauses=("HM-MERGE-ORDER-FREE", "HM-MERGE-FOLD", "HM-MERGE-STEP", "HM-3WAY-ELEMENT"),
    claimed_by=_ALL,
)

ORDER_FREE: Final = Law(
    name="order-independence",
    statement="An element is in the merge of a set in every fold order, or in none.",
    premises=_PREMISE,
    clauses=("HM-MERGE-ORDER-FREE", "HM-FOLD-RANKED"),
    claimed_by=_ALL,
)

ORDER_FREE_ALWAYS: Final = Law(
    name="order-independence-always",
    statement="Two fold orders give the same merge of a set, as the document claims.",
    premises="none",
    clauses=("HM-MERGE-ORDER-FREE",),
    claimed_by=(),
)

ASSOCIATIVE: Final = Law(
    name="associativity",
    statement="Merging some of a set first, and a new node over them with the rest, makes no "
    "difference to an element.",
    premises=_PREMISE,
    clauses=("HM-MERGE-ASSOCIATIVE",),
    claimed_by=_ALL,
)

ASSOCIATIVE_ALWAYS: Final = Law(
    name="associativity-always",
    statement="Merging some of a set first, and a new node over them with the rest, gives the same "
    "merge, as the document claims.",
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
    statement="Fold-recurse with temporary nodes gives the merge of the complete algorithm, and "
    "leaves no node behind.",
    premises="none",
    clauses=("HM-TEMP-AGREES", "HM-TEMP-FOLD", "HM-TEMP-VANISH"),
    claimed_by=_ALL,
)

APPLIED_ONCE: Final = Law(
    name="counters-count-once",
    statement="Where states are counters, the merge of a set is the sum of all that was counted "
    "before the set, each exactly once, in every fold order.",
    premises="none",
    clauses=("HM-MERGE-ANY-TYPE", "HM-3WAY-COUNTER", "HM-MERGE-ORIGIN", "HM-LCAU-LOWEST"),
    claimed_by=_ALL,
)

ELEMENT_WISE: Final = Law(
    name="elements-are-independent",
    statement="The merge of a set has an element where the same merge of that element alone has.",
    premises="none",
    clauses=("HM-3WAY-ELEMENT", "HM-3WAY-SET", "HM-MERGE-ANY-TYPE"),
    claimed_by=_ALL,
)

UNANIMITY: Final = Law(
    name="unanimity",
    statement="What all states of a set have, its merge has; what none has, it has not.",
    premises="the set is not empty",
    clauses=("HM-MERGE-IDEMPOTENT", "HM-MERGE-ONE", "HM-3WAY-IDEMPOTENT"),
    claimed_by=_ALL,
)

ONLY_THE_PAST: Final = Law(
    name="only-the-past-counts",
    statement="A set merges the same in a history from which all that is not before it is left "
    "out, its nodes listed in another order.",
    premises="none",
    clauses=("HM-MERGE-HISTORY", "HM-ORDER-LISTING"),
    claimed_by=_ALL,
)

REDUNDANT_PARENTS: Final = Law(
    name="redundant-parents-mean-nothing",
    statement="With parents added that are before other parents, heads, merges and the transitive "
    "reduction stay the same.",
    premises="none",
    clauses=("HM-MERGE-REDUNDANT-PARENTS", "HM-ORDER-REDUCTION", "HM-ORDER-MAXIMAL"),
    claimed_by=_ALL,
)

REDUCED: Final = Law(
    name="reduced-sets",
    statement="A set with some node before it thrown in is refused, naming the older of two nodes "
    "first; a merge of maximal nodes only gives the merge of the set.",
    premises="something is before the set",
    clauses=("HM-MERGE-CHECK", "HM-MERGE-CHECK-NAMES", "HM-MERGE-REDUCED"),
    claimed_by=_ALL,
)

CACHE: Final = Law(
    name="cache-changes-nothing",
    statement="A session with its cache, a session with a cache of two states, and a merge without "
    "a cache give the same states.",
    premises="none",
    clauses=("HM-ACCEPT-CACHE",),
    claimed_by=_ALL,
)

DELIVERY_ORDER: Final = Law(
    name="delivery-order-means-nothing",
    statement="A session that gets the same messages in another order, and accepts each as soon as "
    "its parents are there, departs from the same states and comes to the same members.",
    premises="none",
    clauses=("HM-ACCEPT-ANY-ORDER", "HM-ACCEPT-PARENTS", "HM-MEMBERS-HEADS"),
    claimed_by=_ALL,
)

REFUSALS: Final = Law(
    name="refusals-change-nothing",
    statement="A message that came before, that has an unknown parent, or whose parents are no "
    "anti-chain is refused with the right code and nodes, and the session stays as it was.",
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
    statement="What an author has seen has the members that a session with only these messages "
    "has, and a message over its heads that changes nothing leaves them as they are.",
    premises="none",
    clauses=("HM-MEMBERS-HEADS", "HM-MEMBERS-NO-MERGE-NODE", "HM-MEMBERS-ONE-HEAD"),
    claimed_by=_ALL,
)

OPERATIONAL_EDGES: Final = Law(
    name="operational-edges",
    statement="The operational edges are those of the messages whose authors changed something, "
    "with what they changed; to a virtual node where there are several parents.",
    premises="none",
    clauses=("HM-EDGE-SINGLE", "HM-EDGE-MERGE", "HM-EDGE-VIRTUAL", "HM-EDGE-ROOT"),
    claimed_by=_ALL,
)

THREE_WAY: Final = Law(
    name="three-way-merge",
    statement="For states of the history: identity and commutativity under a fixed origin, "
    "idempotence, diff and apply, and each element for itself.",
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
)
