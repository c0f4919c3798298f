"""Config diff updates: the form of a diff, and making a diff.

A diff mirrors the data. It has the keys that changed. In place of their values, it has the kind of
change: a scalar was assigned or removed, a set gained or lost elements, or a dict changed inside.
The assigned values come from the data of a message that carries the diff, the *source* of the diff.
`conflict_resolution` applies diffs.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final, TypeAlias

from attrs import frozen

from rejoin.config_merge.application_data import (
    EMPTY,
    Set,
    Value,
    checked_data,
)
from rejoin.plain import frozen_data

ASSIGNED: Final = b""
"""The change of a key to which an integer or a string was assigned."""

REMOVED: Final = b"-"
"""The change of a key from which an integer or a string was removed."""

NO_ELEMENTS: Final[Set] = frozenset()


@frozen
class SetDiff:
    """The change of a set.

    added: the elements that it gained.
    removed: the elements that it lost.
    encoded: the canonical bytes of a set diff with a list or dict among its elements, which
        `added` and `removed` cannot hold; otherwise None.
    """

    added: Set
    removed: Set
    encoded: bytes | None = None


Diff: TypeAlias = "Mapping[bytes, Change]"
Change: TypeAlias = "bytes | SetDiff | Diff"

NO_CHANGES: Final[Diff] = MappingProxyType({})
"""The diff of an update that changes nothing."""


def diff(old: Mapping[bytes, object], new: Mapping[bytes, object]) -> Diff:
    """Return the diff from old to new application data; it is empty if they are equal.

    Errors: `ConfigMergeError` with a code of application data.

    Clauses: CM-DIFF-EMPTY-ROOT, CM-DIFF-MAKE-EQUAL
    Source: "Config diff updates"
    """
    had, has = frozen_data(old, checked_data), frozen_data(new, checked_data)
    changes: dict[bytes, Change] = {}
    for key, after in has.items():
        change = change_between(had.get(key), after)
        if change is not None:
            changes[key] = change
    for key, before in had.items():
        if key not in has:
            change = change_between(before, None)
            if change is not None:
                changes[key] = change
    return MappingProxyType(changes)


def change_between(before: Value | None, after: Value | None) -> Change | None:
    """Return the change of one key, or None if there is no change.

    before, after: the old and the new value at the key, or None if the key is absent.
    A diff does not list dicts and sets themselves: they appear with their first key or element and
    disappear with their last one. A value that changes its kind is recorded like a new value.

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
