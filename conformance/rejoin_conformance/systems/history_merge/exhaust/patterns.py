"""Patterns: the nodes of a DAG that change the element, with all patterns evaluated at once.

Each of K nodes keeps the merge of its parents or flips the element's membership. Node n flips under
pattern p if bit n - 1 of p is set. A node's state is one integer of 2^K bits: bit p is set if the
node has the element under pattern p. So one operation on integers evaluates all patterns.

If merges can fold in any order, a merge has a set of possible results: under each pattern the
element is in, out, or either. `Possible` holds both sides as integers.
"""

from __future__ import annotations

from typing import TypeAlias

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
