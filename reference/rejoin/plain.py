"""Plain values: what users give to the reference, and how its values are shown to them.

The reference keeps frozen values: frozensets, tuples and read-only mappings. A user may give sets,
lists and dicts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Set
from types import MappingProxyType
from typing import TypeVar

T = TypeVar("T")


def node_ids(given: Iterable[str]) -> frozenset[str]:
    """Return a set of IDs."""
    return frozenset(given)


def frozen_state(given: T) -> T:
    """Return a state that cannot change: a set becomes a frozenset, a list becomes a tuple."""
    if isinstance(given, set):
        return frozenset(given)  # type: ignore[return-value]  # equal to the set that was given
    if isinstance(given, list):
        return tuple(given)  # type: ignore[return-value]  # the state type of lists is a tuple
    return given


def require_kind(name: str, given: object, example: object, cause: Exception | None = None) -> None:
    """Raise TypeError, with a cause, if a value is not of the type of an example."""
    if not isinstance(given, type(example)):
        wanted, found = type(example).__name__, type(given).__name__
        raise TypeError(
            f"{name} is of type {found} where {wanted} is expected: {given!r}"
        ) from cause


def frozen_data(given: Mapping[bytes, object], checked: Callable[[Mapping[bytes, object]], T]) -> T:
    """Return data of the reference as it is, and the checked copy of a user's mapping."""
    if isinstance(given, MappingProxyType):
        return given  # type: ignore[return-value]  # made by `checked` or a function like it
    return checked(given)


def plainly(value: object) -> str:
    """Return a value as Python writes it, with read-only mappings as dicts and sets in order."""
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{key!r}: {plainly(each)}" for key, each in value.items()) + "}"
    if isinstance(value, Set):
        return "{" + ", ".join(sorted(map(repr, value))) + "}" if value else "set()"
    return repr(value)
