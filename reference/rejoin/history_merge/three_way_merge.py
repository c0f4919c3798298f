"""3-way merge: the merge of two states, given a state from their common past.

The merge of histories handles states only through this one function. This module has it for sets:
per element and for whole sets, directly and as `diff` and `apply`. It also has two further types: a
counter, whose merge is not idempotent, and a register, whose merge can conflict.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, Final, Generic, Literal, TypeAlias, TypeVar, get_args

from attrs import field, frozen

from rejoin.history_merge.errors import HistoryMergeError

S = TypeVar("S")
D = TypeVar("D")
T = TypeVar("T")

ThreeWayMerge: TypeAlias = Callable[[S, S, S], S]
"""(o, a, b) -> state, where o stands for the common past of a and b."""


SetMerge: TypeAlias = Literal[
    "idempotent", "additions-cancel", "removals-cancel", "symmetric-difference"
]
"""The 3-way merges of sets that satisfy the document's laws element by element.

The laws leave two cases open: both sides add an element, and both sides remove it. `idempotent`,
the document's merge, then follows both sides. In the others, equal changes cancel: two additions,
two removals, or both. If both cancel, the merge is the symmetric difference of the three sets.
"""


@frozen
class StateType(Generic[S]):
    """The properties of a type of state that a merge needs.

    default_state: the state of the empty set of nodes.
    three_way_merge: refuses three states that have no merge, with the code `conflict`.
    other_merges: further 3-way merges of a type of sets, which a reading can choose.
    """

    name: str
    default_state: S
    three_way_merge: ThreeWayMerge[S]
    other_merges: Mapping[SetMerge, ThreeWayMerge[S]] = field(factory=dict, repr=False)

    def merging_by(self, set_merge: SetMerge) -> ThreeWayMerge[S]:
        """Return the 3-way merge of this type, given the choice for sets.

        Clauses: HM-3WAY-SET-OTHERS
        """
        return self.other_merges.get(set_merge, self.three_way_merge)


ElementDiff: TypeAlias = bool | None
"""The change of one element: True for inserted, False for deleted, None for unchanged."""


def element_three_way_merge(o: bool, a: bool, b: bool) -> bool:  # noqa: FBT001 - a state is a bool
    """Return the 3-way merge for one element; its state is whether the element is in the set.

    An element that was in the origin stays only if both sides kept it. An element that was not in
    the origin is in the result if at least one side added it.

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
    """Return the change from the state o of one element to its state a.

    post: element_apply(o, __return__) == a

    Clauses: HM-3WAY-DIFF
    Source: "3-way-merge", Set-diff
    """
    return None if a == o else a


def element_apply(b: bool, diff: ElementDiff) -> bool:  # noqa: FBT001 - a state is a bool
    """Return the state of one element after a diff, which may be made from any states.

    post: diff is not None or __return__ == b
    post: diff is None or __return__ == diff

    Clauses: HM-3WAY-APPLY
    Source: "3-way-merge", Set-apply
    """
    return b if diff is None else diff


@frozen
class SetDiff(Generic[T]):
    """The change from one set to another."""

    inserted: frozenset[T]
    deleted: frozenset[T]


def set_diff(o: frozenset[T], a: frozenset[T]) -> SetDiff[T]:
    """Return Set-diff(o, a): insert the elements that only a has, delete those that only o has.

    Clauses: HM-3WAY-DIFF
    Source: "3-way-merge", Set-diff
    """
    return SetDiff(inserted=a - o, deleted=o - a)


def set_apply(b: frozenset[T], diff: SetDiff[T]) -> frozenset[T]:
    """Return Set-apply(b, diff): first insert, then delete; an absent element is not an error.

    Clauses: HM-3WAY-APPLY, HM-3WAY-DIFF-FORM
    Source: "3-way-merge", Set-apply
    """
    return (b | diff.inserted) - diff.deleted


def set_three_way_merge(o: frozenset[T], a: frozenset[T], b: frozenset[T]) -> frozenset[T]:
    """Return Set-3-way-merge(o, a, b): add (a \\ o) to b, and then remove (o \\ a).

    Clauses: HM-3WAY-SET, HM-3WAY-IDENTITY, HM-3WAY-COMMUTATIVE, HM-3WAY-IDEMPOTENT,
        HM-3WAY-ELEMENT, HM-3WAY-SYMMETRIC-FORM
    Source: "3-way-merge", Set-3-way-merge
    """
    return (b | (a - o)) - (o - a)


def symmetric_set_three_way_merge(
    o: frozenset[T], a: frozenset[T], b: frozenset[T]
) -> frozenset[T]:
    """Return Set-3-way-merge(o, a, b), in the form that treats a and b alike.

    The result has the elements that a or b has and o lacks, and the elements that all three have.

    Clauses: HM-3WAY-SYMMETRIC-FORM
    Source: "3-way-merge", Set-3-way-merge, last line
    """
    return ((a | b) - o) | (a & b & o)


def additions_cancel(o: frozenset[T], a: frozenset[T], b: frozenset[T]) -> frozenset[T]:
    """Return the 3-way merge of sets in which two additions of an element cancel.

    Clauses: HM-3WAY-SET-OTHERS, HM-3WAY-IDENTITY, HM-3WAY-COMMUTATIVE
    """
    return set_three_way_merge(o, a, b) - ((a & b) - o)


def removals_cancel(o: frozenset[T], a: frozenset[T], b: frozenset[T]) -> frozenset[T]:
    """Return the 3-way merge of sets in which two removals of an element cancel.

    Clauses: HM-3WAY-SET-OTHERS, HM-3WAY-IDENTITY, HM-3WAY-COMMUTATIVE
    """
    return set_three_way_merge(o, a, b) | (o - a - b)


def symmetric_difference(o: frozenset[T], a: frozenset[T], b: frozenset[T]) -> frozenset[T]:
    """Return the symmetric difference of three sets: the elements that one or all three have.

    It counts the changes of each element modulo 2, so it is the merge of a counter, and no merge of
    a history depends on the fold order. The price is that two equal changes cancel.

    Clauses: HM-3WAY-SET-OTHERS, HM-3WAY-IDENTITY, HM-3WAY-COMMUTATIVE
    """
    return o ^ a ^ b


def set_three_way_merge_by_element(
    o: frozenset[int], a: frozenset[int], b: frozenset[int]
) -> frozenset[int]:
    """Return Set-3-way-merge(o, a, b), one element at a time.

    The elements are integers here, and elements of any other type merge in the same way.

    pre: len(o) <= 2
    pre: len(a) <= 2
    pre: len(b) <= 2
    pre: len(o) + len(a) + len(b) <= 3
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
    """Return the function 3-way-merge(o, a, b) = apply(b, diff(o, a)) for the given diff and apply.

    Clauses: HM-3WAY-DIFF-FORM
    Source: "3-way-merge", definition by diff and apply
    """

    def three_way_merge(o: S, a: S, b: S) -> S:
        return apply(b, diff(o, a))

    return three_way_merge


def counter_three_way_merge(o: int, a: int, b: int) -> int:
    """Return the merge of a counter: the sum of both changes and the origin.

    post: __return__ == counter_three_way_merge(o, b, a)
    post: a != o or __return__ == b
    post: b != o or __return__ == a

    Clauses: HM-3WAY-COUNTER
    """
    return a + b - o


def register_three_way_merge(o: str, a: str, b: str) -> str:
    """Return the merge of a register: the changed state; two different changes are a conflict.

    Errors: `conflict`.
    Clauses: HM-3WAY-REGISTER, HM-3WAY-CONFLICT
    Source: "3-way-merge", the result ⊥
    """
    if a in (o, b):
        return b
    if b == o:
        return a
    raise HistoryMergeError("conflict", f"{o!r} became {a!r} on one side and {b!r} on the other")


SET_MERGES: Final[tuple[SetMerge, ...]] = get_args(SetMerge)
"""The names of the 3-way merges of sets; the document's comes first."""


_OTHER_MERGES: Final[Mapping[SetMerge, ThreeWayMerge[frozenset[Any]]]] = MappingProxyType(
    {
        "additions-cancel": additions_cancel,
        "removals-cancel": removals_cancel,
        "symmetric-difference": symmetric_difference,
    }
)

SETS: Final[StateType[frozenset[str]]] = StateType(
    "set", frozenset(), set_three_way_merge, _OTHER_MERGES
)
"""Sets of names, such as the members of a session."""

BYTE_SETS: Final[StateType[frozenset[bytes]]] = StateType(
    "set", frozenset(), set_three_way_merge, _OTHER_MERGES
)
"""Sets of byte strings, such as the public keys of members."""

COUNTERS: Final[StateType[int]] = StateType("counter", 0, counter_three_way_merge)
"""Integers, as a type whose merge is not idempotent."""

REGISTERS: Final[StateType[str]] = StateType("register", "", register_three_way_merge)
"""Single strings, as a type whose merge can conflict."""
