"""Reduce a JSON value while it stays interesting: greedy, deterministic, down to a minimal one."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from typing import Final

from attrs import define, field, frozen

from rejoin_conformance.json_types import Json, canonical_json
from rejoin_conformance.shrinking.places import Place, at, places, replaced
from rejoin_conformance.shrinking.simpler import (
    chunks,
    instead,
    simpler_names,
    sizes,
)

DEFAULT_BUDGET: Final = 20_000
"""How many values are tried at most. A number and not a time, so that the result is one."""


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
    value: Json, interesting: Callable[[Json], bool], *, budget: int = DEFAULT_BUDGET
) -> Reduction:
    """Make a value simpler, step by step, as long as it stays interesting.

    interesting: a pure function. A value for which it raises an exception is not interesting, for
    most of what a reduction tries breaks some rule. Raises NotInterestingError where the value is
    not interesting as it is.
    """
    if not _holds(interesting, value):
        raise NotInterestingError("the value that is to be reduced is not interesting itself")
    reducer = _Reducer(value, interesting, budget, tries=1)
    try:
        while reducer.one_round():
            pass
    except _BudgetUsedError:
        return Reduction(reducer.value, reducer.tries, minimal=False)
    return Reduction(reducer.value, reducer.tries, minimal=True)


def steps(value: Json) -> Iterator[Json]:
    """Every value that is one step simpler: what a minimal value has nothing interesting among.

    A step leaves out some neighbouring items of a list or one field, puts something simpler
    instead of one value, or changes one name wherever it stands.
    """
    for place, each in places(value):
        for simpler in _steps_inside(each):
            yield replaced(value, place, simpler)
    yield from simpler_names(value)


def _steps_inside(value: Json) -> Iterator[Json]:
    """The steps that change one value itself and none inside it."""
    if isinstance(value, list):
        for start, end in chunks(len(value)):
            yield [*value[:start], *value[end:]]
    elif isinstance(value, dict):
        for name in sorted(value):
            yield {other: each for other, each in value.items() if other != name}
    yield from instead(value)


@define
class _Reducer:
    """The simplest interesting value so far, and what has been tried."""

    value: Json
    interesting: Callable[[Json], bool]
    budget: int
    tries: int
    _tried: set[bytes] = field(factory=set)

    def one_round(self) -> bool:
        """Try every step once, going on from each that is interesting; whether any was."""
        before = self.value
        for place in [place for place, _ in places(self.value)]:
            self._settle(place)
        while any(self._attempt(simpler) for simpler in simpler_names(self.value)):
            pass
        return self.value is not before

    def _settle(self, place: Place) -> None:
        """Take steps at one place until none of them is interesting, or the place is gone."""
        try:
            here = at(self.value, place)
        except LookupError:
            return
        if isinstance(here, list):
            self._shorten(place, here)
        elif isinstance(here, dict):
            for name in sorted(here):
                rest = {other: each for other, each in here.items() if other != name}
                if self._attempt(replaced(self.value, place, rest)):
                    here = rest
        while any(
            self._attempt(replaced(self.value, place, simpler))
            for simpler in instead(at(self.value, place))
        ):
            pass

    def _shorten(self, place: Place, items: list[Json]) -> None:
        """Leave out pieces of a list, from its end on, without beginning anew after each."""
        for size in sizes(len(items)):
            start = (len(items) - 1) // size * size
            while start >= 0:
                rest = [*items[:start], *items[start + size :]]
                if len(rest) < len(items) and self._attempt(replaced(self.value, place, rest)):
                    items = rest
                start -= size

    def _attempt(self, candidate: Json) -> bool:
        """Go on from a candidate if it is interesting; one that was tried before is not."""
        name = hashlib.blake2b(canonical_json(candidate).encode(), digest_size=16).digest()
        if name in self._tried:
            return False
        if self.tries >= self.budget:
            raise _BudgetUsedError
        self._tried.add(name)
        self.tries += 1
        if not _holds(self.interesting, candidate):
            return False
        self.value = candidate
        return True


def _holds(interesting: Callable[[Json], bool], value: Json) -> bool:
    try:
        return interesting(value)
    except Exception:  # noqa: BLE001 - what it raises is its way of saying no
        return False
