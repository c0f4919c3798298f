"""Find the reading that a name or an expression means.

`document` is the reading of that name, and `document+replay_cutoff=false` is the same reading with
one choice point switched. An expression can switch any number of choice points. Every parameter
that takes the name of a reading also takes an expression.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Literal, TypeVar, get_args, get_origin, get_type_hints, overload

from attrs import evolve

from rejoin.errors import RejoinError
from rejoin_conformance.contract.choices import Readings, choice_points
from rejoin_conformance.kit.text import did_you_mean

R = TypeVar("R")
X = TypeVar("X")
Y = TypeVar("Y")
Z = TypeVar("Z")


class UnknownReadingError(RejoinError):
    """A name or an expression without a reading. The code is "unknown-reading"."""

    def __init__(self, message: str) -> None:
        super().__init__("unknown-reading", message)

    def __str__(self) -> str:
        return self.message


def reading_of(readings: Readings[R], expression: str) -> R:
    """Return the reading that a name or an expression means.

    Raises UnknownReadingError. Its message lists the possible names or values.
    """
    known = readings.lent.get(expression) or readings.named.get(expression)
    if known is not None:
        return known
    base, *switches = expression.split("+")
    reading = readings.lent.get(base) or readings.named.get(base)
    if reading is None:
        raise UnknownReadingError(
            f"there is no reading {base[:80]!r}; choose one of {', '.join(readings.named)}"
            f"{did_you_mean(base, readings.named)}"
        )
    changes = dict(_switch(readings, switch) for switch in switches)
    changed: R = evolve(reading, name=expression, **changes)  # type: ignore[misc]  # every reading is an attrs class
    return changed


@overload
def under(readings: Readings[R], function: Callable[[R], Y]) -> Callable[[str], Y]: ...
@overload
def under(readings: Readings[R], function: Callable[[X, R], Y]) -> Callable[[X, str], Y]: ...
@overload
def under(readings: Readings[R], function: Callable[[X, Z, R], Y]) -> Callable[[X, Z, str], Y]: ...
def under(readings: Readings[Any], function: Callable[..., Y]) -> Callable[..., Y]:
    """Return the same function for the name or expression of a reading, its last argument."""
    return lambda *given: function(*given[:-1], reading_of(readings, given[-1]))


def spellings(readings: Readings[Any], point: str) -> Mapping[str, Any]:
    """Return the values of a choice point: spelling -> value."""
    if point in readings.values:
        return readings.values[point]
    hint = get_type_hints(readings.kind)[point]
    if hint is bool:
        return {"true": True, "false": False}
    if get_origin(hint) is Literal:
        return {str(value): value for value in get_args(hint)}
    return {}


def spelled(readings: Readings[Any], point: str, value: object) -> str:
    """Return a value of a choice point as an expression spells it, or else its Python text."""
    if isinstance(value, bool):
        return str(value).lower()
    named = readings.values.get(point, {}).items()
    text = next((spelling for spelling, each in named if each is value), None)
    return text or str(getattr(value, "__name__", value))


def _switch(readings: Readings[Any], switch: str) -> tuple[str, Any]:
    point, given, value = switch.partition("=")
    points = choice_points(readings.kind)
    if point not in points:
        raise UnknownReadingError(
            f"there is no choice point {point[:80]!r}; choose one of {', '.join(points)}"
            f"{did_you_mean(point, points)}"
        )
    values = spellings(readings, point)
    if not given or value not in values:
        raise UnknownReadingError(
            f"write {point}=VALUE to switch {point}; VALUE is one of {', '.join(values)}"
        )
    return point, values[value]
