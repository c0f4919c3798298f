"""The laws of the history merge, each with its premises.

A message is an *operation* on an element if exactly one of two states has the element: the state of
the message and the merge of its parents. A *set* is an anti-chain of messages that is merged: the
heads of the history, and a few drawn sets. If a law does not hold for all sets, it is kept with its
premise and without. A history that breaks it without the premise is counted as a finding.
"""

from __future__ import annotations

from typing import Final

from rejoin_conformance.contract.law import Law

_LAWS: Final[list[Law]] = []
_PREMISE: Final = (
    "no addition of the element, in the set or before it, is concurrent with a removal of it"
)


def _law(
    name: str,
    statement: str,
    clauses: tuple[str, ...],
    premises: str = "none",
    *,
    claimed: bool = True,
) -> Law:
    """Return a law, and list it. claimed: whether the document's reading claims it."""
    law = Law(
        name=name,
        statement=statement,
        premises=premises,
        clauses=clauses,
        claimed_by=("document",) if claimed else (),
    )
    _LAWS.append(law)
    return law


LAST_OPERATIONS: Final = _law(
    name="last-operations-count",
    statement="An element is in the merge of a set if the last operations on it are additions, and "
    "not in the merge if they are removals.",
    premises=_PREMISE,
    clauses=("HM-MERGE-ORDER-FREE", "HM-MERGE-FOLD", "HM-MERGE-STEP", "HM-3WAY-ELEMENT"),
)

ORDER_FREE: Final = _law(
    name="order-independence",
    statement="If an element is in the merge of a set in one fold order, it is in the merge in "
    "every fold order.",
    premises=_PREMISE,
    clauses=("HM-MERGE-ORDER-FREE", "HM-FOLD-RANKED"),
)

ORDER_FREE_ALWAYS: Final = _law(
    name="order-independence-always",
    statement="All fold orders give the same merge of a set, as the document claims.",
    clauses=("HM-MERGE-ORDER-FREE",),
    claimed=False,
)

ASSOCIATIVE: Final = _law(
    name="associativity",
    statement="Merging a part of a set first, and then a new node over that part with the rest of "
    "the set, does not change whether an element is in the merge.",
    premises=_PREMISE,
    clauses=("HM-MERGE-ASSOCIATIVE",),
)

ASSOCIATIVE_ALWAYS: Final = _law(
    name="associativity-always",
    statement="Merging a part of a set first, and then a new node over that part with the rest of "
    "the set, gives the merge of the set, as the document claims.",
    clauses=("HM-MERGE-ASSOCIATIVE",),
    claimed=False,
)

RECURSE_FOLD: Final = _law(
    name="recurse-fold-agrees",
    statement="The variant that recurses first and then folds gives the same merge.",
    clauses=("HM-RECURSE-FOLD", "HM-RECURSE-FOLD-DIFFERS"),
    claimed=False,
)

TEMPORARY_NODES: Final = _law(
    name="temporary-nodes-agree",
    statement="Fold-recurse with temporary nodes gives the same merge as the complete algorithm "
    "and leaves no node behind.",
    clauses=("HM-TEMP-AGREES", "HM-TEMP-FOLD", "HM-TEMP-VANISH"),
)

APPLIED_ONCE: Final = _law(
    name="counters-count-once",
    statement="If states are counters, the merge of a set is the sum of the increments of all "
    "messages in the set and before it, each added exactly once, in every fold order.",
    clauses=("HM-MERGE-ANY-TYPE", "HM-3WAY-COUNTER", "HM-MERGE-ORIGIN", "HM-LCAU-LOWEST"),
)

ELEMENT_WISE: Final = _law(
    name="elements-are-independent",
    statement="An element is in the merge of a set if and only if the same merge of that element "
    "alone contains it.",
    clauses=("HM-3WAY-ELEMENT", "HM-3WAY-SET", "HM-MERGE-ANY-TYPE"),
)

UNANIMITY: Final = _law(
    name="unanimity",
    statement="The merge of a set contains every element that is in all states of the set, and no "
    "element that is in none of them.",
    premises="the set is not empty",
    clauses=("HM-MERGE-IDEMPOTENT", "HM-MERGE-ONE", "HM-3WAY-IDEMPOTENT"),
)

ONLY_THE_PAST: Final = _law(
    name="only-the-past-counts",
    statement="The merge of a set stays the same if the history is cut down to the set and the "
    "messages before it, and lists them in another order.",
    clauses=("HM-MERGE-HISTORY", "HM-ORDER-LISTING"),
)

REDUNDANT_PARENTS: Final = _law(
    name="redundant-parents-mean-nothing",
    statement="If messages get additional parents that are before their other parents, the heads, "
    "the merges and the transitive reduction stay the same.",
    clauses=("HM-MERGE-REDUNDANT-PARENTS", "HM-ORDER-REDUCTION", "HM-ORDER-MAXIMAL"),
)

REDUCED: Final = _law(
    name="reduced-sets",
    statement="If a node before the set is added to the set, the merge is refused, and the error "
    "names the older of the two nodes first. A merge of the maximal nodes only gives the merge of "
    "the set.",
    premises="there is a node before the set",
    clauses=("HM-MERGE-CHECK", "HM-MERGE-REDUCED"),
)

CACHE: Final = _law(
    name="cache-changes-nothing",
    statement="A session with its cache, a session with a cache of two states, and a merge without "
    "a cache give the same states.",
    clauses=("HM-MEMBERS-HEADS", "HM-MERGE-HISTORY"),
)

DELIVERY_ORDER: Final = _law(
    name="delivery-order-means-nothing",
    statement="A session that receives the same messages in another order, and accepts each as "
    "soon as it has the parents, merges the parents of each message to the same state and ends "
    "with the same members.",
    clauses=("HM-ACCEPT-ANY-ORDER", "HM-ACCEPT-PARENTS", "HM-MEMBERS-HEADS"),
)

REFUSALS: Final = _law(
    name="refusals-change-nothing",
    statement="A session refuses a message that it already has, a message with an unknown parent, "
    "and a message whose parents are not an anti-chain. The error has the right code and nodes, "
    "and the session does not change.",
    clauses=(
        "HM-ACCEPT-DUPLICATE",
        "HM-ACCEPT-PARENTS",
        "HM-ACCEPT-ANTI-CHAIN",
        "HM-ACCEPT-UNCHANGED",
    ),
)

SAME_VIEW: Final = _law(
    name="members-of-a-view",
    statement="The merge of the heads of the messages that an author has seen gives the members of "
    "a session with only these messages. A message over these heads that changes nothing leaves "
    "the members as they are.",
    clauses=("HM-MEMBERS-HEADS", "HM-MEMBERS-NO-MERGE-NODE", "HM-MEMBERS-ONE-HEAD"),
)

OPERATIONAL_EDGES: Final = _law(
    name="operational-edges",
    statement="There is one operational edge for each message with parents whose author changed "
    "the members, and its operation is that change. If the message has several parents, the edge "
    "leads to a virtual node.",
    clauses=("HM-EDGE-SINGLE", "HM-EDGE-MERGE", "HM-EDGE-VIRTUAL", "HM-EDGE-ROOT"),
)

THREE_WAY: Final = _law(
    name="three-way-merge",
    statement="For any three states of the history, the 3-way merge returns the changed state if "
    "only one side changed, is commutative under a fixed origin, is idempotent, equals diff and "
    "apply, equals the symmetric form, and merges each element independently.",
    clauses=(
        "HM-3WAY-IDENTITY",
        "HM-3WAY-COMMUTATIVE",
        "HM-3WAY-IDEMPOTENT",
        "HM-3WAY-DIFF-FORM",
        "HM-3WAY-ELEMENT",
        "HM-3WAY-SYMMETRIC-FORM",
    ),
)

EVALUATIONS: Final = _law(
    name="evaluations-agree",
    statement="The literal evaluation of the reference gives the same merge of a set as the fast "
    "one.",
    premises="the set and the messages before it are within the bound of the literal evaluation",
    clauses=("HM-MERGE-FOLD", "HM-MERGE-STEP", "HM-MERGE-ORIGIN", "HM-LCAU-LOWEST"),
)

LAWS: Final = tuple(_LAWS)
"""The laws, in this order."""
