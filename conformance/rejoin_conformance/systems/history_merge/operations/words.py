"""The fields of history merge's operations, in words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

WORDS: Final[Mapping[str, str]] = {
    "nodes": "The nodes of the history, in any order.",
    "ancestors/nodes": "The nodes of the history; in the output, the IDs of the ancestors.",
    "maximal/nodes": "The nodes of the history; in the output, the IDs of the maximal nodes.",
    "id": "The ID of the node.",
    "parents": "The IDs of the node's parents.",
    "state": "The state: a set of names, a decimal counter, a register, or a list of lines.",
    "earlier": "The ID of the node that may be the earlier one.",
    "later": "The ID of the node that may be the later one.",
    "before": "Whether `earlier` is before `later`.",
    "of": "The IDs of the nodes in question.",
    "among": "The IDs of the nodes in question.",
    "anti_chain": "Whether no node of the set is before another one.",
    "with": "The ID of one further node.",
    "origin": "The state that stands for the common past.",
    "diff/origin": "The set before the change.",
    "left": "The state of one side.",
    "right": "The state of the other side.",
    "state_type": "The type of the states; sets if it is missing.",
    "changed": "The set after the change.",
    "inserted": "The elements that the change inserts.",
    "deleted": "The elements that the change deletes.",
    "union": "The IDs of the nodes of the union.",
    "merge": "The IDs of the nodes to merge.",
    "order": "The nodes that come first in the fold order; the others follow by ascending ID.",
    "edges": "The edges of the history, each with its change.",
    "node": "The ID of the node at the lower end of the edge.",
    "virtual": "Whether the edge leads to a merge of several parents that is not a node.",
    "message": "The message to accept, as a node.",
    "accepted": "Whether the message is accepted.",
    "messages": "The messages in the order in which they arrive.",
    "steps": "The result of each message, in order.",
    "merge-steps/steps": "The steps in order.",
    "written": "How many messages have to be written, one for each session.",
    "sessions": "The sessions that never meet again.",
    "head": "The last message of the sessions.",
    "copies": "How many sessions end with this message.",
    "step": "The type of the step.",
    "clause": "The ID of the clause that the step follows.",
}
"""Field, or operation/field -> its description."""
