"""The named readings of a system, and the choice points in which they differ.

A reading is a frozen attrs value with a `name` and a field for each choice point.
`readings/expressions.py` finds the reading that a name or an expression means.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, Generic, TypeVar

from attrs import field, fields, frozen

R = TypeVar("R")

NAME: Final = "name"
"""The field of a reading that names it; it is not a choice point."""


@frozen
class Readings(Generic[R]):
    """The readings of one system.

    named: name -> reading, the default first.
    values: choice point -> (spelling of a value -> the value), for fields whose type is neither
        `bool` nor a `Literal`.
    lent: the readings of rule files, in a world.
    """

    named: Mapping[str, R]
    values: Mapping[str, Mapping[str, Any]] = field(factory=dict)
    lent: dict[str, R] = field(factory=dict, init=False, repr=False, eq=False)

    @property
    def kind(self) -> type[R]:
        """Return the class of the system's readings."""
        return type(next(iter(self.named.values())))


def choice_points(kind: type[Any]) -> tuple[str, ...]:
    """Return the choice points of a class of readings, in the order of its fields."""
    return tuple(each.name for each in fields(kind) if each.name != NAME and each.eq)
