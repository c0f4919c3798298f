"""Patterns: the nodes of a DAG that change the element, with all patterns evaluated at once.

Each of K nodes keeps the merge of its parents or flips the element's membership. Node n flips under
pattern p if bit n - 1 of p is set. A node's state is one integer of 2^K bits: bit p is set if the
node has the element under pattern p. So one operation on integers evaluates all patterns.

The search instead lets bit n - 1 of p say that node n *has* the element (`merges`). The patterns of
a DAG are the same histories in both ways, in another order.

If merges can fold in any order, a merge has a set of possible results: under each pattern the
element is in, out, or either. `Possible` holds both sides as integers.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import reduce
from operator import or_
from types import MappingProxyType
from typing import Final, TypeAlias

from attrs import frozen

from rejoin.history_merge import SetMerge

Pattern: TypeAlias = int
Bits: TypeAlias = int
"""A set of patterns: bit p stands for pattern p."""

Possible: TypeAlias = tuple[Bits, Bits]
"""The patterns under which the element can be out, and the patterns under which it can be in."""


def every_pattern(nodes: int) -> Bits:
    """Return all patterns of that many nodes."""
    return (1 << (1 << nodes)) - 1


def flips(nodes: int) -> tuple[Bits, ...]:
    """Return for each node, from the root on, the patterns under which it flips."""
    every = every_pattern(nodes)
    # the patterns with bit n - 1: blocks of 2^(n-1) clear and 2^(n-1) set bits in turn
    return (
        0,
        *(every // ((1 << (1 << (n - 1))) + 1) << (1 << (n - 1)) for n in range(1, nodes + 1)),
    )


def majority(a: Bits, b: Bits, c: Bits) -> Bits:
    """Return the patterns that are in at least two of the three sets."""
    return (a & b) | (c & (a | b))


def three_way(not_o: Bits, a: Bits, b: Bits) -> Bits:
    """Return the 3-way merge of one element: in if two of "not in o", "in a", "in b" hold."""
    return majority(not_o, a, b)


def possible_three_way(o: Possible, a: Possible, b: Possible) -> Possible:
    """Return all results of a 3-way merge, each argument chosen freely from its possible values.

    The majority of freely chosen values can be in if two of them can be in.
    """
    o_out, o_in = o
    a_out, a_in = a
    b_out, b_in = b
    return majority(o_in, a_out, b_out), majority(o_out, a_in, b_in)


@frozen
class ElementMerge:
    """A 3-way merge of one element, for all patterns at once.

    three_way: (patterns without the element in o, with it in a, with it in b) -> with it.
    possible: the same for all results of freely chosen arguments.
    """

    three_way: Callable[[Bits, Bits, Bits], Bits]
    possible: Callable[[Possible, Possible, Possible], Possible]


def _merge_by_cells(*, both_added: bool, both_removed: bool) -> ElementMerge:
    """Return the merge with these results for the two cases that the document's laws leave open."""

    def three(not_o: Bits, a: Bits, b: Bits) -> Bits:
        one_side, both, neither = a ^ b, a & b, ~(a | b)
        in_without_o = one_side | both if both_added else one_side
        in_with_o = both | neither if both_removed else both
        return (not_o & in_without_o) | (~not_o & in_with_o)

    def possible(o: Possible, a: Possible, b: Possible) -> Possible:
        (o_out, o_in), (a_out, a_in), (b_out, b_in) = o, a, b
        one_side = (a_in & b_out) | (a_out & b_in)
        both, neither = a_in & b_in, a_out & b_out
        out = [o_in & one_side, o_out & neither]
        inside = [o_out & one_side, o_in & both]
        (inside if both_added else out).append(o_out & both)
        (inside if both_removed else out).append(o_in & neither)
        return reduce(or_, out), reduce(or_, inside)

    return ElementMerge(three, possible)


ELEMENT_MERGES: Final[Mapping[SetMerge, ElementMerge]] = MappingProxyType(
    {
        "idempotent": ElementMerge(three_way, possible_three_way),
        "additions-cancel": _merge_by_cells(both_added=False, both_removed=False),
        "removals-cancel": _merge_by_cells(both_added=True, both_removed=True),
        "symmetric-difference": _merge_by_cells(both_added=False, both_removed=True),
    }
)
"""The four merges that satisfy the document's laws element by element."""
