"""Premises under which the document's claim might hold, and the search for histories that meet
them.

A premise forbids some *faults*: operations on the element, or shapes of the history. A fault stays
when nodes are added. So the search collects each fault as the patterns under which it has occurred
so far.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import IntEnum, auto
from typing import Final

from attrs import frozen

from rejoin_conformance.systems.history_merge.exhaust.bits import Bits


class Fault(IntEnum):
    """The faults that a premise can forbid. An operation is an addition or a removal."""

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
    """A premise. A history meets it if none of its faults occurs."""

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
    Premise("one-operation", "there is at most one operation", (Fault.OPERATION_TWICE,)),
    Premise("two-operations", "there are at most two operations", (Fault.OPERATION_THRICE,)),
    Premise(
        "removed-once-no-concurrent-additions",
        "the element is removed at most once, and no two additions are concurrent",
        (Fault.REMOVED_TWICE, Fault.CONCURRENT_ADDITIONS),
    ),
    Premise(
        "removed-once-no-re-adding",
        "the element is removed at most once, and not added afterwards",
        (Fault.REMOVED_TWICE, Fault.READDED),
    ),
    Premise(
        "plain-merges",
        "a node with several parents keeps their merge",
        (Fault.CHANGED_AT_MERGE,),
    ),
    Premise("single-parents", "every node has one parent", (Fault.SEVERAL_PARENTS,)),
    Premise("single-origins", "no origin consists of several nodes", (Fault.SEVERAL_ORIGINS,)),
    Premise("two-heads", "no anti-chain has more than two nodes", (Fault.THREE_HEADS,)),
    Premise(
        "single-parents-removed-once-no-re-adding",
        "every node has one parent; the element is removed at most once, not added afterwards",
        (Fault.SEVERAL_PARENTS, Fault.REMOVED_TWICE, Fault.READDED),
    ),
)
"""The premises of the report, in its order."""


@frozen
class Happened:
    """The operations and faults in the first nodes of a DAG, as sets of patterns.

    faults: number of a fault -> the patterns under which it has occurred.
    additions, removals: number of a node -> the patterns under which it adds or removes the
    element.
    operation, added, removed: the patterns with at least one operation, addition or removal.
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
        """Return the same with one more node.

        past: the downset of the node. addition, removal: the patterns under which it adds or
        removes the element. shapes: the faults of the shape of the DAG; -1 stands for every
        pattern.
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
