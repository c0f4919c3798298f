"""The differences of two JSON values: one walker for every comparison of the suite.

`1` and `true` differ, as they do in canonical JSON. Both values can come from an adapter: the walk
is linear in their size, and does not recurse.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Final, Literal, TypeAlias

from attrs import frozen

from rejoin_conformance.kit.json_types import Json, JsonObject, canonical_json

Path: TypeAlias = tuple[str | int, ...]
"""The fields and indices from the outermost value to an inner one."""

Kind: TypeAlias = Literal["changed", "missing", "unexpected"]

_DEEP: Final = 40
"""The number of fields and indices that a general path has at most."""


@frozen
class Difference:
    """One place where two values differ.

    kind: `missing` if only the expected value has the place, `unexpected` if only the observed one
        has it. A side without the place is None. lengths: of both lists, if an item is missing or
        unexpected.
    """

    path: Path
    kind: Kind
    expected: Json
    observed: Json
    lengths: tuple[int, int] | None = None

    @property
    def json_path(self) -> str:
        """Return the path as text, such as `$.nodes[3].id`."""
        return "$" + "".join(map(_step, self.path))

    def general(self, words: Collection[str]) -> str:
        """Return the place and the manner, without any text of either side.

        words: the fields and the constants of the schema. Other fields are names, such as those of
        clients, and become `*`. Two differences with one cause have the same general text.
        """
        place = self.path[:_DEEP]
        if len(self.path) > _DEEP:
            manner = "differs"
        elif self.lengths is not None:
            place, manner = place[:-1], "too short" if self.kind == "missing" else "too long"
        else:
            manner = self.kind if self.kind != "changed" else self._manner(words)
        items = ["[]" if isinstance(each, int) else each for each in place]
        names = (each if each in {"[]", *words} else "*" for each in items)
        path = ".".join(names).replace(".[]", "[]")
        return f"{path} {manner}" if path else manner

    def _manner(self, words: Collection[str]) -> str:
        expected, observed = self.expected, self.observed
        sides = [_word(observed, words), _word(expected, words)]
        if all(sides):
            return f"{sides[0]} instead of {sides[1]}"
        if isinstance(expected, int) and isinstance(observed, int):
            return "too small" if observed < expected else "too large"
        return "differs" if type(expected) is type(observed) else "is of another type"


def differences(expected: Json, observed: Json) -> Iterator[Difference]:
    """Yield every difference of two values: items by index, fields by name.

    The fields that both objects have come before those of one only, because their differences
    explain more.
    """
    waiting = [Difference((), "changed", expected, observed)]
    while waiting:
        here = waiting.pop()
        one, other = here.expected, here.observed
        if here.kind != "changed":
            yield here
        elif isinstance(one, dict) and isinstance(other, dict):
            waiting += reversed([*_of_fields(here.path, one, other)])
        elif isinstance(one, list) and isinstance(other, list):
            waiting += reversed([*_of_items(here.path, one, other)])
        elif type(one) is not type(other) or one != other:
            yield here


def first_difference(expected: Json, observed: Json) -> Difference | None:
    """Return the first difference of two values, or None if they are equal."""
    return next(differences(expected, observed), None)


def _of_fields(path: Path, one: JsonObject, other: JsonObject) -> Iterator[Difference]:
    for name in sorted(one.keys() & other.keys()):
        yield Difference((*path, name), "changed", one[name], other[name])
    for name in sorted(one.keys() ^ other.keys()):
        kind: Kind = "missing" if name in one else "unexpected"
        yield Difference((*path, name), kind, one.get(name), other.get(name))


def _of_items(path: Path, one: list[Json], other: list[Json]) -> Iterator[Difference]:
    shared = min(len(one), len(other))
    for place, (left, right) in enumerate(zip(one, other, strict=False)):
        if left is not right:
            yield Difference((*path, place), "changed", left, right)
    lengths = len(one), len(other)
    for place, left in enumerate(one[shared:], start=shared):
        yield Difference((*path, place), "missing", left, None, lengths)
    for place, right in enumerate(other[shared:], start=shared):
        yield Difference((*path, place), "unexpected", None, right, lengths)


def _step(step: str | int) -> str:
    if isinstance(step, int):
        return f"[{step}]"
    return f".{step}" if step.isidentifier() else f"[{canonical_json(step)}]"


def _word(value: Json, words: Collection[str]) -> str:
    if value is None or isinstance(value, bool):
        return canonical_json(value)
    return value if isinstance(value, str) and value in words else ""
