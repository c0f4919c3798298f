"""Immutable sets of small integers that share their common parts.

A set of integers below `LEAF_BITS` is one Python integer, whose bits stand for the integers of the
set. The pasts of most histories are such sets.

A history of 100,000 nodes has 100,000 sets of ancestors. Stored separately, they would need
gigabytes of memory, but a node has almost the same ancestors as its parent. A `TreeSet` is
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

IndexSet: TypeAlias = "int | TreeSet"
"""A set of integers >= 0. Sets have the operators `|` and `&`, and are false if they are empty.

Two equal sets can have different trees. A set of integers below `LEAF_BITS` can be a tree too.
"""


@frozen(eq=False)
class TreeSet:
    """A set of integers that need not be below `LEAF_BITS`.

    height: the tree covers the integers below `LEAF_BITS << height`.
    """

    height: int
    tree: Tree = field(repr=False)

    def __bool__(self) -> bool:
        return self.tree != 0

    def __or__(self, other: IndexSet) -> TreeSet:
        height, left, right = _of_one_height(self, other)
        tree = _union(left, right)
        return self if tree is self.tree else TreeSet(height, tree)

    def __ror__(self, other: int) -> TreeSet:
        height, left, right = _of_one_height(other, self)
        return TreeSet(height, _union(left, right))

    def __and__(self, other: IndexSet) -> TreeSet:
        height, left, right = _of_one_height(self, other)
        return TreeSet(height, _intersection(left, right))

    def __rand__(self, other: int) -> TreeSet:
        return self & other


NOTHING: Final[IndexSet] = 0
"""The empty set."""


def single(index: int) -> IndexSet:
    """Return the set with one integer."""
    leaf, bit = divmod(index, LEAF_BITS)
    if not leaf:
        return 1 << bit
    tree: Tree = 1 << bit
    height = leaf.bit_length()
    for level in range(height):
        tree = (0, tree) if leaf >> level & 1 else (tree, 0)
    return TreeSet(height, tree)


def difference(left: IndexSet, right: IndexSet) -> IndexSet:
    """Return the integers of the left set that are not in the right set."""
    if isinstance(left, int) and isinstance(right, int):
        return left & ~right
    height, left_tree, right_tree = _of_one_height(left, right)
    return TreeSet(height, _difference(left_tree, right_tree))


def contains(indices: IndexSet, index: int) -> bool:
    """Return whether a set contains an integer."""
    height, tree = _height_and_tree(indices)
    return index < LEAF_BITS << height and _holds(tree, index, height)


def highest(indices: IndexSet) -> int:
    """Return the largest integer of a set, which must not be empty."""
    if isinstance(indices, int):
        return indices.bit_length() - 1
    tree, height, base = indices.tree, indices.height, 0
    while not isinstance(tree, int):
        height -= 1
        lower, upper = tree
        if upper != 0:
            base += LEAF_BITS << height
        tree = upper if upper != 0 else lower
    return base + tree.bit_length() - 1


def integers(indices: IndexSet) -> Iterator[int]:
    """Yield the integers of a set in ascending order."""
    height, tree = _height_and_tree(indices)
    return _integers(tree, 0, height)


def _of_one_height(left: IndexSet, right: IndexSet) -> tuple[int, Tree, Tree]:
    """Return a height, and the trees of both sets at this height."""
    left_height, left_tree = _height_and_tree(left)
    right_height, right_tree = _height_and_tree(right)
    height = max(left_height, right_height)
    left_tree = _lifted(left_tree, height - left_height)
    return height, left_tree, _lifted(right_tree, height - right_height)


def _height_and_tree(indices: IndexSet) -> tuple[int, Tree]:
    return (0, indices) if isinstance(indices, int) else (indices.height, indices.tree)


def _lifted(tree: Tree, levels: int) -> Tree:
    if tree == 0:
        return 0
    for _ in range(levels):
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
