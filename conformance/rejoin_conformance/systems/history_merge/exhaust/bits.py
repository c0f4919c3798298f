"""All states of the nodes of a DAG at once: one bit for each pattern.

A pattern says which of K nodes have the element: node n has it under pattern p if bit n - 1 of p is
set. So the membership of a node is one integer of 2^K bits, and one operation on integers evaluates
all patterns.

If merges can fold in any order, a merge has a set of possible results: under each pattern the
element is in, out, or either. `Possible` holds both sides as integers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from types import MappingProxyType
from typing import Final, TypeAlias

from attrs import frozen

from rejoin.history_merge import SetMerge

Pattern: TypeAlias = int
Bits: TypeAlias = int
"""A set of patterns: bit p stands for pattern p."""

Possible: TypeAlias = tuple[Bits, Bits]
"""The patterns under which the element can be out, and the patterns under which it can be in."""

PossibleMerge: TypeAlias = Callable[[Possible, Possible, Possible], Possible]
"""All results of a 3-way merge of origin and sides, each chosen freely from its possible values."""


def every_pattern(nodes: int) -> Bits:
    """Return all patterns of that many nodes."""
    return (1 << (1 << nodes)) - 1


def with_element(nodes: int) -> tuple[Bits, ...]:
    """Return for each node, from the root on, the patterns under which it has the element."""
    every = every_pattern(nodes)
    # the patterns with bit n - 1: blocks of 2^(n-1) clear and 2^(n-1) set bits in turn
    return (
        0,
        *(every // ((1 << (1 << (n - 1))) + 1) << (1 << (n - 1)) for n in range(1, nodes + 1)),
    )


def patterns_in(bits: Bits) -> Iterator[Pattern]:
    """Yield the patterns whose bits are set, ascending."""
    while bits:
        lowest = bits & -bits
        yield lowest.bit_length() - 1
        bits ^= lowest


def three_way(not_o: Bits, a: Bits, b: Bits) -> Bits:
    """Return the document's merge of one element: in if two of "not in o", "in a", "in b" hold."""
    return (not_o & a) | (b & (not_o | a))


def possible_three_way(o: Possible, a: Possible, b: Possible) -> Possible:
    """Return all results of the document's merge.

    The majority of freely chosen values can be in if two of them can be in.
    """
    o_out, o_in = o
    a_out, a_in = a
    b_out, b_in = b
    return three_way(o_in, a_out, b_out), three_way(o_out, a_in, b_in)


@frozen
class ElementMerge:
    """A 3-way merge of one element that satisfies the document's laws.

    The laws leave two cases open: whether the element is in if both sides added it, and whether it
    is in although both sides removed it.
    """

    both_added: bool
    both_removed: bool

    def certain(self, not_o: Bits, a: Bits, b: Bits) -> Bits:
        """Return the merge of certain states. not_o: the patterns without the element in o."""
        one_side, both, neither = a ^ b, a & b, ~(a | b)
        in_without_o = one_side | both if self.both_added else one_side
        in_with_o = both | neither if self.both_removed else both
        return (not_o & in_without_o) | (~not_o & in_with_o)

    def possible(self, o: Possible, a: Possible, b: Possible) -> Possible:
        """Return all results of freely chosen arguments."""
        (o_out, o_in), (a_out, a_in), (b_out, b_in) = o, a, b
        one_side = (a_in & b_out) | (a_out & b_in)
        out, inside = o_in & one_side | o_out & a_out & b_out, o_out & one_side | o_in & a_in & b_in
        added, removed = o_out & a_in & b_in, o_in & a_out & b_out
        for case, kept in ((added, self.both_added), (removed, self.both_removed)):
            out, inside = (out, inside | case) if kept else (out | case, inside)
        return out, inside


ELEMENT_MERGES: Final[Mapping[SetMerge, ElementMerge]] = MappingProxyType(
    {
        "idempotent": ElementMerge(both_added=True, both_removed=False),
        "additions-cancel": ElementMerge(both_added=False, both_removed=False),
        "removals-cancel": ElementMerge(both_added=True, both_removed=True),
        "symmetric-difference": ElementMerge(both_added=False, both_removed=True),
    }
)
"""The four merges that satisfy the document's laws element by element."""
