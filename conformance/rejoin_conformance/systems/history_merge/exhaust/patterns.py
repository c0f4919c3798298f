"""Patterns: who changes the element, for all possibilities of a DAG at once.

Each of K nodes keeps the merge of its parents or flips the element's membership. Pattern p says
which: node n flips where bit n - 1 of p is set. A node's state is one integer of 2^K bits, whose
bit p tells whether the element is there under pattern p, so one operation on integers is carried
out for all patterns.

Where merges may fold in any order, a merge has not one result but a set of possible ones: under
each pattern in, out, or either. `Possible` holds both as integers.
"""

from __future__ import annotations

from typing import TypeAlias

Pattern: TypeAlias = int
Bits: TypeAlias = int
"""Bit p: something that holds under pattern p."""

Possible: TypeAlias = tuple[Bits, Bits]
"""Under which patterns the element may be out, and under which it may be in."""


def every_pattern(nodes: int) -> Bits:
    """The patterns of that many nodes, all of them."""
    return (1 << (1 << nodes)) - 1


def flips(nodes: int) -> tuple[Bits, ...]:
    """For each node from the root on, under which patterns it flips; the root never does."""
    every = every_pattern(nodes)
    # the patterns with bit n - 1: blocks of 2^(n-1) clear and 2^(n-1) set bits in turn
    return (
        0,
        *(every // ((1 << (1 << (n - 1))) + 1) << (1 << (n - 1)) for n in range(1, nodes + 1)),
    )


def majority(a: Bits, b: Bits, c: Bits) -> Bits:
    """The patterns under which at least two of the three hold."""
    return (a & b) | (c & (a | b))


def three_way(not_o: Bits, a: Bits, b: Bits) -> Bits:
    """The 3-way merge of one element: in where two of "not in o", "in a" and "in b" hold."""
    return majority(not_o, a, b)


def possible_three_way(o: Possible, a: Possible, b: Possible) -> Possible:
    """All results of a 3-way merge whose arguments are chosen freely from what is possible.

    The majority of freely chosen values may be in where two of them may be.
    """
    o_out, o_in = o
    a_out, a_in = a
    b_out, b_in = b
    return majority(o_in, a_out, b_out), majority(o_out, a_in, b_in)
