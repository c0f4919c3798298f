"""The laws of the history merge, each with its premises.

A message is an *operation* on an element if exactly one of two states has the element: the state of
the message and the merge of its parents. A *set* is an anti-chain of messages that is merged: the
heads of the history, and a few drawn sets. If a law does not hold for all sets, it is kept with its
premise and without. A history that breaks it without the premise is counted as a finding.
"""

from __future__ import annotations

from typing import Final

from rejoin_conformance.contract.law import laws_told

_PREMISE: Final = (
    "no addition of the element, in the set or before it, is concurrent with a removal of it"
)
_TEXT: Final = """
last-operations-count: An element is in the merge of a set if the last operations on it are
    additions, and not in the merge if they are removals. Premise: PREMISE. HM-MERGE-ORDER-FREE
    HM-MERGE-FOLD HM-MERGE-STEP HM-3WAY-ELEMENT
order-independence: If an element is in the merge of a set in one fold order, it is in the merge
    in every fold order. Premise: PREMISE. HM-MERGE-ORDER-FREE HM-FOLD-RANKED
order-independence-always (not claimed): All fold orders give the same merge of a set, as the
    document claims. HM-MERGE-ORDER-FREE
associativity: Merging a part of a set first, and then a new node over that part with the rest of
    the set, does not change whether an element is in the merge. Premise: PREMISE.
    HM-MERGE-ASSOCIATIVE
associativity-always (not claimed): Merging a part of a set first, and then a new node over that
    part with the rest of the set, gives the merge of the set, as the document claims.
    HM-MERGE-ASSOCIATIVE
recurse-fold-agrees (not claimed): The variant that recurses first and then folds gives the same
    merge. HM-RECURSE-FOLD HM-RECURSE-FOLD-DIFFERS
temporary-nodes-agree: Fold-recurse with temporary nodes gives the same merge as the complete
    algorithm and leaves no node behind. HM-TEMP-AGREES HM-TEMP-FOLD HM-TEMP-VANISH
counters-count-once: If states are counters, the merge of a set is the sum of the increments of
    all messages in the set and before it, each added exactly once, in every fold order.
    HM-MERGE-ANY-TYPE HM-3WAY-COUNTER HM-MERGE-ORIGIN HM-LCAU-LOWEST
elements-are-independent: An element is in the merge of a set if and only if the same merge of
    that element alone contains it. HM-3WAY-ELEMENT HM-3WAY-SET HM-MERGE-ANY-TYPE
unanimity: The merge of a set contains every element that is in all states of the set, and no
    element that is in none of them. Premise: the set is not empty. HM-MERGE-IDEMPOTENT
    HM-MERGE-ONE HM-3WAY-IDEMPOTENT
only-the-past-counts: The merge of a set stays the same if the history is cut down to the set and
    the messages before it, and lists them in another order. HM-MERGE-HISTORY HM-ORDER-LISTING
redundant-parents-mean-nothing: If messages get additional parents that are before their other
    parents, the heads, the merges and the transitive reduction stay the same.
    HM-MERGE-REDUNDANT-PARENTS HM-ORDER-REDUCTION HM-ORDER-MAXIMAL
reduced-sets: If a node before the set is added to the set, the merge is refused, and the error
    names the older of the two nodes first. A merge of the maximal nodes only gives the merge of
    the set. Premise: there is a node before the set. HM-MERGE-CHECK HM-MERGE-REDUCED
cache-changes-nothing: A session with its cache, a session with a cache of two states, and a merge
    without a cache give the same states. HM-MEMBERS-HEADS HM-MERGE-HISTORY
delivery-order-means-nothing: A session that receives the same messages in another order, and
    accepts each as soon as it has the parents, merges the parents of each message to the same
    state and ends with the same members. HM-ACCEPT-ANY-ORDER HM-ACCEPT-PARENTS HM-MEMBERS-HEADS
refusals-change-nothing: A session refuses a message that it already has, a message with an
    unknown parent, and a message whose parents are not an anti-chain. The error has the right
    code and nodes, and the session does not change. HM-ACCEPT-DUPLICATE HM-ACCEPT-PARENTS
    HM-ACCEPT-ANTI-CHAIN HM-ACCEPT-UNCHANGED
members-of-a-view: The merge of the heads of the messages that an author has seen gives the
    members of a session with only these messages. A message over these heads that changes nothing
    leaves the members as they are. HM-MEMBERS-HEADS HM-MEMBERS-NO-MERGE-NODE HM-MEMBERS-ONE-HEAD
operational-edges: There is one operational edge for each message with parents whose author
    changed the members, and its operation is that change. If the message has several parents, the
    edge leads to a virtual node. HM-EDGE-SINGLE HM-EDGE-MERGE HM-EDGE-VIRTUAL HM-EDGE-ROOT
three-way-merge: For any three states of the history, the 3-way merge returns the changed state if
    only one side changed, is commutative under a fixed origin, is idempotent, equals diff and
    apply, equals the symmetric form, and merges each element independently. HM-3WAY-IDENTITY
    HM-3WAY-COMMUTATIVE HM-3WAY-IDEMPOTENT HM-3WAY-DIFF-FORM HM-3WAY-ELEMENT
    HM-3WAY-SYMMETRIC-FORM
evaluations-agree: The literal evaluation of the reference gives the same merge of a set as the
    fast one. Premise: the set and the messages before it are within the bound of the literal
    evaluation. HM-MERGE-FOLD HM-MERGE-STEP HM-MERGE-ORIGIN HM-LCAU-LOWEST
"""
LAW: Final = laws_told(_TEXT, ("document",), {"PREMISE": _PREMISE})
"""The laws by name."""

LAWS: Final = tuple(LAW.values())
"""The laws, in this order."""
