"""The table of the operations: what each one takes and gives, and a summary.

A line has the name, what stands before the question, and the question with its answer: `typed`,
`sets` or `unstated` nodes with their states, no nodes but `states` of a type, or `nothing`. `once`
means that there is no second evaluation of the operation.
"""

from __future__ import annotations

import re
from typing import Final

_TABLE: Final = """
before (unstated): {earlier} {later} = {before}
    Return whether `earlier` <= `later`: it is the same node or an ancestor of it.
ancestors (unstated): of {of} = {nodes:ids}
    List the nodes of a set and all their ancestors. A node that is listed twice counts once.
maximal (unstated): among {among} = {nodes:ids}
    List the nodes of a set that are not before another node of the set. A node that is listed
    twice counts once.
is-anti-chain (unstated): {among} = {anti_chain}
    Return whether the listed nodes are an anti-chain: none is <= another one.
transitive-reduction (unstated): = {nodes}
    List the nodes by ascending ID, without parents that are before another parent of the same
    node. The parents are in ascending order too, like every set in an output of this page.
common-ancestors (unstated): of {of} with {with} = {nodes:ids}
    lcaU: the lowest nodes that are <= `with` and <= at least one node of `of`. A node that is
    listed twice counts once.
common-to-all (unstated): of {of} = {nodes:ids}
    lca: the lowest nodes that are <= every node of `of`. A node that is listed twice counts
    once. If `of` is empty, these are the heads of the history.
three-way-merge (states once): {origin} -> {left} and {right} = {state}
    Merge two states that both come from `origin`. Reject them if they conflict.
diff (nothing once): {origin:origin-set} -> {changed} = inserts {inserted} deletes {deleted}
    List the elements to insert and to delete to turn `origin` into `changed`.
apply-diff (nothing once): {state:state-set} inserts {inserted} deletes {deleted} \
    = {state:state-set}
    Insert elements into a set, then delete elements from it.
union-of-events (sets once): = {union}
    Read the nodes' sets as data of type 1 and return the union of all of them.
merge (typed): {merge}[ in order {order}] = {state}
    Merge the nodes of an anti-chain. Nodes listed in `order` come first, the others follow by
    ascending ID.
merge-temporary-nodes (typed): {merge}[ in order {order}] = {state}
    Merge the nodes of an anti-chain by fold-recurse with temporary nodes.
merge-recurse-fold (typed): {merge}[ in order {order}] = {state}
    Merge the nodes of an anti-chain by recurse-fold, which the document shows to be wrong.
merge-reduced (typed): {merge}[ in order {order}] = {state}
    Merge the maximal nodes of any set, as a version-control system can. A node that is listed
    twice counts once.
merge-check-continues (typed): {merge}[ in order {order}] = {state}
    Merge any set of nodes, and ignore the anti-chain check where it fails. The document says
    that this is not enough.
merge-check-returns (typed): {merge}[ in order {order}] = {state}
    Merge any set of nodes, and keep the state so far where the anti-chain check fails. The
    document says that this is not enough.
members (typed): [in order {order}] = {state}
    Merge the heads of the history.
operational-edges (sets): = {edges}
    List the operational edges of a history by ascending node ID.
merge-steps (typed): {merge}[ in order {order}] = {steps}
    List the steps of the operation `merge`. This operation is optional. The steps of a set of
    nodes stand after the steps of the sets that its origins need.
accept (typed): {message} = {accepted}
    Accept a message into a session that has accepted the messages `nodes`, listed in any
    order. Reject it if the session refuses it, or if no session could have accepted `nodes`.
session (states): {messages} = {steps:answers}
    Offer messages to a new session in the order of the list. Return for each message whether
    the session accepted it, and the state of the session after it, which is null if its heads
    conflict, and the default state before the first. A refused message refuses only itself.
without-merges (typed once): = {written} written in {sessions}
    List the sessions that the history becomes if forks are never merged, by ascending head,
    and count the messages that have to be written.
"""
_LINE: Final = re.compile(r"^(\S+) \((\w+)( once)?\): (.*)\n((?: {4}.*\n)+)", re.MULTILINE)

LINES: Final = tuple(
    (name, nodes, once, template, " ".join(summary.split()))
    for name, nodes, once, template, summary in _LINE.findall(_TABLE)
)
"""The lines of the table, split into their parts."""
