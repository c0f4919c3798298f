"""Places in a JSON value: walk over them, read one, replace one."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from types import MappingProxyType
from typing import Any, TypeAlias

from rejoin_conformance.kit.json_types import Json

Place: TypeAlias = tuple[str | int, ...]
"""The path to an inner value: the fields and list indices from the outermost value on."""


def places(value: Json) -> Iterator[tuple[Place, Json]]:
    """Yield every place of a value and the value there, outer places before inner ones.

    Fields come in the order of their names, items in the order of the list.
    """
    waiting: list[tuple[Place, Json]] = [((), value)]
    while waiting:
        place, each = waiting.pop()
        yield place, each
        if isinstance(each, dict):
            waiting += [((*place, name), each[name]) for name in sorted(each, reverse=True)]
        elif isinstance(each, list):
            waiting += [((*place, i), each[i]) for i in reversed(range(len(each)))]


def at(value: Json, place: Place) -> Json:
    """Return the value at a place. Raises LookupError if there is no such place."""
    here: Any = value
    for step in place:
        fits = isinstance(here, dict) if isinstance(step, str) else isinstance(here, list)
        if not fits:
            raise LookupError(step)
        here = here[step]
    found: Json = here
    return found


def replaced(value: Json, place: Place, new: Json) -> Json:
    """Return a copy of the value with another value at a place. Unchanged parts are shared."""
    outers: list[Any] = [at(value, place[:depth]) for depth in range(len(place))]
    for step, outer in zip(reversed(place), reversed(outers), strict=True):
        copy = outer.copy()
        copy[step] = new
        new = copy
    return new


def nearest_field(place: Place) -> str | None:
    """Return the name of the innermost field around a place, or None if there is none."""
    return next((step for step in reversed(place) if isinstance(step, str)), None)


def with_leaves(
    value: Json,
    change: Callable[[str | None, Json], Json],
    names: Mapping[str, str] = MappingProxyType({}),
) -> Json:
    """Return the value with every scalar replaced, and fields renamed.

    change: (nearest field, scalar) -> the new scalar. It is called in the order of `places`. names:
    old name of a field -> new name. An object keeps its names if two of its fields would get the
    same name.
    """
    walked = list(places(value))
    made = {
        place: change(nearest_field(place), each)
        for place, each in walked
        if not isinstance(each, dict | list)
    }
    for place, each in reversed(walked):
        if isinstance(each, dict):
            called = {name: names.get(name, name) for name in each}
            if len({*called.values()}) < len(called):
                called = {name: name for name in each}
            made[place] = {called[name]: made.pop((*place, name)) for name in each}
        elif isinstance(each, list):
            made[place] = [made.pop((*place, i)) for i in range(len(each))]
    return made[()]
