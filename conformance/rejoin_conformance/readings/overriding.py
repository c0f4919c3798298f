"""What a side changes in a world: functions, constants and choice points. Their calls are counted.

Each of them has two values: the one in force, and the other one. A hook on a function that depends
on it counts the calls. It repeats each call under the other value, and compares the two answers.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from copy import copy
from functools import partial, wraps
from typing import Any, Final, TypeAlias

import attrs
from attrs import define, evolve, field

from rejoin_conformance.readings.answers import (
    Answer,
    answer_of,
    differ,
    for_two,
    of_other_type,
    state_of,
)
from rejoin_conformance.readings.targets import Target, name_of, readers_of
from rejoin_conformance.readings.tracing import not_collecting
from rejoin_conformance.readings.worlds import Change, World, defined

_FRAMES: Final = 9
"""The number of frames that an overridden call takes at most, with its counting and comparing."""


@define
class Tried:
    """The calls that depend on an overridden function, a constant or a choice point.

    calls: the number of calls. differed: the calls whose answer differs under the other value.
    uncompared: the calls whose answers cannot be compared, because they are generators or the call
        changes its arguments. retyped: those that differ and are values of another type.
    """

    calls: int = 0
    differed: int = 0
    uncompared: int = 0
    retyped: int = 0

    def add(self, other: Tried) -> None:
        """Add other counts."""
        self.calls += other.calls
        self.differed += other.differed
        self.uncompared += other.uncompared
        self.retyped += other.retyped

    def since(self, before: Tried) -> Tried:
        """Return the counts that were added after earlier counts."""
        return Tried(
            self.calls - before.calls,
            self.differed - before.differed,
            self.uncompared - before.uncompared,
            self.retyped - before.retyped,
        )


_IN_FORCE: Final[dict[str, Tried]] = {}
"""What is overridden or watched now, by dotted name or choice point, with its calls."""


@contextmanager
def counting(counts: Mapping[str, Tried]) -> Iterator[None]:
    """Let `tried` return these counts while the block runs. They start at 0.

    Calls can nest as deep as without overrides, although each of them takes more frames.
    """
    before, limit = dict(_IN_FORCE), sys.getrecursionlimit()
    for each in counts.values():
        each.calls = each.differed = each.uncompared = 0
    _IN_FORCE.clear()
    _IN_FORCE.update(counts)
    sys.setrecursionlimit(limit if before else limit * _FRAMES)
    try:
        yield
    finally:
        sys.setrecursionlimit(limit)
        _IN_FORCE.clear()
        _IN_FORCE.update(before)


def overridden() -> tuple[str, ...]:
    """Return the dotted names of the functions that are overridden in this process now."""
    return tuple(_IN_FORCE)


def tried() -> dict[str, Tried]:
    """Return the calls of each overridden function since it was put in force."""
    return {name: evolve(each) for name, each in _IN_FORCE.items()}


def calls_since(before: Mapping[str, Tried]) -> dict[str, Tried]:
    """Return the calls of each overridden function since `tried` returned `before`."""
    return {name: each.since(before.get(name, Tried())) for name, each in tried().items()}


@define(eq=False)
class Point:
    """Something with two values in a world.

    comparable: whether the other value can be put in force alone. other: whether it answers now.
    """

    counts: Tried
    comparable: bool = True
    other: bool = field(default=False, init=False)

    def switch(self, *, other: bool) -> None:
        """Put the other value in force, or the first one again."""
        self.other = other


_Depends: TypeAlias = Callable[[], Callable[[], Iterable[Point]]]
"""Called before a call. It returns what is called after it: the points on which it depended."""

_REPEATED: Final[list[Point]] = []
"""The point under whose other value a call is repeated now. Such calls do not count."""


def _counted(function: Callable[..., Any], depends: _Depends) -> Callable[..., Any]:
    """Return the function, with its calls counted and their answers compared."""

    @wraps(function)
    def call(*args: Any, **kwargs: Any) -> Any:
        if _REPEATED:
            return function(*args, **kwargs)
        ours, theirs = for_two(args)
        state, points = state_of((*args, *kwargs.values())), depends()
        answer = answer_of(lambda: function(*ours, **kwargs))
        for point in points():
            point.counts.calls += 1
            same = state is not None and state == state_of((*args, *kwargs.values()))
            again, theirs = for_two(theirs)
            verdict = None
            if same and point.comparable:
                other = _repeated(partial(function, *again, **kwargs), point)
                verdict = differ(answer, other)
                point.counts.retyped += verdict is True and of_other_type(answer, other)
            point.counts.differed += verdict is True
            point.counts.uncompared += verdict is None
        return answer.given()

    return call


def _repeated(call: Callable[[], Any], point: Point) -> Answer:
    """Return the answer of a call under the other value of a point."""
    _REPEATED.append(point)
    point.switch(other=True)
    try:
        with not_collecting():
            return answer_of(call)
    finally:
        point.switch(other=False)
        _REPEATED.pop()


@define(eq=False)
class OverriddenFunction(Point):
    """A function that a rule file replaces. taken: whether the replacement is in force.

    A call from the rule file while the replacement runs calls the original.
    """

    target: Target = field(kw_only=True)
    taken: bool = field(kw_only=True)
    watched: bool = field(kw_only=True)
    original: Any = None
    stand_in: Any = None
    _replacement: Any = None
    _own: object = None
    _running: int = 0

    def changes(self) -> list[Change]:
        """Return the hook of the function."""
        return [defined(self.target.defined_as, self._hook)]

    def put(self, value: Any, own: object, _world: World) -> None:
        """Make the replacement known. own: the names of the rule file."""
        self._replacement, self._own = value, own

    def _hook(self, function: Any) -> Any:
        @wraps(function)
        def answer(*args: Any, **kwargs: Any) -> Any:
            if self.taken == self.other:
                return function(*args, **kwargs)
            self._running += 1
            try:
                return self._replacement(*args, **kwargs)
            finally:
                self._running -= 1

        answered = _counted(answer, lambda: lambda: [self]) if self.watched else answer

        @wraps(function)
        def stand_in(*args: Any, **kwargs: Any) -> Any:
            own = self._running and sys._getframe(1).f_globals is self._own  # noqa: SLF001
            return (function if self._replacement is None or own else answered)(*args, **kwargs)

        self.original, self.stand_in = function, stand_in
        return stand_in


@define(eq=False)
class OverriddenConstant(Point):
    """A constant that a rule file replaces. The functions that read it are counted.

    taken: whether the new value is in force. An attrs value stays the same object and gets the
    fields of the new one.
    """

    target: Target = field(kw_only=True)
    taken: bool = field(kw_only=True)
    watched: bool = field(kw_only=True)
    original: Any = None
    stand_in: None = None
    _values: tuple[Any, Any] = (None, None)
    _world: World | None = None

    def changes(self) -> list[Change]:
        """Return the value in force, and the hooks of the readers."""
        readers = dict.fromkeys(map(name_of, self.target.targets)) if self.watched else ()
        hooks = [defined(each, self._reader) for each in readers]
        return [defined(self.target.defined_as, self._hook), *hooks]

    def put(self, value: Any, _own: object, world: World) -> None:
        """Put the value in force, as the rule file has it in this world."""
        self._values, self._world = (copy(self.original), value), world
        self.comparable = not self.target.held
        self.switch(other=False)

    def switch(self, *, other: bool) -> None:
        """Put the other value in force, or the first one again."""
        given = self._values[self.taken != other]
        if attrs.has(type(given)):
            for each in attrs.fields(type(given)):
                object.__setattr__(self.original, each.name, getattr(given, each.name))
            return
        assert self._world is not None
        name = self.target.defined_as.rpartition(".")[2]
        for module in self._world.modules.values():
            if name in vars(module):
                vars(module)[name] = given

    def _hook(self, value: Any) -> Any:
        self.original = value
        return self.target.value if self.taken and not attrs.has(type(value)) else value

    def _reader(self, function: Any) -> Any:
        return _counted(function, lambda: lambda: [self])


@define(eq=False)
class ChoicePoints:
    """The choice points of the reading that are watched.

    points: by their names. others: their other values. A call depends on those that it looks at.
    """

    points: Mapping[str, Point]
    others: Mapping[str, Any] = field(factory=dict)
    _looks: list[set[str]] = field(factory=list, init=False)

    def changes(self, package: str) -> Sequence[Change]:
        """Return a hook for each function that reads a choice point. package: the reference's."""
        readers = dict.fromkeys(one for point in self.points for one in readers_of(point, package))
        return [defined(name_of(each), self._reader) for each in readers]

    def watched(self, reading: Any) -> Any:
        """Return the same reading, of a class that notes every look at a watched choice point."""
        kind = type(reading)

        def look(looked_at: Any, name: str) -> Any:
            if name in self.points and self._looks:
                self._looks[-1].add(name)
            if name in self.points and self.points[name].other:
                return self.others[name]
            return object.__getattribute__(looked_at, name)

        watched = type(kind.__name__, (kind,), {"__slots__": (), "__getattribute__": look})
        return watched(**{each.alias: getattr(reading, each.name) for each in attrs.fields(kind)})

    def _reader(self, function: Any) -> Any:
        return _counted(function, self._begun)

    def _begun(self) -> Callable[[], Iterable[Point]]:
        self._looks.append(set())
        return lambda: [self.points[each] for each in sorted(self._looks.pop())]
