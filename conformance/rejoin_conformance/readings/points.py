"""The points in which two sides differ: functions, constants and choice points of the reading.

Each of them has two values in a world: the one in force, and the other one. A hook on a function
that depends on it counts the calls, repeats each call under the other value, and compares the two
answers.
"""

from __future__ import annotations

import inspect
import sys
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping
from copy import copy
from functools import cache, partial, wraps
from typing import Any, Final

import attrs
from attrs import define, field

from rejoin_conformance.readings.answers import (
    Answer,
    answer_of,
    differ,
    for_two,
    state_of,
)
from rejoin_conformance.readings.reach import Called
from rejoin_conformance.readings.rule_file import RuleFaultError, printed
from rejoin_conformance.readings.targets import (
    Target,
    fast_counterparts,
    fits,
    returned_hint,
)
from rejoin_conformance.readings.tracing import not_collecting
from rejoin_conformance.readings.worlds import Change, World, defined


@define(eq=False)
class Point:
    """A point with two values in a world.

    counts: of the calls that depend on it. values: the one in force, and the other one. comparable:
    whether the other value can be put in force alone. other: whether it is in force now.
    """

    counts: Called
    values: tuple[Any, Any] = (None, None)
    comparable: bool = True
    other: bool = field(default=False, init=False)

    @property
    def now(self) -> Any:
        """Return the value that is in force now."""
        return self.values[self.other]

    def switch(self, *, other: bool) -> None:
        """Put the other value in force, or the first one again."""
        self.other = other

    def count(self, answer: Answer, again: Callable[[], Any] | None) -> None:
        """Count a call. again: repeats it, if it can be repeated."""
        self.counts["called"] += 1
        if again is None or not self.comparable:
            self.counts["uncompared"] += 1
            return
        verdict = differ(answer, self._repeated(again))
        self.counts += Counter(differed=verdict is True, uncompared=verdict is None)

    def _repeated(self, call: Callable[[], Any]) -> Answer:
        """Return the answer of a call under the other value. The calls in it do not count."""
        _REPEATED.append(self)
        self.switch(other=True)
        try:
            with not_collecting():
                return answer_of(call)
        finally:
            self.switch(other=False)
            _REPEATED.pop()


_REPEATED: Final[list[Point]] = []
"""The point under whose other value a call is repeated now."""

_LOOKED_AT: Final[list[dict[Point, None]]] = []
"""The points on which the calls depend that run now, the innermost last."""


def counted(function: Callable[..., Any], depends: Iterable[Point] = ()) -> Callable[..., Any]:
    """Return the function, with its calls counted and their answers compared.

    depends: the points on which each call depends, besides the choice points that it looks at.
    """

    @wraps(function)
    def call(*args: Any, **kwargs: Any) -> Any:
        if _REPEATED:
            return function(*args, **kwargs)
        ours, theirs = for_two(args)
        state = state_of((*args, *kwargs.values()))
        _LOOKED_AT.append(dict.fromkeys(depends))
        answer = answer_of(lambda: function(*ours, **kwargs))
        for point in _LOOKED_AT.pop():
            same = state is not None and state == state_of((*args, *kwargs.values()))
            again, theirs = for_two(theirs)
            point.count(answer, partial(function, *again, **kwargs) if same else None)
        return answer.given()

    return call


def watched(reading: Any, points: Mapping[str, Point]) -> Any:
    """Return the same reading, of a class that notes each look at some of its choice points."""
    kind = type(reading)

    def look(looked_at: Any, name: str) -> Any:
        point = points.get(name)
        if point is not None and _LOOKED_AT:
            _LOOKED_AT[-1][point] = None
        if point is not None and point.other:
            return point.now
        return object.__getattribute__(looked_at, name)

    named = type(kind.__name__, (kind,), {"__slots__": (), "__getattribute__": look})
    return named(**{each.alias: getattr(reading, each.name) for each in attrs.fields(kind)})


@define(eq=False)
class Overridden(Point):
    """A function or constant that a rule file replaces.

    taken: whether the new value is in force. watched: whether its calls are counted. all: where all
    that is overridden is defined. original: what the world has without the rule.
    """

    target: Target = field(kw_only=True)
    taken: bool = field(kw_only=True)
    watched: bool = field(kw_only=True)
    all: Collection[str] = field(kw_only=True)
    original: Any = field(default=None, init=False)

    def put(self, value: Any) -> None:
        """Make the new value known, as the rule file has it in this world."""
        old = copy(self.original)
        self.values = (value, old) if self.taken else (old, value)
        self.switch(other=False)


@define(eq=False)
class OverriddenFunction(Overridden):
    """A function. A call from the rule file while the replacement runs calls the original.

    rule: the names of the rule file. stand_in: what the function is in the world.
    """

    rule: dict[str, Any] = field(factory=dict, init=False)
    stand_in: Any = field(default=None, init=False)
    _running: int = field(default=0, init=False)

    def changes(self) -> list[Change]:
        """Return the hook of the function, and those of the fast ones that answer instead."""
        fast = fast_counterparts(self.target.defined_as) if self.watched else ()
        noted = [defined(each, self._note) for each in fast if each not in self.all]
        return [defined(self.target.defined_as, self._hook), *noted]

    def _note(self, function: Any) -> Any:
        @wraps(function)
        def call(*args: Any, **kwargs: Any) -> Any:
            self.counts["fast"] += not _REPEATED
            return function(*args, **kwargs)

        return call

    def _hook(self, function: Any) -> Any:
        hint = cache(partial(returned_hint, function))

        @wraps(function)
        def answer(*args: Any, **kwargs: Any) -> Any:
            if self.now is function:
                return function(*args, **kwargs)
            self._running += 1
            try:
                value = self.now(*args, **kwargs)
            finally:
                self._running -= 1
            if not fits(value, hint()):
                said = "None" if value is None else f"a value of type {type(value).__name__}"
                said += f" {printed(value)[:80]}" if isinstance(value, str | Collection) else ""
                raise RuleFaultError(
                    f"{self.rule['__file__']}: the function for {self.target.name} returned "
                    f"{said}; it must return {inspect.signature(function).return_annotation}"
                )
            return value

        answered = counted(answer, [self]) if self.watched else answer

        @wraps(function)
        def stand_in(*args: Any, **kwargs: Any) -> Any:
            own = self._running and sys._getframe(1).f_globals is self.rule  # noqa: SLF001
            return (function if own else answered)(*args, **kwargs)

        self.original, self.stand_in, self.values = function, stand_in, (function, function)
        return stand_in


@define(eq=False)
class OverriddenConstant(Overridden):
    """A constant. The functions that read it are counted.

    An attrs value stays the same object and gets the fields of the new one. world: where it is.
    """

    world: World | None = field(default=None, init=False)

    def changes(self) -> list[Change]:
        """Return the value in force, and the hooks of the readers."""
        readers = self.target.readers if self.watched else ()
        hooks = [defined(each, partial(counted, depends=[self])) for each in readers]
        return [defined(self.target.defined_as, self._hook), *hooks]

    def switch(self, *, other: bool) -> None:
        """Put the other value in force, or the first one again."""
        super().switch(other=other)
        if attrs.has(type(self.now)):
            for each in attrs.fields(type(self.now)):
                object.__setattr__(self.original, each.name, getattr(self.now, each.name))
            return
        name = self.target.defined_as.rpartition(".")[2]
        for module in () if self.world is None else self.world.modules.values():
            if name in vars(module):
                vars(module)[name] = self.now

    def _hook(self, value: Any) -> Any:
        self.original, self.comparable = value, not self.target.held
        return self.target.value if self.taken and not attrs.has(type(value)) else value
