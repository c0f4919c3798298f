"""Immutable objects by their capabilities, as an immutable value that grows cheaply.

The objects stand in layers. Storing one copies only the newest layer, which is small, and layers of
like size are united now and then; so a million objects cost about as much each as ten.

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
    """Immutable objects by their capabilities.

    layers: disjoint mappings, larger ones first.
    """

    layers: tuple[Mapping[bytes, T], ...] = field(default=({},))


def store(objects: Objects[T], capability: bytes, value: T) -> Objects[T]:
    """The objects with one more; storing what is there already changes nothing.

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
    """The object of that capability, or None."""
    for layer in objects.layers:
        value = layer.get(capability)
        if value is not None:
            return value
    return None


def capabilities(objects: Objects[T]) -> Iterator[bytes]:
    """The capabilities of all objects, in no particular order."""
    for layer in objects.layers:
        yield from layer


def only(objects: Objects[T], kept: Iterable[bytes]) -> Objects[T]:
    """The objects of the given capabilities, as far as they are there."""
    found = {capability: find(objects, capability) for capability in kept}
    return Objects(({name: value for name, value in found.items() if value is not None},))
