"""Premises under which the document's claim might hold, and how a search tells where they are met.

A premise forbids some *faults*: things that may happen to one element in a history, or shapes that
a history may have. A fault that is there stays when nodes are added, so each is collected as the
patterns under which it has happened so far.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import IntEnum, auto
from typing import Final

from attrs import frozen

from rejoin_conformance.systems.history_merge.exhaust.patterns import Bits


class Fault(IntEnum):
    """What a premise can forbid. An addition or a removal is an operation."""

    OPERATION_TWICE = 0
    OPERATION_THRICE = auto()
    ADDED_TWICE = auto()
    REMOVED = auto()
    REMOVED_TWICE = auto()
    READDED = auto()
    CONCURRENT_ADDITIONS = auto()
    CONCURRENT_REMOVALS = auto()
    CONCURRENT_OPPOSITES = auto()
    CHANGED_AT_MERGE = auto()
    SEVERAL_PARENTS = auto()
    SEVERAL_ORIGINS = auto()
    THREE_HEADS = auto()


@frozen
class Premise:
    """A premise: a history meets it where none of the faults has happened."""

    name: str
    statement: str
    faults: tuple[Fault, ...]


_UNORDERED: Final = (
    Fault.CONCURRENT_ADDITIONS,
    Fault.CONCURRENT_REMOVALS,
    Fault.CONCURRENT_OPPOSITES,
)

PREMISES: Final = (
    Premise("none", "any history", ()),
    Premise(
        "totally-ordered", "the element's operations are totally ordered by causality", _UNORDERED
    ),
    Premise("added-once", "the element is added at most once", (Fault.ADDED_TWICE,)),
    Premise("removed-once", "the element is removed at most once", (Fault.REMOVED_TWICE,)),
    Premise("never-removed", "the element is never removed", (Fault.REMOVED,)),
    Premise("no-re-adding", "no addition comes after a removal", (Fault.READDED,)),
    Premise(
        "no-concurrent-equal",
        "no two additions are concurrent, and no two removals",
        (Fault.CONCURRENT_ADDITIONS, Fault.CONCURRENT_REMOVALS),
    ),
    Premise(
        "no-concurrent-additions", "no two additions are concurrent", (Fault.CONCURRENT_ADDITIONS,)
    ),
    Premise(
        "no-concurrent-removals", "no two removals are concurrent", (Fault.CONCURRENT_REMOVALS,)
    ),
    Premise(
        "no-concurrent-opposites",
        "no addition is concurrent with a removal",
        (Fault.CONCURRENT_OPPOSITES,),
    ),
    Premise("one-operation", "at most one operation", (Fault.OPERATION_TWICE,)),
    Premise("two-operations", "at most two operations", (Fault.OPERATION_THRICE,)),
    Premise(
        "removed-once-no-concurrent-additions",
        "removed at most once, and no two additions are concurrent",
        (Fault.REMOVED_TWICE, Fault.CONCURRENT_ADDITIONS),
    ),
    Premise(
        "removed-once-no-re-adding",
        "removed at most once, and not added afterwards",
        (Fault.REMOVED_TWICE, Fault.READDED),
    ),
    Premise(
        "plain-merges",
        "a node with several parents keeps their merge",
        (Fault.CHANGED_AT_MERGE,),
    ),
    Premise("single-parents", "every node has one parent", (Fault.SEVERAL_PARENTS,)),
    Premise("single-origins", "no origin has to be merged itself", (Fault.SEVERAL_ORIGINS,)),
    Premise("two-heads", "never more than two nodes to merge", (Fault.THREE_HEADS,)),
    Premise(
        "single-parents-removed-once-no-re-adding",
        "every node has one parent, removed at most once, and not added afterwards",
        (Fault.SEVERAL_PARENTS, Fault.REMOVED_TWICE, Fault.READDED),
    ),
)
"""The premises of the report, in its order."""


@frozen
class Happened:
    """What has happened to the element in the first nodes of a DAG, pattern by pattern.

    faults: by number of the fault, the patterns under which it has happened.
    additions, removals: by number of the node, the patterns under which it adds or removes.
    operation, added, removed: the patterns under which there was one at all.
    """

    faults: tuple[Bits, ...] = (0,) * len(Fault)
    additions: tuple[Bits, ...] = (0,)
    removals: tuple[Bits, ...] = (0,)
    operation: Bits = 0
    added: Bits = 0
    removed: Bits = 0

    def then(
        self, past: int, addition: Bits, removal: Bits, shapes: Mapping[Fault, Bits]
    ) -> Happened:
        """With one more node: itself and all before it, its operation, and faults of the DAG.

        A fault that there is under every pattern may be given as -1.
        """
        before = adding = removing = 0
        for node in range(1, len(self.additions)):
            if past >> node & 1:
                before |= self.removals[node]
            else:
                adding |= self.additions[node]
                removing |= self.removals[node]
        operation = addition | removal
        now = {
            Fault.OPERATION_TWICE: self.operation & operation,
            Fault.OPERATION_THRICE: self.faults[Fault.OPERATION_TWICE] & operation,
            Fault.ADDED_TWICE: self.added & addition,
            Fault.REMOVED: removal,
            Fault.REMOVED_TWICE: self.removed & removal,
            Fault.READDED: before & addition,
            Fault.CONCURRENT_ADDITIONS: adding & addition,
            Fault.CONCURRENT_REMOVALS: removing & removal,
            Fault.CONCURRENT_OPPOSITES: (adding & removal) | (removing & addition),
            **shapes,
        }
        return Happened(
            tuple(self.faults[fault] | now[fault] for fault in Fault),
            (*self.additions, addition),
            (*self.removals, removal),
            self.operation | operation,
            self.added | addition,
            self.removed | removal,
        )
