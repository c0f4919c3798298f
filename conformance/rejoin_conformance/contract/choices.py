"""Readings by name: a system's named readings, and expressions that switch their choice points.

A reading is a frozen attrs value with a field for each choice point and a `name`. An expression
names a reading: `document` is the reading of that name, and `document+replay_cutoff=false` is the
same reading with one choice point switched. An expression can switch any number of choice points.
Every parameter that takes the name of a reading also takes an expression.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import (
    Any,
    Final,
    Generic,
    Literal,
    TypeVar,
    get_args,
    get_origin,
    get_type_hints,
    overload,
)

from attrs import evolve, field, fields, frozen

from rejoin.errors import RejoinError

R = TypeVar("R")
X = TypeVar("X")
Y = TypeVar("Y")
Z = TypeVar("Z")

NAME: Final = "name"
"""The one field of a reading that is not a choice point."""


class UnknownReadingError(RejoinError):
    """A name or an expression without a reading. The code is "unknown-reading"."""

    def __init__(self, message: str) -> None:
        super().__init__("unknown-reading", message)

    def __str__(self) -> str:
        return self.message


@frozen
class Readings(Generic[R]):
    """The readings of one system.

    named: name -> reading, the default first.
    values: choice point -> (spelling of a value -> the value), for fields whose type is neither
        `bool` nor a `Literal`.
    lent: readings that are known only for a while; see `lending`.
    """

    named: Mapping[str, R]
    values: Mapping[str, Mapping[str, Any]] = field(factory=dict)
    lent: dict[str, R] = field(factory=dict, init=False, repr=False, eq=False)

    @property
    def kind(self) -> type[R]:
        """Return the class of the system's readings."""
        return type(next(iter(self.named.values())))

    def of(self, expression: str) -> R:
        """Return the reading that an expression names.

        Raises UnknownReadingError. Its message lists the possible names or values.
        """
        known = self.lent.get(expression) or self.named.get(expression)
        if known is not None:
            return known
        base, *switches = expression.split("+")
        reading = self.lent.get(base) or self.named.get(base)
        if reading is None:
            raise UnknownReadingError(
                f"there is no reading {base[:80]!r}; choose one of {', '.join(self.named)}"
            )
        changes = dict(self._switch(switch) for switch in switches)
        changed: R = evolve(reading, name=expression, **changes)  # type: ignore[misc]
        return changed

    def _switch(self, switch: str) -> tuple[str, Any]:
        point, given, value = switch.partition("=")
        points = choice_points(self.kind)
        if point not in points:
            raise UnknownReadingError(
                f"there is no choice point {point[:80]!r}; choose one of {', '.join(points)}"
            )
        spelled = self.spellings(point)
        if not given or value not in spelled:
            raise UnknownReadingError(
                f"write {point}=VALUE to switch {point}; VALUE is one of {', '.join(spelled)}"
            )
        return point, spelled[value]

    def spellings(self, point: str) -> Mapping[str, Any]:
        """Return the values of a choice point: spelling -> value."""
        if point in self.values:
            return self.values[point]
        hint = get_type_hints(self.kind)[point]
        if hint is bool:
            return {"true": True, "false": False}
        if get_origin(hint) is Literal:
            return {str(value): value for value in get_args(hint)}
        return {}

    def spelled(self, point: str, value: object) -> str:
        """Return a value of a choice point as an expression spells it, or else its Python text."""
        if isinstance(value, bool):
            return str(value).lower()
        named = self.values.get(point, {}).items()
        text = next((spelling for spelling, each in named if each is value), None)
        return text or str(getattr(value, "__name__", value))

    @overload
    def under(self, function: Callable[[R], Y]) -> Callable[[str], Y]: ...
    @overload
    def under(self, function: Callable[[X, R], Y]) -> Callable[[X, str], Y]: ...
    @overload
    def under(self, function: Callable[[X, Z, R], Y]) -> Callable[[X, Z, str], Y]: ...
    def under(self, function: Callable[..., Y]) -> Callable[..., Y]:
        """Return the same function for the name or expression of a reading, its last argument."""
        return lambda *given: function(*given[:-1], self.of(given[-1]))

    @contextmanager
    def lending(self, name: str, reading: R) -> Iterator[str]:
        """Give a reading a name while the block runs."""
        before = self.lent.get(name)
        self.lent[name] = reading
        try:
            yield name
        finally:
            del self.lent[name]
            if before is not None:
                self.lent[name] = before


def choice_points(kind: type[Any]) -> tuple[str, ...]:
    """Return the choice points of a class of readings, in the order of its fields."""
    return tuple(each.name for each in fields(kind) if each.name != NAME)
