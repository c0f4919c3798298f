"""The code in force while histories run: a reading or a rule file. Also, how two of them differ.

A choice point is a field of the system's readings, or a function that a rule file overrides. Two
sides differ in some choice points, and each of these can be switched alone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import lru_cache
from itertools import chain
from pathlib import Path
from types import FunctionType
from typing import Any, Final

from attrs import NOTHING, evolve, fields, frozen

from rejoin_conformance.contract.choices import NAME, choice_points
from rejoin_conformance.contract.registry import standing_in, system_named
from rejoin_conformance.contract.system import System
from rejoin_conformance.kit.json_types import JsonObject
from rejoin_conformance.readings.expressions import UnknownReadingError, reading_of, spelled
from rejoin_conformance.readings.overriding import (
    OverriddenConstant,
    OverriddenFunction,
    Tried,
    counting,
)
from rejoin_conformance.readings.readers import package_of, readers_of
from rejoin_conformance.readings.rule_file import (
    InForce,
    Rule,
    RuleError,
    load_rule,
    read_rule,
    reading_said,
    run_rule,
)
from rejoin_conformance.readings.targets import Target
from rejoin_conformance.readings.watching import Watch
from rejoin_conformance.readings.worlds import Change, World, outside, world_of

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


@frozen
class Variant:
    """The code of side a, with some choice points taken from side b.

    watched: choice points of the reading whose reads are counted, and compared with side b's value.
    """

    a: Side
    b: Side | None = None
    taken: frozenset[str] = frozenset()
    watched: tuple[str, ...] = ()

    def overrides(self, system: System) -> dict[str, tuple[Rule, Target]]:
        """Return dotted name -> the rule file that overrides it, and what it overrides."""
        found = {name: each for name, each in _of(self.a, system).items() if name not in self.taken}
        there = {} if self.b is None else _of(self.b, system)
        return found | {name: each for name, each in there.items() if name in self.taken}

    def readings(self, load: Callable[[Side], InForce]) -> tuple[Any, Any]:
        """Return the reading of this variant, and side b's. load: what a side changes."""
        if self.b is None:
            reading = load(self.a).reading
            return reading, reading
        ours, theirs = _alike(load(self.a), load(self.b))
        taken = [each for each in choice_points(type(theirs.reading)) if each in self.taken]
        name = "+".join([getattr(ours.reading, NAME), *sorted(self.taken)])
        values = {point: getattr(theirs.reading, point) for point in taken}
        return evolve(ours.reading, **{NAME: name}, **values), theirs.reading


@contextmanager
def in_force(
    variant: Variant, system: System, *, compared: bool = False
) -> Iterator[tuple[str, System]]:
    """Put code in force in this process while the block runs.

    Yields the reading's name, and the system as it is now: only its operations and histories have
    the change. compared: whether to compare each answer of an overridden function with the
    original's.
    """
    if variant == Variant(variant.a) and variant.a.rule is None:
        yield variant.a.name, system
        return
    made = _made(variant, system.name, compared)
    made.world.forget_cached()
    changed = made.world.system
    with counting(made.counts), standing_in(changed), made.world.current():
        yield made.reading, changed


@contextmanager
def side_in_force(
    side: Side, system: System, *, compared: bool = False
) -> Iterator[tuple[str, System]]:
    """Put a side in force, as `in_force` does. Raises RuleError or UnknownReadingError."""
    loaded(side, system)
    with in_force(Variant(side), system, compared=compared) as changed:
        yield changed


def now(system: System, history: Any) -> tuple[System, Any]:
    """Return a system as it is now, and a history of the system as one of the system now."""
    changed = system_named(system.name)
    if changed is system:
        return system, history
    with outside():
        said = system.histories.to_json(history)
    return changed, changed.histories.from_json(said)


@frozen
class _Made:
    """A world in which a variant is in force. counts: name -> its calls."""

    world: World
    reading: str
    counts: dict[str, Tried]


@lru_cache(maxsize=32)
def _made(variant: Variant, name: str, compared: bool) -> _Made:  # noqa: FBT001 - a part of the key
    counts = {each: Tried() for each in (*variant.overrides(system_named(name)), *variant.watched)}
    made: list[str] = []

    def again(more: Sequence[Change]) -> World:
        return _world(variant, name, (compared, counts, made), more, again)

    return _Made(again(()), made[0], counts)


def _world(
    variant: Variant,
    name: str,
    how: tuple[bool, dict[str, Tried], list[str]],
    more: Sequence[Change],
    again: Callable[[Sequence[Change]], World],
) -> World:
    """Import the world of a variant, and run its rule files there.

    how: whether to compare answers, the counts, and where to add the name of the reading.
    """
    compared, counts, made = how
    package = package_of(name)
    functions: dict[str, OverriddenFunction] = {}
    constants: dict[str, OverriddenConstant] = {}
    rules: dict[str, Rule] = {}
    for each, (rule, target) in variant.overrides(system_named(name)).items():
        rules[each] = rule
        if target.value is None:
            functions[each] = OverriddenFunction(target.defined_as, compared, counts[each])
        else:
            constants[each] = OverriddenConstant(target, compared, counts[each])
    watch = Watch({point: counts[point] for point in variant.watched})
    changes = [
        *chain.from_iterable(each.changes() for each in functions.values()),
        *chain.from_iterable(each.changes() for each in constants.values()),
        *watch.changes(package),
    ]
    world = world_of(name, [*changes, *more])
    world.again = again
    with world.current():
        ran = {rule: run_rule(rule) for rule in _rules(variant)}
    stand_ins = {id(one.stand_in): one.original for one in functions.values()}
    for own in ran.values():  # a name that a rule file imported means the original
        own.update({each: stand_ins.get(id(value), value) for each, value in own.items()})
    for each, function in functions.items():
        own = ran[rules[each]]
        function.put(own["OVERRIDES"][each], own, stand_ins)
    for each, constant in constants.items():
        constant.put(ran[rules[each]]["OVERRIDES"][each], world)
    choices = world.system.choices
    assert choices is not None

    def load(side: Side) -> InForce:
        if side.rule is None:
            return InForce(reading_of(choices, side.name), {})
        return InForce(reading_said(side.rule, world.system, ran[side.rule]), {})

    reading, theirs = variant.readings(load)
    watch.others = {point: getattr(theirs, point) for point in variant.watched}
    named = getattr(reading, NAME)
    choices.lent[named] = watch.watched(reading) if variant.watched else reading
    made.append(named)
    return world


def _rules(variant: Variant) -> list[Rule]:
    sides = [variant.a] if variant.b is None else [variant.a, variant.b]
    return [each.rule for each in sides if each.rule is not None]


def _of(side: Side, system: System) -> dict[str, tuple[Rule, Target]]:
    if side.rule is None:
        return {}
    return {name: (side.rule, each) for name, each in loaded(side, system).overrides.items()}


@frozen
class Between:
    """Two sides and the choice points in which they differ, fields of the readings first.

    left, right: what the sides change, with readings of one class. all: whether these are all
    choice points in which the sides differ.
    """

    one: Side
    other: Side
    left: InForce
    right: InForce
    points: tuple[str, ...]
    all: bool = True

    @property
    def a(self) -> Variant:
        """Return side a alone."""
        return Variant(self.one)

    @property
    def b(self) -> Variant:
        """Return side b: side a with all of these choice points from the other side."""
        return Variant(self.other) if self.all else self.switched(self.points)

    def switched(self, points: Iterable[str]) -> Variant:
        """Return side a with some choice points taken from side b."""
        taken = frozenset(points)
        return Variant(self.one, self.other, taken) if taken else self.a

    def variants(self) -> dict[str, Variant]:
        """Return the variants to run: `a`, `b`, and a with each choice point alone from b.

        If there is only one choice point, this last variant equals b and is omitted.
        """
        alone = self.points if len(self.points) > 1 else ()
        return {A: self.a, B: self.b, **{point: self.switched([point]) for point in alone}}

    def counted(self, name: str) -> tuple[str, ...]:
        """Return the choice points that the variant of this name counts.

        Each choice point is counted in one variant: a field, and a function that only side a
        overrides, in `a`; another overridden function in the variant that overrides it alone.
        """
        if name == A:
            return tuple(point for point in self.points if point not in self.right.overrides)
        alone = self.points if len(self.points) == 1 else (name,)
        return tuple(point for point in alone if point in self.right.overrides)

    def measured(self, name: str) -> tuple[Variant, bool]:
        """Return the variant of this name, and whether to compare answers, to count in it."""
        variant, counted = self.variants()[name], self.counted(name)
        fields = [each for each in counted if each not in self.overridden]
        if fields:
            variant = Variant(self.one, self.other, watched=tuple(fields))
        return variant, len(counted) > len(fields)

    @property
    def overridden(self) -> frozenset[str]:
        """Return the functions and constants that a side overrides."""
        return frozenset({*self.left.overrides, *self.right.overrides})

    def only(self, point: str) -> Between:
        """Return the difference in one choice point alone."""
        return evolve(self, points=(point,), all=False)

    def values(self, point: str, system: System) -> tuple[str, str]:
        """Return the value of a choice point on both sides as text."""
        choices = system.choices
        assert choices is not None
        if point in self.overridden:
            return (
                "overridden" if point in self.left.overrides else "as it is",
                "overridden" if point in self.right.overrides else "as it is",
            )
        return (
            spelled(choices, point, getattr(self.left.reading, point)),
            spelled(choices, point, getattr(self.right.reading, point)),
        )


def changed_functions(a: Side, b: Side, system: System) -> tuple[FunctionType, ...]:
    """Return the functions of the reference whose answers can differ between two sides.

    They are the overridden functions, and those that read a choice point that differs.
    """
    sides, package = between(a, b, system), package_of(system.name)
    found: list[FunctionType] = []
    for point in sides.points:
        target = sides.right.overrides.get(point) or sides.left.overrides.get(point)
        found += readers_of(point, package) if target is None else target.targets
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
    both = left.overrides.keys() & right.overrides.keys() if a.rule == b.rule else ()
    overridden = tuple(name for name in names if name not in both)
    return Between(a, b, left, right, in_fields + overridden)


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
