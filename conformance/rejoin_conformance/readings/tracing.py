"""Steps from outside: the calls of named functions of the reference while an operation runs.

A system names the functions, and has a function that turns their calls into steps. `operations`
makes the operations of its rows. One that lists steps runs the operation whose steps are wanted in
a world where these functions are hooked. The hooks belong to a world of their own, so nothing else
pays for them.

    def steps(value: JsonObject, calls: Sequence[Call]) -> list[Json]: ...

    HOOKED = ("rejoin.history_merge.complete_algorithm.merge_u", ...)
    OPERATIONS = operations("history-merge", ROWS.values(), READINGS, HOOKED, steps)

Rule files and other changes stay in force: the hooks are put on the world that the operation is in.
"""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from functools import lru_cache, partial, wraps
from typing import Any, Final, TypeAlias

from attrs import define, evolve, field

from rejoin_conformance.contract.choices import Readings
from rejoin_conformance.contract.operation import Operation, Perform
from rejoin_conformance.contract.rows import Row
from rejoin_conformance.kit.json_types import Json, JsonObject
from rejoin_conformance.readings.expressions import under
from rejoin_conformance.readings.worlds import World, defined, importing, world_of

_FRAMES: Final = 4
"""By how much more a hooked call nests."""


@define(eq=False)
class Call:
    """One call of a hooked function.

    function: its name as in the list of hooked functions. given: parameter -> argument, defaults
    included. result: what it returned; what a generator returned, for a function that is one.
    raised: what it raised instead, or None. within: the hooked call in which it was made, or None.
    """

    function: str
    given: Mapping[str, Any] = field(repr=False)
    within: Call | None = field(repr=False)
    result: Any = None
    raised: BaseException | None = None

    @property
    def name(self) -> str:
        """Return the last part of the function's name."""
        return self.function.rpartition(".")[2]

    def __getitem__(self, parameter: str) -> Any:
        return self.given[parameter]


Steps: TypeAlias = Callable[[JsonObject, Sequence[Call]], list[Json]]
"""(input, calls in the order in which they returned) -> steps. A function of a module."""

_Begun: TypeAlias = tuple[list[Call], list[Call]]
"""The calls that returned, and those that run now, the innermost last."""

_TRACED: Final[dict[str, set[tuple[str, ...]]]] = {}
"""System -> the sets of functions that are hooked for steps."""

_CALLS: Final[ContextVar[_Begun | None]] = ContextVar("calls", default=None)


@contextmanager
def collecting() -> Iterator[list[Call]]:
    """Collect the calls of hooked functions, in the order in which they return."""
    calls: list[Call] = []
    token, limit = _CALLS.set((calls, [])), sys.getrecursionlimit()
    sys.setrecursionlimit(limit * _FRAMES)
    try:
        yield calls
    finally:
        sys.setrecursionlimit(limit)
        _CALLS.reset(token)


@contextmanager
def not_collecting() -> Iterator[None]:
    """Collect no calls while the block runs: it only repeats a call, to compare its answer."""
    token = _CALLS.set(None)
    try:
        yield
    finally:
        _CALLS.reset(token)


@lru_cache(maxsize=16)
def traced(world: World | None, system: str, names: tuple[str, ...]) -> World:
    """Return the world with hooks on functions. world: None for the unchanged tree."""
    hooks = [defined(name, partial(hooked, name)) for name in names]
    return world_of(system, hooks) if world is None else world.again(hooks)


def traced_worlds(system: str) -> list[World]:
    """Return the worlds in which the unchanged system lists steps."""
    return [traced(None, system, names) for names in _TRACED.get(system, ())]


def steps_by(
    operation: str, names: Sequence[str], steps: Steps, *, second: bool = False
) -> Perform:
    """Return the function of an operation that lists the steps of another one.

    operation: the full name of the other one. names: the dotted names of the hooked functions.
    second: whether to list the steps of its second evaluation.
    """
    home, system = importing(), operation.partition("/")[0]
    _TRACED.setdefault(system, set()).add(tuple(names))

    def perform(value: JsonObject, reading: str) -> JsonObject:
        world = traced(home, system, tuple(names))
        asked = world.operations[operation]
        run = asked.second if second else asked.perform
        assert run is not None, "an operation without a second evaluation has no second steps"
        with collecting() as calls:
            run(value, reading)
        return {"steps": world.twin(steps)(value, calls)}

    return perform


def operations(
    system: str, rows: Iterable[Row], readings: Readings[Any], names: Sequence[str], steps: Steps
) -> tuple[Operation, ...]:
    """Return the operations of a system's rows. Their functions take the name of a reading.

    names, steps: as for `steps_by`, for the operations that list the steps of another one.
    """
    listed = (row.operation(system, lambda answer: under(readings, answer)) for row in rows)
    return tuple(_traced(each, names, steps) if each.steps_of else each for each in listed)


def _traced(operation: Operation, names: Sequence[str], steps: Steps) -> Operation:
    by = partial(steps_by, operation.steps_of, names, steps)
    return evolve(operation, perform=by(), second=operation.second and by(second=True))


def hooked(name: str, function: Callable[..., Any]) -> Callable[..., Any]:
    """Return the function with its calls collected, if anybody collects calls."""
    parameters = inspect.signature(function).parameters
    defaults = {
        each.name: each.default for each in parameters.values() if each.default is not each.empty
    }

    def begun(args: tuple[Any, ...], kwargs: dict[str, Any], running: list[Call]) -> Call:
        given = {**defaults, **dict(zip(parameters, args, strict=False)), **kwargs}
        return Call(name, given, running[-1] if running else None)

    @wraps(function)
    def called(*args: Any, **kwargs: Any) -> Any:
        now = _CALLS.get()
        if now is None:
            return function(*args, **kwargs)
        returned, running = now
        call = begun(args, kwargs, running)
        running.append(call)
        try:
            call.result = function(*args, **kwargs)
        except BaseException as error:
            call.raised = error
            raise
        finally:
            running.pop()
            returned.append(call)
        return call.result

    @wraps(function)
    def resumed(*args: Any, **kwargs: Any) -> Generator[Any, Any, Any]:
        now = _CALLS.get()
        if now is None:
            return (yield from function(*args, **kwargs))
        returned, running = now
        call, generator = begun(args, kwargs, running), function(*args, **kwargs)
        answer: Any = None
        while True:
            running.append(call)  # calls are within it while it runs, not while it waits
            try:
                wanted = generator.send(answer)
            except StopIteration as finished:
                call.result = finished.value
                returned.append(call)
                return call.result
            except BaseException as error:
                call.raised = error
                returned.append(call)
                raise
            finally:
                running.pop()
            answer = yield wanted

    return resumed if inspect.isgeneratorfunction(function) else called
