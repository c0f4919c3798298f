"""Config diff updates: what one update changed, how a diff is made, and how it is applied.

A diff mirrors the data. It names the keys that changed and, in place of their values, says how: a
scalar was assigned or removed, a set gained and lost elements, a dict changed inside. The values
that were assigned are looked up in the data of a message that carries the diff, its *source*.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final, TypeAlias

from attrs import frozen

from rejoin.config_merge.application_data import EMPTY, Dict, Scalar, Set, Value, changeable
from rejoin.config_merge.reading import DOCUMENT, Reading

ASSIGNED: Final = b""
"""The change of a key to which an integer or a string was assigned."""

REMOVED: Final = b"-"
"""The change of a key from which an integer or a string was removed."""

NO_ELEMENTS: Final[Set] = frozenset()


@frozen
class SetDiff:
    """The change of a set: the elements that it gained and those that it lost."""

    added: Set
    removed: Set


Diff: TypeAlias = "Mapping[bytes, Change]"
Change: TypeAlias = "bytes | SetDiff | Diff"

NO_CHANGES: Final[Diff] = MappingProxyType({})
"""The diff of an update that changes nothing."""


def diff(old: Dict, new: Dict) -> Diff:
    """Make the diff that leads from one state of the data to another.

    old, new: application data. Equal data give the empty diff.

    Clauses: CM-DIFF-EMPTY-ROOT, CM-DIFF-MAKE-EQUAL
    Source: "Config diff updates"
    """
    changes: dict[bytes, Change] = {}
    for key, after in new.items():
        change = change_between(old.get(key), after)
        if change is not None:
            changes[key] = change
    for key, before in old.items():
        if key not in new:
            change = change_between(before, None)
            if change is not None:
                changes[key] = change
    return MappingProxyType(changes)


def change_between(before: Value | None, after: Value | None) -> Change | None:
    """Make the change of one key; None stands for a key that is not there, or for no change.

    Dicts and sets are never listed themselves: they go with their last and come with their first
    key or element. A value that changes its kind is recorded like a new one.

    Clauses: CM-DIFF-MAKE-ASSIGN, CM-DIFF-MAKE-REMOVE, CM-DIFF-MAKE-EQUAL, CM-DIFF-MAKE-SET,
        CM-DIFF-MAKE-DICT, CM-DIFF-MAKE-TYPE-CHANGE
    Source: "Config diff updates"
    """
    if before == after:
        return None
    if isinstance(after, (int, bytes)):
        return ASSIGNED
    if after is None and isinstance(before, (int, bytes)):
        return REMOVED
    if isinstance(after, frozenset) or (after is None and isinstance(before, frozenset)):
        had = before if isinstance(before, frozenset) else NO_ELEMENTS
        has = after if after is not None else NO_ELEMENTS
        return SetDiff(added=has - had, removed=had - has) if had != has else None
    held = EMPTY if before is None or isinstance(before, (int, bytes, frozenset)) else before
    holds = EMPTY if after is None else after
    return diff(held, holds) or None


def apply_diff(data: Dict, diff: Diff, source: Dict, *, reading: Reading = DOCUMENT) -> Dict:
    """Apply a diff to data, and remove the sets and dicts that are empty afterwards.

    data: what the diff is applied to; it is shared, never changed. source: the data in which the
    assigned values are looked up.

    Clauses: CM-DIFF-APPLY-PRUNE, CM-DIFF-ROUND-TRIP
    Source: "Conflict resolution", step 6
    """
    applied = apply_entry(data, diff, source, reading=reading)
    return applied if reading.prune_after_each_entry else prune(applied)


def apply_entry(data: Dict, diff: Diff, source: Dict, *, reading: Reading) -> Dict:
    """Apply the diff of one entry of the replay set.

    Sets and dicts that become empty are removed at once, from the inside out, unless the reading
    leaves that to the end of the merge.

    Clauses: CM-DIFF-APPLY-UNTOUCHED, CM-DIFF-APPLY-PRUNE, CM-RESOLVE-PRUNE
    Source: "Conflict resolution", step 6
    """
    if not diff:
        return data
    updated = changeable(data)
    for key, change in diff.items():
        value = _value_after(updated.get(key), change, source.get(key), reading)
        if not value and (value is None or (reading.prune_after_each_entry and _is_empty(value))):
            updated.pop(key, None)
        else:
            updated[key] = value
    return MappingProxyType(updated)


def prune(data: Dict) -> Dict:
    """Remove the sets and dicts that are empty, or hold nothing but empty ones; keep the root.

    Clauses: CM-DIFF-APPLY-PRUNE, CM-RESOLVE-PRUNE
    Source: "Conflict resolution", step 6
    """
    kept: dict[bytes, Value] = {}
    for key, value in data.items():
        pruned = value if isinstance(value, (int, bytes, frozenset)) else prune(value)
        if not _is_empty(pruned):
            kept[key] = pruned
    return MappingProxyType(kept)


def _value_after(
    current: Value | None, change: Change, source: Value | None, reading: Reading
) -> Value | None:
    """Return what a key holds after its change; None stands for a key that is not there."""
    if isinstance(change, bytes):
        return scalar_after(change, source if isinstance(source, (int, bytes)) else None)
    if isinstance(change, SetDiff):
        return _set_after(current, change, source, reading)
    return _dict_after(current, change, source, reading)


def scalar_after(change: bytes, assigned: Scalar | None) -> Scalar | None:
    """Return what a key holds after a scalar was assigned or removed, whatever it held before.

    change: ASSIGNED or REMOVED. assigned: the scalar that the source has there, None where it has
    none: the value has been lost to a later change of its source, so the key is removed.

    Clauses: CM-DIFF-APPLY-ASSIGN, CM-DIFF-APPLY-ASSIGN-MISSING, CM-DIFF-APPLY-REMOVE
    Source: "Conflict resolution", step 6

    pre: change in (b"", b"-")
    pre: not isinstance(assigned, bytes) or len(assigned) <= 1
    post: __return__ == (assigned if change == b"" else None)
    """
    return assigned if change == ASSIGNED else None


def elements_after(elements: Set, added: Set, removed: Set) -> Set:
    """Return what a set holds after a set diff: additions first, then removals.

    Clauses: CM-DIFF-APPLY-SET
    Source: "Conflict resolution", step 6

    pre: max(len(elements), len(added), len(removed)) <= 1
    pre: all(isinstance(e, int) or len(e) <= 1 for e in [*elements, *added, *removed])
    post: added - removed <= __return__ and not (removed & __return__)
    post: __return__ - added == elements - added - removed
    """
    return (elements | added) - removed


def _set_after(
    current: Value | None, change: SetDiff, source: Value | None, reading: Reading
) -> Value | None:
    """Return what a key holds after a set diff, which may be an empty set.

    Clauses: CM-DIFF-APPLY-SET, CM-DIFF-APPLY-SET-CREATE, CM-DIFF-APPLY-TYPE-MISMATCH
    Source: "Conflict resolution", step 6
    """
    if reading.missing_set_diff_target == "erase" and not isinstance(source, frozenset):
        return None
    if isinstance(current, frozenset):
        return elements_after(current, change.added, change.removed)
    if current is None or assigns_or_adds(change) or reading.type_mismatch_removal_only != "keep":
        return elements_after(NO_ELEMENTS, change.added, change.removed)
    return current


def _dict_after(
    current: Value | None, change: Diff, source: Value | None, reading: Reading
) -> Value | None:
    """Return what a key holds after a dict diff, which may be an empty dict.

    Clauses: CM-DIFF-APPLY-DICT, CM-DIFF-APPLY-DICT-CREATE, CM-DIFF-APPLY-TYPE-MISMATCH
    Source: "Conflict resolution", step 6
    """
    if source is None or isinstance(source, (int, bytes, frozenset)):
        if reading.missing_dict_diff_target == "erase":
            return None
        source = EMPTY
    if current is None:
        return apply_entry(EMPTY, change, source, reading=reading)
    if not isinstance(current, (int, bytes, frozenset)):
        return apply_entry(current, change, source, reading=reading)
    if assigns_or_adds(change) or reading.type_mismatch_removal_only != "keep":
        return apply_entry(EMPTY, change, source, reading=reading)
    return current


def assigns_or_adds(change: Change) -> bool:
    """Say whether a change assigns a scalar or adds an element, at any depth.

    Clauses: CM-DIFF-APPLY-TYPE-MISMATCH
    Source: "Config diff updates"
    """
    if isinstance(change, bytes):
        return change == ASSIGNED
    if isinstance(change, SetDiff):
        return bool(change.added)
    return any(assigns_or_adds(inner) for inner in change.values())


def _is_empty(value: Value) -> bool:
    """Say whether a value is an empty set or dict."""
    return not value and not isinstance(value, (int, bytes))
