"""3-way merge: the state that two states make, seen from a state that came before both.

The merge of histories knows nothing of states but this one function. Here it is for sets, element
by element and as a whole, in its own form and as `diff` and `apply`; then for two further types: a
counter, whose merge is not idempotent, and a register, whose merge can conflict.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, Generic, TypeAlias, TypeVar

from attrs import frozen

from rejoin.history_merge.errors import HistoryMergeError

S = TypeVar("S")
D = TypeVar("D")
T = TypeVar("T")

ThreeWayMerge: TypeAlias = Callable[[S, S, S], S]
"""(o, a, b) -> state, where o is some form of the past of both a and b."""


@frozen
class StateType(Generic[S]):
    """All that a merge must know of a type of state.

    default_state: the state of no nodes at all.
    three_way_merge: refuses with `conflict` where three states have no merge.
    """

    name: str
    default_state: S
    three_way_merge: ThreeWayMerge[S]


ElementDiff: TypeAlias = bool | None
"""What happened to one element: True, it was inserted; False, it was deleted; None, nothing."""


def element_three_way_merge(o: bool, a: bool, b: bool) -> bool:  # noqa: FBT001 - a state is a bool
    """The 3-way merge for one element, whose state is whether it is in the set.

    An element that was there stays only where both kept it; one that was not is there as soon as
    either added it.

    post: __return__ == element_three_way_merge(o, b, a)
    post: a != o or __return__ == b
    post: b != o or __return__ == a
    post: a != b or __return__ == a
    post: __return__ == element_apply(b, element_diff(o, a))

    Clauses: HM-3WAY-ELEMENT, HM-3WAY-IDENTITY, HM-3WAY-COMMUTATIVE, HM-3WAY-IDEMPOTENT,
        HM-3WAY-DIFF-FORM
    Source: "3-way-merge", Set-3-way-merge
    """
    return (a and b) if o else (a or b)


def element_diff(o: bool, a: bool) -> ElementDiff:  # noqa: FBT001 - a state is a bool
    """What turns the state o of one element into a.

    post: element_apply(o, __return__) == a

    Clauses: HM-3WAY-DIFF
    Source: "3-way-merge", Set-diff
    """
    return None if a == o else a


def element_apply(b: bool, diff: ElementDiff) -> bool:  # noqa: FBT001 - a state is a bool
    """The state of one element after a diff, whatever it was made from.

    post: diff is not None or __return__ == b
    post: diff is None or __return__ == diff

    Clauses: HM-3WAY-APPLY
    Source: "3-way-merge", Set-apply
    """
    return b if diff is None else diff


@frozen
class SetDiff(Generic[T]):
    """What turns one set into another."""

    inserted: frozenset[T]
    deleted: frozenset[T]


def set_diff(o: frozenset[T], a: frozenset[T]) -> SetDiff[T]:
    """Set-diff(o, a): insert what only a holds, delete what only o holds.

    Clauses: HM-3WAY-DIFF
    Source: "3-way-merge", Set-diff
    """
    return SetDiff(inserted=a - o, deleted=o - a)


def set_apply(b: frozenset[T], diff: SetDiff[T]) -> frozenset[T]:
    """Set-apply(b, diff): insert, then delete; what is not there is deleted without complaint.

    Clauses: HM-3WAY-APPLY
    Source: "3-way-merge", Set-apply
    """
    return (b | diff.inserted) - diff.deleted


def set_three_way_merge(o: frozenset[T], a: frozenset[T], b: frozenset[T]) -> frozenset[T]:
    """Set-3-way-merge(o, a, b): b, with (a \\ o) put in, and then without (o \\ a).

    Clauses: HM-3WAY-SET, HM-3WAY-IDENTITY, HM-3WAY-COMMUTATIVE, HM-3WAY-IDEMPOTENT
    Source: "3-way-merge", Set-3-way-merge
    """
    return (b | (a - o)) - (o - a)


def symmetric_set_three_way_merge(
    o: frozenset[T], a: frozenset[T], b: frozenset[T]
) -> frozenset[T]:
    """The same, said so that a and b play one part.

    What either holds and o lacks, and what all three hold.

    Clauses: HM-3WAY-SYMMETRIC-FORM
    Source: "3-way-merge", Set-3-way-merge, last line
    """
    return ((a | b) - o) | (a & b & o)


def set_three_way_merge_by_element(
    o: frozenset[int], a: frozenset[int], b: frozenset[int]
) -> frozenset[int]:
    """The same, one element at a time. Elements of any type merge as these integers do.

    pre: len(o) <= 2
    pre: len(a) <= 2
    pre: len(b) <= 2
    pre: len(o) + len(a) + len(b) <= 4
    post: __return__ == set_three_way_merge(o, a, b)
    post: __return__ == symmetric_set_three_way_merge(o, a, b)
    post: __return__ == set_apply(b, set_diff(o, a))

    Clauses: HM-3WAY-ELEMENT
    Source: "3-way-merge", Set-3-way-merge
    """
    return frozenset(x for x in o | a | b if element_three_way_merge(x in o, x in a, x in b))


def three_way_merge_by_diff(
    diff: Callable[[S, S], D], apply: Callable[[S, D], S]
) -> ThreeWayMerge[S]:
    """3-way-merge(o, a, b) = apply(b, diff(o, a)), for any diff and apply.

    Clauses: HM-3WAY-DIFF-FORM
    Source: "3-way-merge", definition by diff and apply
    """

    def three_way_merge(o: S, a: S, b: S) -> S:
        return apply(b, diff(o, a))

    return three_way_merge


def counter_three_way_merge(o: int, a: int, b: int) -> int:
    """A counter's merge: both changes count.

    post: __return__ == counter_three_way_merge(o, b, a)
    post: a != o or __return__ == b
    post: b != o or __return__ == a

    Clauses: HM-3WAY-COUNTER
    """
    return a + b - o


def register_three_way_merge(o: str, a: str, b: str) -> str:
    """A register's merge: the one change counts, two different changes are a conflict.

    Errors: `conflict`.
    Clauses: HM-3WAY-REGISTER, HM-3WAY-CONFLICT
    Source: "3-way-merge", the result ⊥
    """
    if a in (o, b):
        return b
    if b == o:
        return a
    raise HistoryMergeError("conflict", f"{o!r} became {a!r} on one side and {b!r} on the other")


SETS: Final[StateType[frozenset[str]]] = StateType("set", frozenset(), set_three_way_merge)
"""Sets of names, such as the members of a session."""

BYTE_SETS: Final[StateType[frozenset[bytes]]] = StateType("set", frozenset(), set_three_way_merge)
"""Sets of byte strings, such as the public keys of members."""

COUNTERS: Final[StateType[int]] = StateType("counter", 0, counter_three_way_merge)
"""Integers, to show that a merge need not be idempotent."""

REGISTERS: Final[StateType[str]] = StateType("register", "", register_three_way_merge)
"""Single values, to show that a merge may conflict."""
