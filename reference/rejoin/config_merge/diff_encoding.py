"""The encoded form of a diff, which `=` and lagged rows contain."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from rejoin import bencode
from rejoin.config_merge.application_data import (
    MAX_DEPTH,
    MAX_KEY_LENGTH,
    Set,
    encode_elements,
    in_order,
    key_too_long,
    set_from_value,
    too_deep,
)
from rejoin.config_merge.diff_updates import (
    ASSIGNED,
    NO_ELEMENTS,
    REMOVED,
    Change,
    Diff,
    SetDiff,
)
from rejoin.config_merge.errors import ConfigMergeError, refused_encoding
from rejoin.config_merge.reading import DOCUMENT, Reading

_OF_SCALARS: Final = (ASSIGNED, REMOVED)


def parse_diff(encoded: bytes, *, reading: Reading = DOCUMENT) -> Diff:
    """Return the diff that bt-encoded bytes contain.

    Errors: `ConfigMergeError` with a code of the encoding or of diff updates, and a position.

    Clauses: CM-DIFF-VALUES, CM-DIFF-INPUT
    Source: "Config diff updates"
    """
    try:
        value = bencode.decode(encoded, lenient=not reading.strict_encoding)
    except bencode.BencodeError as error:
        raise refused_encoding(error) from error
    try:
        return diff_from_value(value, reading=reading)
    except ConfigMergeError as error:
        raise error.located_in(encoded, 0) from error


def encode_diff(diff: Diff) -> bytes:
    """Return the canonical encoding of a diff.

    Clauses: CM-BT-ENCODE, CM-DATA-SET-ORDER
    Source: "Config diff updates"
    """
    parts: list[bytes] = []
    _encode_into(parts, diff)
    return b"".join(parts)


def diff_from_value(value: bencode.Value, *, reading: Reading) -> Diff:
    """Return a decoded value as a diff; its outermost dict may be empty.

    value: a value from `bencode.decode`.
    Errors: `ConfigMergeError` with a code of diff updates, and a path.

    Clauses: CM-DIFF-EMPTY-ROOT
    Source: "Config diff updates"
    """
    if not isinstance(value, dict):
        raise ConfigMergeError("diff-type", "the diff is not a dict")
    return _diff_from_dict(value, reading, 1)


def _diff_from_dict(tree: Mapping[bytes, bencode.Value], reading: Reading, depth: int) -> Diff:
    """Return a decoded dict as a diff.

    tree: a dict from `bencode.decode`.
    depth: the level of this dict; the outermost dict is level 1.
    Errors: `ConfigMergeError` with a code of diff updates, and a path.

    Clauses: CM-DIFF-VALUES, CM-DIFF-DICT-NONEMPTY, CM-DIFF-LIMITS, CM-DIFF-DEPTH
    Source: "Config diff updates"
    """
    changes: dict[bytes, Change] = {}
    for key, value in tree.items():
        if reading.enforce_limits and len(key) > MAX_KEY_LENGTH:
            raise key_too_long(key)
        if value in _OF_SCALARS:
            changes[key] = value
        elif isinstance(value, (int, bytes)):
            message = "the value is not the empty string, `-`, a list or a dict"
            raise ConfigMergeError("diff-value", message, path=(key,))
        elif depth == MAX_DEPTH:
            raise too_deep(key)
        elif value == {} and reading.empty_nested_diffs == "invalid":
            message = "a dict diff inside a diff is empty"
            raise ConfigMergeError("dict-diff-empty", message, path=(key,))
        else:
            try:
                if isinstance(value, dict):
                    changes[key] = _diff_from_dict(value, reading, depth + 1)
                elif isinstance(value, list):
                    changes[key] = _set_diff_from_list(value, reading, depth + 1)
            except ConfigMergeError as error:
                raise error.inside(key) from None
    return MappingProxyType(changes)


def _set_diff_from_list(value: list[bencode.Value], reading: Reading, depth: int) -> SetDiff:
    """Return a decoded list as a set diff.

    value: a list from `bencode.decode`.
    depth: the level of the set diff.
    Errors: `ConfigMergeError` with a code of diff updates, and a path.

    Clauses: CM-DIFF-SET-PAIR, CM-DIFF-SET-ELEMENTS, CM-DIFF-SET-NOT-BOTH-EMPTY,
        CM-DIFF-SET-DISJOINT, CM-DIFF-LIMITS, CM-DIFF-DEPTH
    Source: "Config diff updates"
    """
    message = "the set diff is not a list of two lists"
    if len(value) != 2:
        raise ConfigMergeError("set-diff-shape", message)
    halves: list[Set] = []
    carried = False
    for index, elements in enumerate(value):
        if not isinstance(elements, list):
            raise ConfigMergeError("set-diff-shape", message, path=(index,))
        if not reading.check_lone_elements and _is_lone_container(elements):
            if depth + _levels(elements[0]) > MAX_DEPTH:
                raise too_deep()
            halves.append(NO_ELEMENTS)
            carried = True
            continue
        try:
            halves.append(set_from_value(elements, reading))
        except ConfigMergeError as error:
            raise error.inside(index) from None
    added, removed = halves
    if carried:
        return SetDiff(added=added, removed=removed, encoded=bencode.encode(value))
    if not added and not removed and reading.empty_nested_diffs == "invalid":
        message = "the set diff neither adds nor removes an element"
        raise ConfigMergeError("set-diff-empty", message)
    if reading.set_diff_overlap == "invalid" and not added.isdisjoint(removed):
        at = next(index for index, element in enumerate(in_order(removed)) if element in added)
        message = "the element is both added and removed"
        raise ConfigMergeError("set-diff-overlap", message, path=(1, at))
    return SetDiff(added=added, removed=removed)


def _is_lone_container(elements: list[bencode.Value]) -> bool:
    """Return whether a list of a set diff consists of one list or dict."""
    return len(elements) == 1 and isinstance(elements[0], (list, dict))


def _levels(value: bencode.Value) -> int:
    """Return how many levels of lists and dicts a decoded value has; a scalar has none."""
    if isinstance(value, dict):
        return 1 + max([_levels(inner) for inner in value.values()], default=0)
    if isinstance(value, list):
        return 1 + max([_levels(inner) for inner in value], default=0)
    return 0


def _encode_into(parts: list[bytes], diff: Diff) -> None:
    """Append the encoding of a diff, or of a dict diff inside it, to `parts`."""
    parts.append(b"d")
    for key in sorted(diff):
        change = diff[key]
        parts.append(b"%d:%s" % (len(key), key))
        if isinstance(change, bytes):
            parts.append(b"%d:%s" % (len(change), change))
        elif isinstance(change, SetDiff) and change.encoded is not None:
            parts.append(change.encoded)
        elif isinstance(change, SetDiff):
            added, removed = encode_elements(change.added), encode_elements(change.removed)
            parts.append(b"ll%sel%see" % (added, removed))
        else:
            _encode_into(parts, change)
    parts.append(b"e")
