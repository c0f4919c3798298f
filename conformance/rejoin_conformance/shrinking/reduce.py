"""Reduce a JSON value or a history to a minimal one that is still interesting, greedily.

A list of objects that have an `id` and a list `parents` is a graph. To remove a node in the middle
of a chain, a reduction must change two places at once: the list, and the parents of the children.

Two findings with the same law and shape are duplicates. The shape of a history is the history
without the values of its names and numbers.
"""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Callable, Iterator
from itertools import combinations
from typing import Any, Final, Generic, TypeVar

from attrs import define, field, frozen

from rejoin_conformance.contract.history import Histories
from rejoin_conformance.kit.json_types import Json, JsonObject, canonical_json, digest_of
from rejoin_conformance.shrinking.places import Place, at, places, replaced, with_leaves
from rejoin_conformance.shrinking.simpler import (
    chunks,
    instead,
    simpler_names,
    sizes,
)


def spliced(value: Json) -> Iterator[Json]:
    """Yield the value without one node of a graph in it, for each node with parents or children.

    Only values with fewer parts are yielded, so a reduction by these steps ends.
    """
    for place, each in places(value):
        nodes = _nodes(each)
        for gone in reversed(nodes):
            rest = [_without(node, gone) for node in nodes if node is not gone]
            if rest and _size(rest) < _size(nodes):
                yield replaced(value, place, rest)


def _nodes(value: Any) -> list[Any]:
    """Return the nodes if a value is a graph, or an empty list."""
    return value if isinstance(value, list) and all(map(_is_node, value)) else []


def _is_node(value: Json) -> bool:
    match value:
        case {"id": str(), "parents": list(parents)}:
            return all(isinstance(parent, str) for parent in parents)
    return False


def _without(node: Any, gone: Any) -> Any:
    """Return a node with the parents of a removed one instead of it."""
    parents, instead = node["parents"], gone["parents"]
    if gone["id"] not in parents:
        return node
    place = parents.index(gone["id"])
    others = [parent for parent in parents if parent != gone["id"]]
    added = [parent for parent in instead if parent not in others and parent != node["id"]]
    return {**node, "parents": [*others[:place], *added, *others[place:]]}


def _size(nodes: list[Any]) -> int:
    """Return the number of nodes and parents."""
    return sum(3 + len(node["parents"]) for node in nodes)


DEFAULT_BUDGET: Final = 20_000
"""The maximum number of values to try. It is not a time, so that the result is deterministic."""

PAIRED: Final = 32
"""The maximum length of a list from which any two items are removed together."""


T = TypeVar("T")


@frozen
class Reduction(Generic[T]):
    """The result of a reduction: a JSON value, or a history.

    tries: the number of values tried. minimal: whether no value that is one step simpler (`steps`)
    is interesting; False if the budget was used up before that was known.
    """

    value: T
    tries: int
    minimal: bool


class NotInterestingError(ValueError):
    """The value to reduce is not interesting itself."""


class _BudgetUsedError(Exception):
    """No more tries are left."""


def reduce_json(
    value: Json,
    interesting: Callable[[Json], bool],
    *,
    budget: int = DEFAULT_BUDGET,
    fatal: type[Exception] | tuple[type[Exception], ...] = (),
) -> Reduction[Json]:
    """Simplify a value step by step as long as it stays interesting.

    interesting: a pure function. If it raises an exception, the value is not interesting: most
    values that a reduction tries break some rule. fatal: exceptions that end the reduction.
    Raises NotInterestingError if the given value is not interesting.
    """
    reducer = _Reducer(value, interesting, budget, fatal, tries=1)
    if not reducer.holds(value):
        raise NotInterestingError("the value to reduce is not interesting itself")
    try:
        while reducer.one_round():
            pass
    except _BudgetUsedError:
        return Reduction(reducer.value, reducer.tries, minimal=False)
    return Reduction(reducer.value, reducer.tries, minimal=True)


def steps(value: Json) -> Iterator[Json]:
    """Yield every value that is one step simpler.

    A step removes some neighbouring items of a list, any two items of a short list, or one field.
    Or it removes a node of a graph and gives its children its parents. Or it replaces one value
    with a simpler one, or it renames something everywhere. A value is minimal if no value that is
    one step simpler is interesting.
    """
    for place, each in places(value):
        for shorter in _shorter(each):
            yield replaced(value, place, shorter)
    yield from spliced(value)
    yield from simpler_names(value)
    for place, each in places(value):
        for simpler in instead(each):
            yield replaced(value, place, simpler)


def _shorter(value: Json) -> Iterator[Json]:
    """Yield the steps that remove items of one list or a field of one object."""
    if isinstance(value, list):
        for start, end in chunks(len(value)):
            yield [*value[:start], *value[end:]]
        if len(value) <= PAIRED:
            for first, second in combinations(range(len(value)), 2):
                yield [*value[:first], *value[first + 1 : second], *value[second + 1 :]]
    elif isinstance(value, dict):
        for name in sorted(value):
            yield {other: each for other, each in value.items() if other != name}


@define
class _Reducer:
    """The simplest interesting value so far, and the values already tried."""

    value: Json
    interesting: Callable[[Json], bool]
    budget: int
    fatal: type[Exception] | tuple[type[Exception], ...]
    tries: int
    _tried: set[bytes] = field(factory=set)

    def one_round(self) -> bool:
        """Try every step, continuing from each interesting value. Return whether there was one."""
        before = self.value
        for place in [place for place, _ in places(self.value)]:
            self._cut(place)
            self._settle(place, _shorter)
        for steps_anywhere in (spliced, simpler_names):
            while any(self._attempt(simpler) for simpler in steps_anywhere(self.value)):
                pass
        for place in [place for place, _ in places(self.value)]:
            self._settle(place, instead)
        return self.value is not before

    def _cut(self, place: Place) -> None:
        """Remove pieces of a list, from its end on, without a restart after each.

        The steps have the same effect, but try many more values.
        """
        items = self._at(place)
        if not isinstance(items, list):
            return
        for size in sizes(len(items)):
            start = (len(items) - 1) // size * size
            while start >= 0:
                rest = [*items[:start], *items[start + size :]]
                if len(rest) < len(items) and self._attempt(replaced(self.value, place, rest)):
                    items = rest
                start -= size

    def _settle(self, place: Place, simpler: Callable[[Json], Iterator[Json]]) -> None:
        """Take steps at one place until none is interesting, or the place no longer exists."""
        while any(
            self._attempt(replaced(self.value, place, each)) for each in simpler(self._at(place))
        ):
            pass

    def _at(self, place: Place) -> Json:
        """Return the value at a place, or null, which has no simpler value, if it is gone."""
        try:
            return at(self.value, place)
        except LookupError:
            return None

    def _attempt(self, candidate: Json) -> bool:
        """Continue from a candidate if it is new and interesting. Return whether it is."""
        name = hashlib.blake2b(canonical_json(candidate).encode(), digest_size=16).digest()
        if name in self._tried:
            return False
        if self.tries >= self.budget:
            raise _BudgetUsedError
        self._tried.add(name)
        self.tries += 1
        if not self.holds(candidate):
            return False
        self.value = candidate
        return True

    def holds(self, value: Json) -> bool:
        """Return whether a value is interesting."""
        try:
            return self.interesting(value)
        except self.fatal:
            raise
        except Exception:  # noqa: BLE001 - any exception means: not interesting
            return False


KIND_FIELDS: Final = frozenset({"event", "kind", "change", "inject"})
"""Fields of a history whose strings are keywords of the system, not names."""

SEED_FIELDS: Final = frozenset({"seed", "probe"})
"""Fields of a history that hold the seed of later random choices."""


def shape_of(history: JsonObject) -> str:
    """Return the shape of a history, in the form of `Histories.to_json`, as 8 hex digits.

    It is the digest of the history without its seeds, after each name and number is replaced by the
    order of its first occurrence: the first name becomes 0, the next different one 1. Numbers are
    counted separately. Kinds of events, true, false and null stay.
    """
    met: dict[type, dict[Json, int]] = defaultdict(dict)

    def place(field: str | None, leaf: Json) -> Json:
        if leaf is None or isinstance(leaf, bool) or field in KIND_FIELDS:
            return leaf
        numbered = met[type(leaf)]
        return numbered.setdefault(leaf, len(numbered))

    plain: JsonObject = {name: each for name, each in history.items() if name not in SEED_FIELDS}
    return digest_of({"shape": with_leaves(plain, place)})[:8]


def shrink_history(
    histories: Histories[T],
    history: T,
    interesting: Callable[[T], bool],
    *,
    budget: int = DEFAULT_BUDGET,
    fatal: type[Exception] | tuple[type[Exception], ...] = (),
) -> Reduction[T]:
    """Return a minimal history that is still interesting.

    A value counts as a history only if the system reads it and writes back the same value.
    fatal: as in `reduce_json`. Raises NotInterestingError if the given history is not interesting.
    """

    def interesting_json(value: Json) -> bool:
        if not isinstance(value, dict):
            return False
        candidate: Any = histories.from_json(value)
        return histories.to_json(candidate) == value and interesting(candidate)

    start = histories.to_json(history)
    reduction = reduce_json(start, interesting_json, budget=budget, fatal=fatal)
    assert isinstance(reduction.value, dict)
    return Reduction(histories.from_json(reduction.value), reduction.tries, reduction.minimal)
