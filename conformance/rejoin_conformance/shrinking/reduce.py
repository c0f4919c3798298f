"""Reduce a JSON value while it stays interesting: greedy, deterministic, down to a minimal one."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from itertools import combinations
from typing import Final

from attrs import define, field, frozen

from rejoin_conformance.kit.json_types import Json, canonical_json
from rejoin_conformance.shrinking.places import Place, at, places, replaced
from rejoin_conformance.shrinking.simpler import (
    chunks,
    instead,
    simpler_names,
    sizes,
)

DEFAULT_BUDGET: Final = 20_000
"""How many values are tried at most. A number and not a time, so that the result is one."""

PAIRED: Final = 32
"""Of lists of at most so many items, any two items are left out together."""


@frozen
class Reduction:
    """What a reduction came to.

    tries: how many values were looked at. minimal: whether nothing that is one step simpler
    (`steps`) is interesting; False where the budget was used up before that was known.
    """

    value: Json
    tries: int
    minimal: bool


class NotInterestingError(ValueError):
    """The value that was to be reduced is not interesting itself."""


class _BudgetUsedError(Exception):
    """No more tries are left."""


def reduce_json(
    value: Json,
    interesting: Callable[[Json], bool],
    *,
    budget: int = DEFAULT_BUDGET,
    fatal: type[Exception] | tuple[type[Exception], ...] = (),
) -> Reduction:
    """Make a value simpler, step by step, as long as it stays interesting.

    interesting: a pure function. A value for which it raises an exception is not interesting, for
    most of what a reduction tries breaks some rule; one of the `fatal` ones ends the reduction.
    Raises NotInterestingError where the value is
    not interesting as it is.
    """
    reducer = _Reducer(value, interesting, budget, fatal, tries=1)
    if not reducer.holds(value):
        raise NotInterestingError("the value that is to be reduced is not interesting itself")
    try:
        while reducer.one_round():
            pass
    except _BudgetUsedError:
        return Reduction(reducer.value, reducer.tries, minimal=False)
    return Reduction(reducer.value, reducer.tries, minimal=True)


def steps(value: Json) -> Iterator[Json]:
    """Every value that is one step simpler: what a minimal value has nothing interesting among.

    A step leaves out some neighbouring items of a list, any two of its items where there are few,
    or one field; puts something simpler instead of one value; or changes names wherever they stand.
    """
    for place, each in places(value):
        for shorter in _shorter(each):
            yield replaced(value, place, shorter)
    yield from simpler_names(value)
    for place, each in places(value):
        for simpler in instead(each):
            yield replaced(value, place, simpler)


def _shorter(value: Json) -> Iterator[Json]:
    """The steps that leave something out of one list or object."""
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
    """The simplest interesting value so far, and what has been tried."""

    value: Json
    interesting: Callable[[Json], bool]
    budget: int
    fatal: type[Exception] | tuple[type[Exception], ...]
    tries: int
    _tried: set[bytes] = field(factory=set)

    def one_round(self) -> bool:
        """Try every step, going on from each that is interesting; whether any was."""
        before = self.value
        for place in [place for place, _ in places(self.value)]:
            self._cut(place)
            self._settle(place, _shorter)
        while any(self._attempt(simpler) for simpler in simpler_names(self.value)):
            pass
        for place in [place for place, _ in places(self.value)]:
            self._settle(place, instead)
        return self.value is not before

    def _cut(self, place: Place) -> None:
        """Leave out pieces of a list, from its end on, without beginning anew after each.

        The steps would do the same, one after the other, and look at far more.
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
        """Take steps at one place until none of them is interesting, or the place is gone."""
        while any(
            self._attempt(replaced(self.value, place, each)) for each in simpler(self._at(place))
        ):
            pass

    def _at(self, place: Place) -> Json:
        """What stands at a place; null, which nothing is simpler than, where it is gone."""
        try:
            return at(self.value, place)
        except LookupError:
            return None

    def _attempt(self, candidate: Json) -> bool:
        """Go on from a candidate if it is interesting; one that was tried before is not."""
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
        """Whether a value is interesting."""
        try:
            return self.interesting(value)
        except self.fatal:
            raise
        except Exception:  # noqa: BLE001 - what it raises is its way of saying no
            return False
