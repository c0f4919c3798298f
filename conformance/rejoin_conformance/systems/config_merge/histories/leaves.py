"""The meaning of changes, leaf by leaf: an independent implementation of edits, diffs and replay.

The laws compare the reference with this module, so it shares no code with the reference and works
differently: every change carries its value, so replay does not look up values in the data of other
messages. A leaf is a scalar at a path, or one element of the set at a path.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, TypeAlias

from rejoin_conformance.systems.config_merge.histories.events import (
    Add,
    Assign,
    Change,
    Discard,
    Path,
    Remove,
    Scalar,
)

Tree: TypeAlias = dict[bytes, Any]
"""Mutable application data: scalars, sets and dicts."""

Leaf: TypeAlias = tuple[Path, Scalar | None]
"""A path, and the element if the path leads to a set, or None if it leads to a scalar."""


def thawed(data: Mapping[bytes, Any]) -> Tree:
    """Return a mutable copy of application data."""
    tree: Tree = {}
    for key, value in data.items():
        if isinstance(value, (int, bytes)):
            tree[key] = value
        elif isinstance(value, (set, frozenset)):
            tree[key] = set(value)
        else:
            tree[key] = thawed(value)
    return tree


def carry_out(tree: Tree, changes: Iterable[Change]) -> None:
    """Apply changes to a tree. This removes values that block a new leaf, and empty containers."""
    for change in changes:
        if isinstance(change, Assign):
            _dict_for(tree, change.path)[change.path[-1]] = change.value
        elif isinstance(change, Add):
            holder, key = _dict_for(tree, change.path), change.path[-1]
            elements = holder.get(key)
            if isinstance(elements, set):
                elements.add(change.element)
            else:
                holder[key] = {change.element}
        else:
            _take_away(tree, change)


def changed(data: Mapping[bytes, Any], changes: Iterable[Change]) -> Tree:
    """Return a copy of the data with the changes applied."""
    tree = thawed(data)
    carry_out(tree, changes)
    return tree


def changes_between(
    old: Mapping[bytes, Any], new: Mapping[bytes, Any], above: Path = ()
) -> list[Change]:
    """Return the leaves assigned, removed, added and discarded between two states of the data.

    If a value changes its kind, the list contains only the new leaves, which replace the old ones.
    """
    changes: list[Change] = []
    differing = [key for key in new if key not in old]
    differing += [key for key, value in old.items() if new.get(key) != value]
    for key in sorted(differing):
        before, after, path = old.get(key), new.get(key), (*above, key)
        if isinstance(after, (int, bytes)):
            changes.append(Assign(path, after))
        elif isinstance(after, (set, frozenset)):
            had = before if isinstance(before, (set, frozenset)) else frozenset()
            changes += [Add(path, element) for element in _sorted(after - had)]
            changes += [Discard(path, element) for element in _sorted(had - after)]
        elif after is not None:
            held = {} if isinstance(before, (int, bytes, set, frozenset)) else before or {}
            changes += changes_between(held, after, path)
        elif isinstance(before, (int, bytes)):
            changes.append(Remove(path))
        elif isinstance(before, (set, frozenset)):
            changes += [Discard(path, element) for element in _sorted(before)]
        elif before is not None:
            changes += changes_between(before, {}, path)
    return changes


def leaves_of(data: Mapping[bytes, Any], above: Path = ()) -> dict[Leaf, Scalar]:
    """Return a mapping from each leaf of the data to its scalar or its element."""
    leaves: dict[Leaf, Scalar] = {}
    for key in sorted(data):
        value, path = data[key], (*above, key)
        if isinstance(value, (int, bytes)):
            leaves[path, None] = value
        elif isinstance(value, (set, frozenset)):
            leaves.update(((path, element), element) for element in _sorted(value))
        else:
            leaves.update(leaves_of(value, path))
    return leaves


def touches(change: Change, leaf: Leaf) -> bool:
    """Return whether a change determines the new value at a leaf, whatever its old value was."""
    path, element = leaf
    if isinstance(change, Discard):
        return leaf == (change.path, change.element)
    if change.path == path[: len(change.path)]:
        if isinstance(change, Add) and change.path == path and element is not None:
            return element == change.element
        return True
    makes_dicts = not isinstance(change, Remove)
    return makes_dicts and len(path) < len(change.path) and change.path[: len(path)] == path


def _dict_for(tree: Tree, path: Path) -> Tree:
    """Return the dict that holds the last key of a path. This creates missing dicts."""
    for key in path[:-1]:
        inner = tree.get(key)
        if not isinstance(inner, dict):
            inner = tree[key] = {}
        tree = inner
    return tree


def _take_away(tree: Tree, change: Remove | Discard) -> None:
    """Remove or discard a value, then remove the set and the dicts that became empty."""
    holders: list[tuple[Tree, bytes]] = []
    for key in change.path[:-1]:
        holders.append((tree, key))
        inner = tree.get(key)
        if not isinstance(inner, dict):
            return
        tree = inner
    last = change.path[-1]
    if isinstance(change, Remove):
        tree.pop(last, None)
    else:
        elements = tree.get(last)
        if not isinstance(elements, set):
            return
        elements.discard(change.element)
        if not elements:
            del tree[last]
    for holder, key in reversed(holders):
        if holder[key]:
            return
        del holder[key]


def _sorted(elements: Iterable[Scalar]) -> list[Scalar]:
    """Return elements in an order that depends only on their values: integers first."""
    return sorted(elements, key=lambda each: (isinstance(each, bytes), each))
