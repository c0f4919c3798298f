"""The named readings of a system, and the choice points in which they differ.

A reading is a frozen attrs value with a `name` and a field for each choice point. Its other fields,
such as a recorder of steps, take no part in equality.
`readings/expressions.py` finds the reading that a name or an expression means.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any, Final, Generic, TypeVar

from attrs import evolve, field, fields, frozen

R = TypeVar("R")

NAME: Final = "name"
"""The field of a reading that names it; it is not a choice point."""

RECORDER: Final = "steps"
"""The field of a reading with a recorder of steps, or None; it is not a choice point."""

_HOLDERS: Final = ("reading", "design")
"""The fields in which other values hold a reading, or a value that holds one."""


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
    return tuple(each.name for each in fields(kind) if each.name != NAME and each.eq)


def unrecorded(value: Any) -> Any:
    """Return a reading without its recorder, and any other value as it is.

    A design and a folder hold their reading, so they are returned with the reading without it.
    """
    if hasattr(value, NAME) and getattr(value, RECORDER, None) is not None:
        return evolve(value, **{RECORDER: None})
    for holder in _HOLDERS:
        held = getattr(value, holder, None)
        without = held if held is None else unrecorded(held)
        if without is not held:
            return evolve(value, **{holder: without})
    return value
