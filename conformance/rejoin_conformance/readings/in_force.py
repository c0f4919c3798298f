"""The code in force while histories run: a reading or a rule file. Also, how two of them differ.

A choice point is a field of the system's readings, or a function or constant that a rule file
overrides. Two sides differ in some choice points, and each of these can be switched alone.
"""

from __future__ import annotations

import shlex
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import lru_cache
from pathlib import Path
from typing import Any, Final

from attrs import NOTHING, evolve, field, fields, frozen

from rejoin_conformance.contract.choices import NAME, choice_points
from rejoin_conformance.contract.registry import standing_in, system_named
from rejoin_conformance.contract.system import System
from rejoin_conformance.kit.json_types import JsonObject
from rejoin_conformance.readings.expressions import UnknownReadingError, reading_of, spelled
from rejoin_conformance.readings.points import (
    OverriddenConstant,
    OverriddenFunction,
    Point,
    counted,
    watched,
)
from rejoin_conformance.readings.reach import Called, counting
from rejoin_conformance.readings.rule_file import (
    InForce,
    Rule,
    RuleError,
    RuleFaultError,
    load_rule,
    read_rule,
    reading_said,
    run_rule,
)
from rejoin_conformance.readings.targets import package_of, readers_of
from rejoin_conformance.readings.worlds import Change, World, defined, outside, world_of

RULE_SUFFIX: Final = ".py"

A: Final = "a"
B: Final = "b"


@frozen
class Side:
    """A reading or a rule file, in a form that can be sent to other processes.

    name: the name or expression of the reading, or the name of the rule file. path: how the
    command line named the rule file.
    """

    name: str
    rule: Rule | None = None
    path: str = field(default="", eq=False)

    @property
    def argument(self) -> str:
        """Return the side as an argument of a command."""
        return shlex.quote(self.path or self.name)

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
        return Side(rule.name, rule, given)
    if given not in system.every_reading:
        if system.choices is None:
            known = ", ".join(system.every_reading)
            raise UnknownReadingError(f"there is no reading {given[:80]!r}; choose one of {known}")
        reading_of(system.choices, given)
    return Side(given)


def loaded(side: Side, system: System) -> InForce:
    """Return the reading of a side and what it overrides."""
    if side.rule is not None:
        return load_rule(side.rule, system)
    if system.choices is None:
        raise RuleError(f"{system.name} has no choice points, so it has nothing to compare")
    return InForce(reading_of(system.choices, side.name), {})


@frozen
class Variant:
    """The code of side a, with some choice points taken from side b.

    watched: choice points whose calls are counted, and compared with those under the other value.
    """

    a: Side
    b: Side | None = None
    taken: frozenset[str] = frozenset()
    watched: tuple[str, ...] = ()

    def overrides(self, system: System) -> dict[str, tuple[Side, bool]]:
        """Return dotted name -> the side that overrides it, and whether this is in force."""
        found = {name: (self.a, True) for name in _of(self.a, system) if name not in self.taken}
        for name in () if self.b is None else _of(self.b, system):
            if name in self.taken or (name in self.watched and name not in found):
                assert self.b is not None
                found[name] = (self.b, name in self.taken)
        return found

    def readings(self, load: Callable[[Side], Any]) -> tuple[Any, Any]:
        """Return the reading of this variant, and side b's. load: returns the reading of a side."""
        if self.b is None:
            reading = load(self.a)
            return reading, reading
        ours, theirs = _alike(load(self.a), load(self.b))
        taken = [each for each in choice_points(type(theirs)) if each in self.taken]
        name = "+".join([getattr(ours, NAME), *sorted(self.taken)])
        return evolve(ours, name=name, **{each: getattr(theirs, each) for each in taken}), theirs


def _of(side: Side, system: System) -> Mapping[str, object]:
    return {} if side.rule is None else loaded(side, system).overrides


@contextmanager
def in_force(variant: Variant, system: System) -> Iterator[tuple[str, System]]:
    """Put code in force in this process while the block runs.

    Yields the reading's name, and the system as it is now: only its operations and histories have
    the change. Raises RuleError if a function of a rule file raises what is no error of the
    protocol.
    """
    if variant == Variant(variant.a) and variant.a.rule is None:
        yield variant.a.name, system
        return
    made = _made(variant, system.name)
    made.world.forget_cached()
    changed = made.world.system
    try:
        with counting(made.counts), standing_in(changed), made.world.current():
            yield made.reading, changed
    except RuleFaultError as fault:
        raise RuleError(str(fault)) from None


@contextmanager
def side_in_force(side: Side, system: System) -> Iterator[tuple[str, System]]:
    """Put a side in force, as `in_force` does, and count the calls of what it overrides.

    Raises RuleError or UnknownReadingError.
    """
    loaded(side, system)
    with in_force(Variant(side, watched=tuple(_of(side, system))), system) as changed:
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
    counts: dict[str, Called]


@lru_cache(maxsize=32)
def _made(variant: Variant, name: str) -> _Made:
    taken = [each for each, (_, taken) in variant.overrides(system_named(name)).items() if taken]
    counts: dict[str, Called] = {each: Counter() for each in (*taken, *variant.watched)}
    made: list[str] = []

    def again(more: Sequence[Change]) -> World:
        world, reading = _world(variant, name, counts, more)
        world.again = again
        made.append(reading)
        return world

    return _Made(again(()), made[0], counts)


def _world(
    variant: Variant, name: str, counts: Mapping[str, Called], more: Sequence[Change]
) -> tuple[World, str]:
    """Import the world of a variant, and run its rule files there; also the reading's name."""
    system = system_named(name)
    points: dict[str, OverriddenFunction | OverriddenConstant] = {}
    rules: dict[str, Rule] = {}
    overrides = variant.overrides(system)
    targets = {each: loaded(side, system).overrides[each] for each, (side, _) in overrides.items()}
    everything = {target.defined_as for target in targets.values()}
    for each, (side, taken) in overrides.items():
        assert side.rule is not None
        target, rules[each] = targets[each], side.rule
        kind = OverriddenFunction if target.value is None else OverriddenConstant
        is_watched = each in variant.watched
        points[each] = kind(
            counts[each], target=target, taken=taken, watched=is_watched, all=everything
        )
    in_fields = {each: Point(counts[each]) for each in variant.watched if each not in points}
    readers = dict.fromkeys(one for each in in_fields for one in readers_of(each, package_of(name)))
    changes = [one for each in points.values() for one in each.changes()]
    world = world_of(name, [*changes, *(defined(each, counted) for each in readers), *more])
    with world.current():
        ran = {
            side.rule: run_rule(side.rule)
            for side in (variant.a, variant.b)
            if side is not None and side.rule is not None
        }
    functions = [each for each in points.values() if isinstance(each, OverriddenFunction)]
    stand_ins = {id(each.stand_in): each.original for each in functions}
    for own in ran.values():  # a name that a rule file imported means the original
        own.update({each: stand_ins.get(id(value), value) for each, value in own.items()})
    for each, point in points.items():
        own = ran[rules[each]]
        said = own["OVERRIDES"][each]
        if isinstance(point, OverriddenFunction):
            point.rule = own
        else:
            point.world = world
        point.put(stand_ins.get(id(said), said))
    choices = world.system.choices
    assert choices is not None

    def load(side: Side) -> Any:
        if side.rule is None:
            return reading_of(choices, side.name)
        return reading_said(side.rule, world.system, ran[side.rule])

    reading, theirs = variant.readings(load)
    for each, watching in in_fields.items():
        watching.values = getattr(reading, each), getattr(theirs, each)
    named: str = getattr(reading, NAME)
    choices.lent[named] = watched(reading, in_fields) if in_fields else reading
    return world, named


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

    @property
    def watched(self) -> Variant:
        """Return side a, with the calls counted that depend on each choice point."""
        return Variant(self.one, self.other, watched=self.points)

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

        def text(side: InForce) -> str:
            if point in self.overridden:
                return "overridden" if point in side.overrides else "as it is"
            return spelled(choices, point, getattr(side.reading, point))

        return text(self.left), text(self.right)


def changed_functions(a: Side, b: Side, system: System) -> frozenset[str]:
    """Return the functions of the reference whose answers can differ between two sides, by name.

    They are the overridden functions, and those that read a choice point that differs.
    """
    sides, package = between(a, b, system), package_of(system.name)
    targets = {**sides.left.overrides, **sides.right.overrides}
    return frozenset(
        each
        for point in sides.points
        for each in (targets[point].readers if point in targets else readers_of(point, package))
    )


def between(a: Side, b: Side, system: System) -> Between:
    """Return the difference of two sides. Raises RuleError if they cannot be compared."""
    left, right = loaded(a, system), loaded(b, system)
    ours, theirs = _alike(left.reading, right.reading)
    in_fields = [
        point
        for point in choice_points(type(ours))
        if getattr(ours, point) != getattr(theirs, point)
    ]
    same = left.overrides.keys() & right.overrides.keys() if a.rule == b.rule else set()
    overridden = sorted({*left.overrides, *right.overrides} - same)
    sides = evolve(left, reading=ours), evolve(right, reading=theirs)
    return Between(a, b, *sides, (*in_fields, *overridden))


def _alike(ours: Any, theirs: Any) -> tuple[Any, Any]:
    """Return two readings as readings of one class. A rule's class can add choice points."""
    kind, other = type(ours), type(theirs)
    if issubclass(kind, other):
        return ours, _lifted(theirs, kind)
    if issubclass(other, kind):
        return _lifted(ours, other), theirs
    raise RuleError(
        f"cannot compare readings of {kind.__name__} and {other.__name__}: neither class extends "
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
