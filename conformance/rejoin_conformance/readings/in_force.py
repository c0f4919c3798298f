"""The code in force while histories run: a reading or a rule file. Also, how two of them differ.

A choice point is a field of the system's readings, or a function that a rule file overrides. Two
sides differ in some choice points, and each of these can be switched alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FunctionType
from typing import Any, Final

from attrs import NOTHING, evolve, fields, frozen

from rejoin_conformance.contract.choices import NAME, choice_points
from rejoin_conformance.contract.system import System
from rejoin_conformance.kit.json_types import JsonObject
from rejoin_conformance.readings.expressions import UnknownReadingError, reading_of, spelled
from rejoin_conformance.readings.overriding import overriding
from rejoin_conformance.readings.readers import package_of, readers_of
from rejoin_conformance.readings.rule_file import InForce, Rule, RuleError, load_rule, read_rule

RULE_SUFFIX: Final = ".py"

A: Final = "a"
B: Final = "b"


@frozen
class Side:
    """A reading or a rule file, in a form that can be sent to other processes.

    name: the name or expression of the reading, or the name of the rule file.
    """

    name: str
    rule: Rule | None = None

    def to_json(self) -> JsonObject:
        """Return the side as data. A rule file includes its source."""
        return {"reading": self.name} if self.rule is None else {"rule": self.rule.source}


def is_rule_file(given: str) -> bool:
    """Return whether an argument of the command line names a rule file."""
    return given.endswith(RULE_SUFFIX)


def side_of(given: str, system: System) -> Side:
    """Return the side that an argument names: a rule file if it ends in `.py`, else a reading.

    Loads a rule file once to check it. Raises RuleError or UnknownReadingError; each message is one
    line.
    """
    if is_rule_file(given):
        rule = read_rule(Path(given))
        load_rule(rule, system)
        return Side(rule.name, rule)
    if given not in system.every_reading:
        if system.choices is None:
            known = ", ".join(system.every_reading)
            raise UnknownReadingError(f"there is no reading {given[:80]!r}; choose one of {known}")
        reading_of(system.choices, given)
    return Side(given)


def loaded(side: Side, system: System) -> InForce:
    """Return the reading of a side and the functions that it overrides."""
    if side.rule is not None:
        return load_rule(side.rule, system)
    if system.choices is None:
        raise RuleError(f"{system.name} has no choice points, so it has nothing to compare")
    return InForce(reading_of(system.choices, side.name), {})


@contextmanager
def in_force(said: InForce, system: System, *, compared: bool = False) -> Iterator[str]:
    """Put code in force in this process while the block runs. Yield the reading's name.

    compared: whether to compare each answer of an overridden function with the original's.
    """
    choices = system.choices
    assert choices is not None, "only a system with readings has sides"
    name = getattr(said.reading, NAME)
    overrides = overriding(said.overrides.values(), compared=compared)
    with choices.lending(name, said.reading), overrides:
        yield name


@contextmanager
def side_in_force(side: Side, system: System, *, compared: bool = False) -> Iterator[str]:
    """Put a side in force in this process while the block runs. Yield the reading's name.

    compared: as for `in_force`. Raises RuleError or UnknownReadingError; each message is one line.
    """
    with in_force(loaded(side, system), system, compared=compared) as name:
        yield name


@frozen
class Between:
    """Two sides and the choice points in which they differ, fields of the readings first."""

    a: InForce
    b: InForce
    points: tuple[str, ...]

    def switched(self, points: Iterable[str]) -> InForce:
        """Return side a with some choice points taken from side b."""
        taken = set(points)
        if not taken:
            return self.a
        in_fields = {
            point: getattr(self.b.reading, point)
            for point in choice_points(type(self.b.reading))
            if point in taken
        }
        name = "+".join([getattr(self.a.reading, NAME), *sorted(taken)])
        overrides = {
            target: each for target, each in self.a.overrides.items() if target not in taken
        }
        overrides |= {target: each for target, each in self.b.overrides.items() if target in taken}
        return InForce(evolve(self.a.reading, **{NAME: name}, **in_fields), overrides)

    def variants(self) -> dict[str, InForce]:
        """Return the variants to run: `a`, `b`, and a with each choice point alone from b.

        If there is only one choice point, this last variant equals b and is omitted.
        """
        alone = self.points if len(self.points) > 1 else ()
        return {A: self.a, B: self.b, **{point: self.switched([point]) for point in alone}}

    def only(self, point: str) -> Between:
        """Return the difference in one choice point alone."""
        return Between(self.a, self.switched([point]), (point,))

    def values(self, point: str, system: System) -> tuple[str, str]:
        """Return the value of a choice point on both sides as text."""
        choices = system.choices
        assert choices is not None
        if point in choice_points(type(self.a.reading)):
            return (
                spelled(choices, point, getattr(self.a.reading, point)),
                spelled(choices, point, getattr(self.b.reading, point)),
            )
        return (
            "overridden" if point in self.a.overrides else "as it is",
            "overridden" if point in self.b.overrides else "as it is",
        )


def changed_functions(a: Side, b: Side, system: System) -> tuple[FunctionType, ...]:
    """Return the functions of the reference whose answers can differ between two sides.

    They are the overridden functions, and those that read a choice point that differs.
    """
    sides, package = between(a, b, system), package_of(system.name)
    found: list[FunctionType] = []
    for point in sides.points:
        override = sides.b.overrides.get(point) or sides.a.overrides.get(point)
        found += readers_of(point, package) if override is None else override.targets
    return tuple(dict.fromkeys(found))


def between(a: Side, b: Side, system: System) -> Between:
    """Return the difference of two sides. Raises RuleError if they cannot be compared."""
    left, right = _alike(loaded(a, system), loaded(b, system))
    in_fields = tuple(
        point
        for point in choice_points(type(left.reading))
        if getattr(left.reading, point) != getattr(right.reading, point)
    )
    names = sorted({*left.overrides, *right.overrides})
    overridden = tuple(
        name for name in names if left.overrides.get(name) is not right.overrides.get(name)
    )
    return Between(left, right, in_fields + overridden)


def _alike(left: InForce, right: InForce) -> tuple[InForce, InForce]:
    """Return both sides with readings of one class. A rule's class can add choice points."""
    ours, theirs = type(left.reading), type(right.reading)
    if ours is theirs:
        return left, right
    if issubclass(theirs, ours):
        return evolve(left, reading=_lifted(left.reading, theirs)), right
    if issubclass(ours, theirs):
        return left, evolve(right, reading=_lifted(right.reading, ours))
    raise RuleError(
        f"cannot compare readings of {ours.__name__} and {theirs.__name__}: neither class extends "
        "the other"
    )


def _lifted(reading: Any, kind: type[Any]) -> Any:
    """Return the reading in a class with more choice points, each with its default."""
    known = {each.name for each in fields(type(reading))}
    missing = [
        each.name for each in fields(kind) if each.name not in known and each.default is NOTHING
    ]
    if missing:
        raise RuleError(
            f"{kind.__name__}.{missing[0]} has no default; add the value that was in force before"
        )
    return kind(**{name: getattr(reading, name) for name in known})
