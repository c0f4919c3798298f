"""Immutable objects by capability, as an immutable mapping to which objects can be added cheaply.

The objects are in layers. Storing an object copies only the newest layer, which is small. Layers of
similar size are merged occasionally, so the cost per object barely grows with their number.

Source: "Glossary", capability
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Final, Generic, TypeVar

from attrs import field, frozen

T = TypeVar("T")

_SMALL_LAYER: Final = 64


@frozen
class Objects(Generic[T]):
    """Immutable objects by capability.

    layers: disjoint mappings, larger ones first.
    """

    layers: tuple[Mapping[bytes, T], ...] = field(default=({},))


def store(objects: Objects[T], capability: bytes, value: T) -> Objects[T]:
    """Return the objects with one more; storing an object that exists changes nothing.

    Clauses: CD-GRID-IMMUTABLE
    Source: "Glossary", capability
    """
    if find(objects, capability) is not None:
        return objects
    *older, newest = objects.layers
    if len(newest) < _SMALL_LAYER:
        return Objects((*older, {**newest, capability: value}))
    while older and len(older[-1]) <= len(newest):
        newest = {**older.pop(), **newest}
    return Objects((*older, newest, {capability: value}))


def find(objects: Objects[T], capability: bytes) -> T | None:
    """Return the object with this capability, or None."""
    for layer in objects.layers:
        value = layer.get(capability)
        if value is not None:
            return value
    return None


def capabilities(objects: Objects[T]) -> Iterator[bytes]:
    """Return the capabilities of all objects, in no particular order."""
    for layer in objects.layers:
        yield from layer


def only(objects: Objects[T], kept: Iterable[bytes]) -> Objects[T]:
    """Return those of the objects that have one of the given capabilities."""
    found = {capability: find(objects, capability) for capability in kept}
    return Objects(({name: value for name, value in found.items() if value is not None},))
