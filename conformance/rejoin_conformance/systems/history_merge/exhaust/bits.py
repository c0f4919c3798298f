"""One element, for all states of the nodes of a DAG at once.

A *pattern* says which of K nodes have the element: node n has it under pattern p if bit n - 1 of p
is set. A set of patterns is an integer of 2^K bits, so one operation on integers evaluates all
patterns. A value holds the patterns under which the element can be out, and those under which it
can be in.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import TypeAlias

from rejoin.history_merge import SETS, SetMerge
from rejoin_conformance.systems.history_merge.exhaust.kernel import Rule

Pattern: TypeAlias = int
Bits: TypeAlias = int
"""A set of patterns: bit p stands for pattern p."""

Possible: TypeAlias = tuple[Bits, Bits]
"""The patterns under which the element can be out, and the patterns under which it can be in."""


def every_pattern(nodes: int) -> Bits:
    """Return all patterns of that many nodes."""
    return (1 << (1 << nodes)) - 1


def states_of(nodes: int) -> list[Possible]:
    """Return the state of each node, from the root on, which lacks the element."""
    every = every_pattern(nodes)
    # the patterns with bit n - 1: blocks of 2^(n-1) clear and 2^(n-1) set bits in turn
    having = [every // ((1 << (1 << n)) + 1) << (1 << n) for n in range(nodes)]
    return [(every & ~bits, bits) for bits in (0, *having)]


def patterns_in(bits: Bits) -> Iterator[Pattern]:
    """Yield the patterns whose bits are set, ascending."""
    while bits:
        lowest = bits & -bits
        yield lowest.bit_length() - 1
        bits ^= lowest


def rule_of(name: SetMerge) -> Rule[Possible]:
    """Return a merge of sets for one element: the reference says what each of 8 cases gives."""
    merge, x = SETS.merging_by(name), frozenset("x")
    o_a_b = [[x if bit else frozenset[str]() for bit in case] for case in product((0, 1), repeat=3)]
    given = [bool(merge(*case)) for case in o_a_b]

    def three_way(o: Possible, a: Possible, b: Possible) -> Possible:
        sides = [o_now & a_now for o_now in o for a_now in a]
        found = [0, 0]
        for place, inside in enumerate(given):
            found[inside] |= sides[place >> 1] & b[place & 1]
        return found[0], found[1]

    return Rule(three_way, union)


def union(values: list[Possible]) -> Possible:
    """Return the patterns under which the element can be out, or in, in any of some values."""
    out = inside = 0
    for may_be_out, may_be_in in values:
        out |= may_be_out
        inside |= may_be_in
    return out, inside
