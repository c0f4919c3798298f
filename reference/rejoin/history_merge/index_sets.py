"""Immutable sets of small integers that share their common parts.

A history of 100,000 nodes has 100,000 sets of ancestors. Stored separately, they would need
gigabytes of memory, but a node has almost the same ancestors as its parent. An `IndexSet` is
therefore a binary tree over ranges of integers, with bit patterns as leaves. Two sets that differ
in one place share the whole tree except one path. Union, intersection and difference visit only the
branches in which the two trees differ. Comparing two nodes that forked recently therefore takes the
same time at the end of a long history as at its beginning.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, TypeAlias

from attrs import field, frozen

LEAF_BITS: Final = 1024
"""The number of integers that one leaf covers."""

Tree: TypeAlias = "int | tuple[Tree, Tree]"
"""0 is the empty tree of any height, another int is a leaf, a pair is a lower and an upper half."""


@frozen(eq=False)
class IndexSet:
    """An immutable set of integers >= 0. Two equal sets can have different trees.

    height: the tree covers the integers below `LEAF_BITS << height`.
    """

    height: int = 0
    tree: Tree = field(default=0, repr=False)

    def __bool__(self) -> bool:
        return self.tree != 0

    def __contains__(self, index: int) -> bool:
        if index >= LEAF_BITS << self.height:
            return False
        return _holds(self.tree, index, self.height)

    def __iter__(self) -> Iterator[int]:
        """Yield the integers in ascending order."""
        return _integers(self.tree, 0, self.height)

    def __or__(self, other: IndexSet) -> IndexSet:
        if other.tree == 0:
            return self
        if self.tree == 0:
            return other
        height, left, right = _of_one_height(self, other)
        tree = _union(left, right)
        return self if tree is self.tree else IndexSet(height, tree)

    def __and__(self, other: IndexSet) -> IndexSet:
        height, left, right = _of_one_height(self, other)
        return IndexSet(height, _intersection(left, right))

    def __sub__(self, other: IndexSet) -> IndexSet:
        height, left, right = _of_one_height(self, other)
        tree = _difference(left, right)
        return NOTHING if tree == 0 else IndexSet(height, tree)

    def highest(self) -> int:
        """Return the largest integer; the set must not be empty."""
        tree, height, base = self.tree, self.height, 0
        while not isinstance(tree, int):
            height -= 1
            lower, upper = tree
            if upper != 0:
                base += LEAF_BITS << height
            tree = upper if upper != 0 else lower
        return base + tree.bit_length() - 1


NOTHING: Final = IndexSet()
"""The empty set."""


def single(index: int) -> IndexSet:
    """Return the set with one integer."""
    height = (index // LEAF_BITS).bit_length()
    tree: Tree = 1 << (index % LEAF_BITS)
    for level in range(height):
        tree = (0, tree) if index // LEAF_BITS >> level & 1 else (tree, 0)
    return IndexSet(height, tree)


def _of_one_height(left: IndexSet, right: IndexSet) -> tuple[int, Tree, Tree]:
    """Return a height, and the trees of both sets at this height."""
    if left.height == right.height:
        return left.height, left.tree, right.tree
    height = max(left.height, right.height)
    return height, _lifted(left, height), _lifted(right, height)


def _lifted(indices: IndexSet, height: int) -> Tree:
    tree = indices.tree
    if tree == 0:
        return 0
    for _ in range(height - indices.height):
        tree = (tree, 0)
    return tree


def _union(left: Tree, right: Tree) -> Tree:
    if left is right or right == 0:
        return left
    if left == 0:
        return right
    if isinstance(left, int) or isinstance(right, int):
        assert isinstance(left, int)
        assert isinstance(right, int)
        either = left | right
        # return an operand that contains the whole union, so that its tree stays shared
        return left if either == left else right if either == right else either
    lower, upper = _union(left[0], right[0]), _union(left[1], right[1])
    if lower is left[0] and upper is left[1]:
        return left
    if lower is right[0] and upper is right[1]:
        return right
    return (lower, upper)


def _intersection(left: Tree, right: Tree) -> Tree:
    if left is right:
        return left
    if left == 0 or right == 0:
        return 0
    if isinstance(left, int) or isinstance(right, int):
        assert isinstance(left, int)
        assert isinstance(right, int)
        return left & right
    lower, upper = _intersection(left[0], right[0]), _intersection(left[1], right[1])
    return 0 if lower == 0 and upper == 0 else (lower, upper)


def _difference(left: Tree, right: Tree) -> Tree:
    if left is right or left == 0:
        return 0
    if right == 0:
        return left
    if isinstance(left, int) or isinstance(right, int):
        assert isinstance(left, int)
        assert isinstance(right, int)
        return left & ~right
    lower, upper = _difference(left[0], right[0]), _difference(left[1], right[1])
    return 0 if lower == 0 and upper == 0 else (lower, upper)


def _holds(tree: Tree, index: int, height: int) -> bool:
    while not isinstance(tree, int):
        height -= 1
        tree = tree[index // LEAF_BITS >> height & 1]
    return bool(tree >> (index % LEAF_BITS) & 1)


def _integers(tree: Tree, base: int, height: int) -> Iterator[int]:
    if isinstance(tree, int):
        while tree:
            lowest = tree & -tree
            yield base + lowest.bit_length() - 1
            tree ^= lowest
        return
    yield from _integers(tree[0], base, height - 1)
    yield from _integers(tree[1], base + (LEAF_BITS << (height - 1)), height - 1)
