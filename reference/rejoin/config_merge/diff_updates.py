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

from rejoin.config_merge.application_data import EMPTY, Dict, Set, Value

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
