"""Compare and copy the values that functions of the reference take and return.

The comparison is stricter than `==`. Two values that some code can tell apart are different: `1`
and `True`, a list and a tuple, or two dicts with another order of keys.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterable
from functools import cache
from operator import is_
from types import BuiltinFunctionType, FunctionType, MappingProxyType, MethodType, NoneType
from typing import Any, Final, TypeAlias

import attrs

IsOld: TypeAlias = Callable[[Any, Any], bool]
"""Whether one of two equal containers was in use before a call, and the other was not."""

_ATOMS: Final = frozenset({NoneType, bool, bytes, float, int, str, range})
_CODE: Final = (BuiltinFunctionType, FunctionType, MethodType, type)
_DICTS: Final = frozenset({dict, OrderedDict})
_CONTAINERS: Final = frozenset({list, set, bytearray}) | _DICTS


@attrs.frozen
class _Frozen:
    """An empty frozen class. All frozen classes share its way to refuse an assignment."""


_REFUSES: Final[Any] = _Frozen.__setattr__


class NotComparableError(Exception):
    """A value whose state cannot be copied, such as an iterator."""


def copied(value: Any, known: dict[int, Any] | None = None) -> Any:
    """Return the value with every mutable part copied; itself if it has no such part.

    Views that cannot be written and frozen classes with an equality of their own count as
    immutable. Frozen classes without one hold containers that change, such as caches.
    known: ID of a value -> its copy. Raises NotComparableError for an object of any other class.
    """
    known = {} if known is None else known
    kind: Any = type(value)
    if kind in _ATOMS:
        return value
    if id(value) in known:
        return known[id(value)]
    copy: Any
    if kind is tuple:
        parts = [copied(each, known) for each in value]
        copy = value if all(map(is_, parts, value)) else tuple(parts)
    elif kind is list:
        copy = [copied(each, known) for each in value]
    elif kind in _DICTS:
        copy = kind((name, copied(each, known)) for name, each in value.items())
    elif kind in {set, bytearray}:
        copy = kind(value)
    elif kind in {frozenset, MappingProxyType} or isinstance(value, _CODE):
        copy = value
    elif _is_frozen(kind):
        copy = value if _has_equality(kind) else _copied_fields(value, known)
    else:
        raise NotComparableError(kind.__name__)
    known[id(value)] = copy
    return copy


def is_same(left: Any, right: Any, is_old: IsOld) -> bool:
    """Return whether no code can tell two values apart, now or after a change of one of them."""
    if left is right:
        return True
    kind: Any = type(left)
    other: Any = type(right)
    if kind is not other:
        return False
    if kind in _ATOMS or kind in {MethodType, BuiltinFunctionType}:
        return bool(left == right)
    if kind in _CONTAINERS and is_old(left, right):
        return False
    if kind in {tuple, list}:
        return _all_same(left, right, is_old)
    if kind in _DICTS or kind is MappingProxyType:
        return _all_same(left, right, is_old) and _all_same(left.values(), right.values(), is_old)
    if kind in {set, frozenset}:
        return bool(left == right) and sorted(map(_typed, left)) == sorted(map(_typed, right))
    if kind is bytearray:
        return bool(left == right)
    if isinstance(left, Exception):
        return _all_same((left.args, vars(left)), (right.args, vars(right)), is_old)
    if _is_frozen(kind):
        return _all_same(_parts(left), _parts(right), is_old)
    return False


def is_constant(value: Any) -> bool:
    """Return whether equal values are the same to all code: they and their parts never change."""
    kind: Any = type(value)
    if kind in _ATOMS or isinstance(value, _CODE):
        return True
    if kind in {tuple, frozenset}:
        return all(map(is_constant, value))
    return _is_whole(kind) and all(map(is_constant, _parts(value)))


def containers_in(value: Any) -> frozenset[int]:
    """Return the IDs of the mutable containers that can be reached from a value."""
    found: set[int] = set()
    seen: set[int] = set()
    waiting = [value]
    while waiting:
        each = waiting.pop()
        kind: Any = type(each)
        if kind in _ATOMS or id(each) in seen:
            continue
        seen.add(id(each))
        if kind in _CONTAINERS:
            found.add(id(each))
        if kind in _DICTS or kind is MappingProxyType:
            waiting += each.values()
        elif kind in {tuple, list}:
            waiting += each
        elif _is_frozen(kind):
            waiting += _parts(each)
    return frozenset(found)


def _all_same(left: Iterable[Any], right: Iterable[Any], is_old: IsOld) -> bool:
    first, second = [*left], [*right]
    if len(first) != len(second):
        return False
    if all(map(is_, first, second)):  # the usual case, without a call for each value
        return True
    return all(is_same(one, other, is_old) for one, other in zip(first, second, strict=True))


def _copied_fields(value: Any, known: dict[int, Any]) -> Any:
    parts = _parts(value)
    copies = [copied(each, known) for each in parts]
    if all(map(is_, parts, copies)):
        return value
    copy = object.__new__(type(value))
    for name, each in zip(_names(value.__class__), copies, strict=True):
        object.__setattr__(copy, name, each)
    return copy


def _parts(value: Any) -> list[Any]:
    return [getattr(value, name) for name in _names(value.__class__)]


@cache
def _names(kind: Any) -> tuple[str, ...]:
    return tuple(field.name for field in attrs.fields(kind))


def _typed(value: object) -> str:
    return f"{type(value).__name__} {value!r}"


@cache
def _is_whole(kind: Any) -> bool:
    """Return whether a class is frozen, and its equality compares all fields."""
    return (
        _is_frozen(kind) and all(field.eq for field in attrs.fields(kind)) and _has_equality(kind)
    )


def _has_equality(kind: Any) -> bool:
    return kind.__eq__ is not object.__eq__


@cache
def _is_frozen(kind: Any) -> bool:
    return attrs.has(kind) and kind.__setattr__ is _REFUSES
