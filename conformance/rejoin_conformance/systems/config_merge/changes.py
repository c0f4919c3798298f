"""Changes of application data, and their meaning, leaf by leaf.

This is an independent implementation of edits, diffs and replay. The laws compare the reference
with it, so it shares no code with the reference and works differently: every change carries its
value, so replay does not look up values in the data of other messages. A leaf is a scalar at a
path, or one element of the set at a path.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final, Literal, TypeAlias

from attrs import frozen

from rejoin_conformance.kit.json_types import JsonObject
from rejoin_conformance.kit.schemas import HEX, any_of, list_of, one_of_texts, record
from rejoin_conformance.systems.config_merge.data_text import key_text, value_text

Path: TypeAlias = tuple[bytes, ...]
"""The keys that lead to a place in application data, from the outermost dict inward."""

Scalar: TypeAlias = int | bytes


@frozen
class Change:
    """One change of application data.

    assign: assign a scalar to a path; it replaces the value there and any value that blocks the
    path. remove: remove the value at a path. add: add an element to the set at a path, which
    replaces a value of another kind. discard: remove an element from the set at a path, if there is
    a set. value: the scalar or the element; None for a removal.
    """

    kind: Literal["assign", "remove", "add", "discard"]
    path: Path
    value: Scalar | None = None

    @property
    def is_of_set(self) -> bool:
        """Return whether it changes one element of a set."""
        return self.kind in ("add", "discard")


_DECIMAL: Final[JsonObject] = {
    "type": "string",
    "pattern": "^(0|-?[1-9][0-9]*)$",
    "maxLength": 100,
}
_PATH: Final = list_of(HEX, minimum=1)
_SCALAR: Final = any_of(record({"int": _DECIMAL}), record({"str": HEX}))
CHANGE: Final = any_of(
    record({"change": one_of_texts("assign", "add", "discard"), "path": _PATH, "value": _SCALAR}),
    record({"change": {"const": "remove"}, "path": _PATH}),
)
"""The schema of a change in JSON."""


def change_json(kind: str, path: Path, value: Scalar | None = None) -> JsonObject:
    """Return a change as JSON."""
    made: JsonObject = {"change": kind, "path": [key.hex() for key in path]}
    if value is None:
        return made
    text = value.hex() if isinstance(value, bytes) else str(value)
    return {**made, "value": {"str" if isinstance(value, bytes) else "int": text}}


def change_of(value: Any) -> Change:
    """Return the change in JSON that matches the schema."""
    path = tuple([bytes.fromhex(key) for key in value["path"]])
    match value.get("value"):
        case {"int": text}:
            return Change(value["change"], path, int(text))
        case {"str": text}:
            return Change(value["change"], path, bytes.fromhex(text))
        case _:
            return Change(value["change"], path)


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
        else:
            tree[key] = thawed(value) if isinstance(value, Mapping) else set(value)
    return tree


def carry_out(tree: Tree, changes: Iterable[Change]) -> None:
    """Apply changes to a tree. This removes values that block a new leaf, and empty containers."""
    for change in changes:
        if change.kind == "assign":
            _dict_for(tree, change.path)[change.path[-1]] = change.value
        elif change.kind == "add":
            holder, key = _dict_for(tree, change.path), change.path[-1]
            elements = holder.get(key)
            if isinstance(elements, set):
                elements.add(change.value)
            else:
                holder[key] = {change.value}
        else:
            _take_away(tree, change)


def changed(data: Mapping[bytes, Any], changes: Iterable[Change]) -> Tree:
    """Return a copy of the data with the changes applied."""
    tree = thawed(data)
    carry_out(tree, changes)
    return tree


def changes_between(old: Mapping[bytes, Any], new: Mapping[bytes, Any]) -> list[Change]:
    """Return the leaves assigned, removed, added and discarded between two states of the data.

    If a value changes its kind, the list contains only the new leaves, which replace the old ones.
    """
    had, has = leaves_of(old), leaves_of(new)
    made = [
        Change("assign" if element is None else "add", path, value)
        for (path, element), value in has.items()
        if had.get((path, element)) != value
    ]
    gone = [
        Change("remove" if element is None else "discard", path, element)
        for path, element in had
        if (path, element) not in has and not any(touches(each, (path, element)) for each in made)
    ]
    return sorted([*made, *gone], key=lambda each: each.path)


def leaves_of(data: Mapping[bytes, Any], above: Path = ()) -> dict[Leaf, Scalar]:
    """Return a mapping from each leaf of the data to its scalar or its element."""
    leaves: dict[Leaf, Scalar] = {}
    for key in sorted(data):
        value, path = data[key], (*above, key)
        if isinstance(value, (int, bytes)):
            leaves[path, None] = value
        elif isinstance(value, (set, frozenset)):
            leaves.update(((path, element), element) for element in sorted(value, key=_order))
        else:
            leaves.update(leaves_of(value, path))
    return leaves


def touches(change: Change, leaf: Leaf) -> bool:
    """Return whether a change determines the new value at a leaf, whatever its old value was."""
    path, element = leaf
    if change.kind == "discard":
        return leaf == (change.path, change.value)
    if change.path == path[: len(change.path)]:
        if change.kind == "add" and change.path == path and element is not None:
            return element == change.value
        return True
    makes_dicts = change.kind != "remove"
    return makes_dicts and len(path) < len(change.path) and change.path[: len(path)] == path


def _dict_for(tree: Tree, path: Path) -> Tree:
    """Return the dict that holds the last key of a path. This creates missing dicts."""
    for key in path[:-1]:
        inner = tree.get(key)
        if not isinstance(inner, dict):
            inner = tree[key] = {}
        tree = inner
    return tree


def _take_away(tree: Tree, change: Change) -> None:
    """Remove or discard a value, then remove the set and the dicts that became empty."""
    holders: list[tuple[Tree, bytes]] = []
    for key in change.path[:-1]:
        holders.append((tree, key))
        inner = tree.get(key)
        if not isinstance(inner, dict):
            return
        tree = inner
    last = change.path[-1]
    if change.kind == "remove":
        tree.pop(last, None)
    else:
        elements = tree.get(last)
        if not isinstance(elements, set):
            return
        elements.discard(change.value)
        if not elements:
            del tree[last]
    for holder, key in reversed(holders):
        if holder[key]:
            return
        del holder[key]


def _order(element: Scalar | None) -> tuple[bool, bool, Any]:
    """Return a key that orders elements only by their values: integers first."""
    return element is not None, isinstance(element, bytes), 0 if element is None else element


def differences(
    expected: Mapping[bytes, Any], found: Mapping[bytes, Any]
) -> list[tuple[Leaf, str]]:
    """Return the leaves at which two states of the data differ, and how: lost, back, or other."""
    wanted, seen = leaves_of(expected), leaves_of(found)
    differing: list[tuple[Leaf, str]] = []
    for leaf in sorted(wanted.keys() | seen.keys(), key=lambda leaf: (leaf[0], _order(leaf[1]))):
        if leaf in wanted and leaf in seen and wanted[leaf] == seen[leaf]:
            continue
        what = "scalar" if leaf[1] is None else "element"
        how = "lost" if leaf not in seen else "back" if leaf not in wanted else "other"
        differing.append((leaf, f"{what}-{how}"))
    return differing


def first_difference(expected: Mapping[bytes, Any], found: Mapping[bytes, Any]) -> tuple[str, str]:
    """Return the place of the first difference of data that are not equal, and how they differ."""
    for leaf, how in differences(expected, found):
        return leaf_name(leaf), how
    return "an empty set or dict", "empty"


def leaf_name(leaf: Leaf) -> str:
    """Return a leaf for people."""
    path, element = leaf
    return place_of(path) + ("" if element is None else f" element {value_text(element)}")


def place_of(path: Path) -> str:
    """Return a path as its keys in the notation."""
    return "/".join(key_text(key) for key in path)
