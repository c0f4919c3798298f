"""Overridden functions and constants in a world: hooks that call the replacement, and counts.

A hook is put on a definition when the world is imported. Its replacement is known later, when the
rule file has run in this world. If asked, each call is also made to the original, and the two
answers are compared.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from copy import copy
from functools import partial, wraps
from typing import Any, Final

import attrs
from attrs import define, evolve

from rejoin_conformance.readings.answers import answer_of, differ, for_two, state_of
from rejoin_conformance.readings.targets import Target
from rejoin_conformance.readings.tracing import not_collecting
from rejoin_conformance.readings.worlds import Change, World, defined

_FRAMES: Final = 8
"""The number of frames that an overridden call takes at most, with its counting and comparing."""


@define
class Tried:
    """The calls of an overridden function.

    calls: the number of calls. differed: the calls whose answer differs from the original's.
    uncompared: the calls whose answers cannot be compared, because they are generators or the call
        changes its arguments.
    """

    calls: int = 0
    differed: int = 0
    uncompared: int = 0

    def add(self, other: Tried) -> None:
        """Add other counts."""
        self.calls += other.calls
        self.differed += other.differed
        self.uncompared += other.uncompared

    def since(self, before: Tried) -> Tried:
        """Return the counts that were added after earlier counts."""
        return Tried(
            self.calls - before.calls,
            self.differed - before.differed,
            self.uncompared - before.uncompared,
        )


_IN_FORCE: Final[dict[str, Tried]] = {}
"""The overridden functions by dotted name, with their calls since they were put in force."""


class _Suspension:
    """Whether the originals answer now, because an answer is compared with theirs."""

    depth = 0


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


def counted(
    counts: Tried,
    replacement: Callable[..., Any],
    original: Callable[..., Any],
    args: tuple[Any, ...],
    kwargs: Mapping[str, Any],
) -> Any:
    """Return the replacement's answer. Count the call, and compare it with the original's answer.

    original: the same call without the change.
    """
    ours, theirs = for_two(args)
    state = state_of((*args, *kwargs.values()))
    answer = answer_of(lambda: replacement(*ours, **kwargs))
    if state is None or state != state_of((*args, *kwargs.values())):
        counts.uncompared += 1
        return answer.given()
    _Suspension.depth += 1
    try:
        with not_collecting():
            verdict = differ(answer, answer_of(lambda: original(*theirs, **kwargs)))
    finally:
        _Suspension.depth -= 1
    counts.differed += verdict is True
    counts.uncompared += verdict is None
    return answer.given()


@define(eq=False)
class OverriddenFunction:
    """A function that a rule file replaces, in one world.

    definition: its dotted name where it is defined. compared: whether to compare each answer.
    stand_in: what the world calls. A call from the rule file's own code, `own`, while the
    replacement runs, calls the original.
    """

    definition: str
    compared: bool
    counts: Tried
    original: Any = None
    stand_in: Any = None
    _replacement: Any = None
    _own: object = None
    _running: int = 0

    def changes(self) -> Iterable[Change]:
        """Return the hook as a change."""
        return [defined(self.definition, self._hook)]

    def put(self, replacement: Any, own: object, stand_ins: Mapping[int, Any]) -> None:
        """Put the replacement in force. stand_ins: ID of a stand-in -> its original."""
        self._replacement, self._own = stand_ins.get(id(replacement), replacement), own

    def _hook(self, function: Any) -> Any:
        @wraps(function)
        def stand_in(*args: Any, **kwargs: Any) -> Any:
            own = self._running and sys._getframe(1).f_globals is self._own  # noqa: SLF001
            if self._replacement is None or _Suspension.depth or own:
                return function(*args, **kwargs)
            self.counts.calls += 1
            if not self.compared:
                return self._replaced(*args, **kwargs)
            return counted(self.counts, self._replaced, function, args, kwargs)

        self.original, self.stand_in = function, stand_in
        return stand_in

    def _replaced(self, *args: Any, **kwargs: Any) -> Any:
        self._running += 1
        try:
            return self._replacement(*args, **kwargs)
        finally:
            self._running -= 1


@define(eq=False)
class OverriddenConstant:
    """A constant with another value, in one world. The functions that read it are counted.

    An attrs value stays the same object and gets the fields of the new one.
    """

    target: Target
    compared: bool
    counts: Tried
    original: Any = None
    _new: Any = None
    _old: Any = None
    _world: World | None = None

    def changes(self) -> Iterable[Change]:
        """Return the new value and the hooks of the readers as changes."""
        readers = (f"{each.__module__}.{each.__qualname__}" for each in self.target.targets)
        hooks = [defined(each, self._reader) for each in readers]
        return [defined(self.target.defined_as, self._hook), *hooks]

    def put(self, value: Any, world: World) -> None:
        """Put the new value in force. value: as the rule file has it in this world."""
        self._new, self._world = value, world
        if self._is_record:
            self._old = copy(self.original)
            self._switch(new=True)

    @property
    def _is_record(self) -> bool:
        return attrs.has(type(self.target.value))

    def _hook(self, value: Any) -> Any:
        self.original = value
        return value if self._is_record else self.target.value

    def _reader(self, function: Any) -> Any:
        @wraps(function)
        def reader(*args: Any, **kwargs: Any) -> Any:
            if self._world is None or _Suspension.depth:
                return function(*args, **kwargs)
            self.counts.calls += 1
            if self.compared and not self.target.held:
                old = partial(self._without, function)
                return counted(self.counts, function, old, args, kwargs)
            self.counts.uncompared += self.compared
            return function(*args, **kwargs)

        return reader

    def _without(self, function: Any, *args: Any, **kwargs: Any) -> Any:
        """Return the answer of a function with the old value."""
        self._switch(new=False)
        try:
            return function(*args, **kwargs)
        finally:
            self._switch(new=True)

    def _switch(self, *, new: bool) -> None:
        if self._is_record:
            given = self._new if new else self._old
            for each in attrs.fields(type(given)):
                object.__setattr__(self.original, each.name, getattr(given, each.name))
            return
        assert self._world is not None
        name, given = self.target.defined_as.rpartition(".")[2], self._new if new else self.original
        for module in self._world.modules.values():
            if name in vars(module):
                vars(module)[name] = given
