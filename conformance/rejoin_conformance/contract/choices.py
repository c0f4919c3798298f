"""Readings by name: a system's own, and those that an expression makes of them.

A reading is a frozen attrs value with a field for each choice point and a `name`. An expression
names one: `document` is the reading of that name, and `document+replay_cutoff=false` is the same
with one choice point switched. Any number may be switched; whatever else takes the name of a
reading takes an expression.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, Final, Generic, Literal, TypeVar, get_args, get_origin, get_type_hints

from attrs import evolve, field, fields, frozen

from rejoin.errors import RejoinError

R = TypeVar("R")
X = TypeVar("X")
Y = TypeVar("Y")

NAME: Final = "name"
"""The one field of a reading that is no choice point."""


class UnknownReadingError(RejoinError):
    """A name or an expression that names no reading; the code is "unknown-reading"."""

    def __init__(self, message: str) -> None:
        super().__init__("unknown-reading", message)

    def __str__(self) -> str:
        return self.message


@frozen
class Readings(Generic[R]):
    """The readings of one system.

    named: name -> reading, the default first.
    values: choice point -> (how a value is spelled -> the value), where the field's type does not
        say so itself, as `bool` and `Literal` do.
    lent: readings that are known for a while only; see `lending`.
    """

    named: Mapping[str, R]
    values: Mapping[str, Mapping[str, Any]] = field(factory=dict)
    lent: dict[str, R] = field(factory=dict, init=False, repr=False, eq=False)

    @property
    def kind(self) -> type[R]:
        """The class of the system's readings."""
        return type(next(iter(self.named.values())))

    def of(self, expression: str) -> R:
        """The reading that an expression names.

        Raises UnknownReadingError, with one line on what there is instead.
        """
        known = self.lent.get(expression) or self.named.get(expression)
        if known is not None:
            return known
        base, *switches = expression.split("+")
        reading = self.lent.get(base) or self.named.get(base)
        if reading is None:
            raise UnknownReadingError(
                f"there is no reading {base[:80]!r}; there are {', '.join(self.named)}"
            )
        changes = dict(self._switch(switch) for switch in switches)
        changed: R = evolve(reading, name=expression, **changes)  # type: ignore[misc]
        return changed

    def _switch(self, switch: str) -> tuple[str, Any]:
        point, given, value = switch.partition("=")
        points = choice_points(self.kind)
        if point not in points:
            raise UnknownReadingError(
                f"there is no choice point {point[:80]!r}; there are {', '.join(points)}"
            )
        spelled = self.spellings(point)
        if not given or value not in spelled:
            raise UnknownReadingError(
                f"{point} is switched by {point}=VALUE, with VALUE one of {', '.join(spelled)}"
            )
        return point, spelled[value]

    def spellings(self, point: str) -> Mapping[str, Any]:
        """How the values of a choice point are spelled -> the values."""
        if point in self.values:
            return self.values[point]
        hint = get_type_hints(self.kind)[point]
        if hint is bool:
            return {"true": True, "false": False}
        if get_origin(hint) is Literal:
            return {str(value): value for value in get_args(hint)}
        return {}

    def spelled(self, point: str, value: object) -> str:
        """A value of a choice point as an expression spells it; else as Python shows it."""
        if isinstance(value, bool):
            return str(value).lower()
        named = self.values.get(point, {}).items()
        text = next((spelling for spelling, each in named if each is value), None)
        return text or str(getattr(value, "__name__", value))

    def under(self, function: Callable[[X, R], Y]) -> Callable[[X, str], Y]:
        """The same function, which takes the name or the expression of a reading."""
        return lambda value, expression: function(value, self.of(expression))

    @contextmanager
    def lending(self, name: str, reading: R) -> Iterator[str]:
        """While the block runs, the name means this reading."""
        before = self.lent.get(name)
        self.lent[name] = reading
        try:
            yield name
        finally:
            del self.lent[name]
            if before is not None:
                self.lent[name] = before


def choice_points(kind: type[Any]) -> tuple[str, ...]:
    """The choice points of a class of readings, in the order of its fields."""
    return tuple(each.name for each in fields(kind) if each.name != NAME)
