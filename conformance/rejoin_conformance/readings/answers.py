"""Compare the answers of two calls of functions to the same arguments."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import tee
from typing import Any, Final

import attrs
from attrs import frozen

_GROWING: Final = ("rejoin.history_merge.graph.Graph",)
"""Classes whose values only grow. If the length of such a value is as before, so is the value."""


@frozen
class Answer:
    """The answer of a call: the value that it returned, or the exception that it raised."""

    value: Any = None
    raised: Exception | None = None

    def given(self) -> Any:
        """Return the value, or raise the exception."""
        if self.raised is not None:
            raise self.raised
        return self.value


def answer_of(function: Callable[[], Any]) -> Answer:
    """Call a function and return its answer."""
    try:
        return Answer(function())
    except Exception as error:  # noqa: BLE001 - an exception is an answer
        return Answer(raised=error)


def differ(left: Answer, right: Answer) -> bool | None:
    """Return whether two answers differ, or None if they cannot be compared."""
    if any(isinstance(each.raised, RecursionError) for each in (left, right)):
        return None
    same = _same(left.raised or left.value, right.raised or right.value)
    return None if same is None else not same


def for_two(values: Iterable[Any]) -> tuple[tuple[Any, ...], tuple[Any, ...]]:
    """Return arguments for two calls. Each call gets its own copy of an iterator."""
    pairs = [tee(each) if isinstance(each, Iterator) else (each, each) for each in values]
    return tuple(one for one, _ in pairs), tuple(other for _, other in pairs)


def state_of(values: Iterable[Any]) -> tuple[int, ...] | None:
    """Return the state of the arguments that a call can change, or None if it is not known.

    A call that changes its arguments cannot be repeated, so its answers cannot be compared.
    """
    lengths: list[int] = []
    for value in values:
        kind = type(value)
        if not f"{kind.__module__}.".startswith("rejoin.") or _has_equality(kind):
            continue
        if f"{kind.__module__}.{kind.__qualname__}" not in _GROWING:
            return None
        lengths.append(len(value))
    return tuple(lengths)


def _same(left: Any, right: Any) -> bool | None:
    """Return whether two values are equal, or None if they cannot be compared.

    Exceptions are equal if they have the same class and the same `code`.
    """
    if left is right:
        return True
    if isinstance(left, Exception) or isinstance(right, Exception):
        return _class_and_code(left) == _class_and_code(right)
    if left is None or right is None:
        return False
    if isinstance(left, Iterator) or not _has_equality(type(left)):
        return None
    if left == right:
        return True
    if type(left) is not type(right):
        return False
    if attrs.has(type(left)):
        left, right = (
            [getattr(each, one.name) for one in attrs.fields(type(each)) if one.eq]
            for each in (left, right)
        )
    if isinstance(left, tuple | list) and len(left) == len(right):
        return _all(map(_same, left, right))
    if isinstance(left, Mapping) and left.keys() == right.keys():
        return _all(_same(left[key], right[key]) for key in left)
    return False


def _class_and_code(value: object) -> tuple[type[Any], object]:
    return type(value), getattr(value, "code", None)


def _all(verdicts: Iterable[bool | None]) -> bool | None:
    """Return False if one part differs, else None if one part cannot be compared."""
    found = set(verdicts)
    return False if False in found else None if None in found else True


def _has_equality(kind: type[Any]) -> bool:
    """Return whether `==` compares values of a class by their content."""
    equality: object = kind.__eq__
    return equality is not object.__eq__
