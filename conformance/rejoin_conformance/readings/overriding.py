"""Replace functions and constants of the reference temporarily, in this process only.

Every binding of a function is replaced, see `exchange`. While an override is in force, its calls
are counted. If asked, each call is also made to the original, and the two answers are compared.
"""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, ExitStack, contextmanager
from types import FunctionType, ModuleType
from typing import Any, Final, Protocol

from attrs import define, evolve, frozen

from rejoin_conformance.readings.answers import Answer, answer_of, differ, for_two, state_of
from rejoin_conformance.readings.exchange import copy_of, exchanged
from rejoin_conformance.readings.targets import UnknownTargetError, check_parameters, function_at

PLACES: Final = ("rejoin.", "rejoin_conformance.systems.")
"""The packages that can remember answers of the reference: the reference and the systems."""
_FRAMES: Final = 8
"""The number of frames that an overridden call takes at most, with its counting and comparing."""

_CACHE: Final = functools._lru_cache_wrapper  # noqa: SLF001 - it has no public name


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


@frozen(eq=False)
class Override:
    """One function that replaces another.

    name: the dotted name in the rule file. target: the function of the reference. replacement: the
    function that is called instead. own: the names of the rule file. While the replacement runs, a
    call from the rule file's code calls the original.
    """

    name: str
    target: Any
    replacement: Callable[..., Any]
    own: Mapping[str, Any] | None = None

    @property
    def targets(self) -> tuple[FunctionType, ...]:
        """Return the functions whose answers can change."""
        return (self.target,)

    @contextmanager
    def in_force(self, counts: Tried, *, compared: bool) -> Iterator[None]:
        """Replace the function while the block runs."""
        with exchanged(self.target, _stand_in(self, counts, compared=compared)):
            yield


class AnyOverride(Protocol):
    """A function or a constant with another meaning."""

    @property
    def name(self) -> str:
        """The dotted name in the rule file."""

    @property
    def targets(self) -> tuple[FunctionType, ...]:
        """The functions whose answers can change."""

    def in_force(self, counts: Tried, *, compared: bool) -> AbstractContextManager[None]:
        """Put the override in force while the block runs."""


_IN_FORCE: Final[dict[str, Tried]] = {}
"""The overridden functions by dotted name, with the calls since each was put in force."""


class _Suspension:
    """Whether the originals answer now, because an answer is compared with theirs."""

    depth = 0


def override_of(
    name: str, function: Callable[..., Any], own: Mapping[str, Any] | None = None
) -> Override:
    """Return the override of a function or method of the reference, by its dotted name.

    own: the names of the rule file, if there is one. Raises UnknownTargetError.
    """
    target = function_at(name)
    if not callable(function):
        raise UnknownTargetError(f"{name} is a function; the new value must be a function too")
    check_parameters(name, target, function)
    if isinstance(function, FunctionType) and f"{function.__module__}.".startswith("rejoin."):
        function = copy_of(function)  # it can itself be overridden, perhaps by this very override
    return Override(name, target, function, own)


@contextmanager
def overriding(overrides: Iterable[AnyOverride], *, compared: bool = False) -> Iterator[None]:
    """Replace the original functions while the block runs.

    compared: whether to make each call to the original too, and to compare the answers.
    """
    chosen = tuple(overrides)
    if not chosen:
        yield
        return
    before = dict(_IN_FORCE)
    with ExitStack() as stack:
        stack.enter_context(_deeper())
        for each in chosen:
            _IN_FORCE[each.name] = Tried()
            stack.enter_context(each.in_force(_IN_FORCE[each.name], compared=compared))
        try:
            forget_cached()
            yield
        finally:
            _IN_FORCE.clear()
            _IN_FORCE.update(before)
            stack.close()
            forget_cached()


@contextmanager
def _deeper() -> Iterator[None]:
    """Let calls nest as deep as without overrides, although each of them takes more frames."""
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(limit if _IN_FORCE else limit * _FRAMES)
    try:
        yield
    finally:
        sys.setrecursionlimit(limit)


def overridden() -> tuple[str, ...]:
    """Return the dotted names of the functions that are overridden in this process now."""
    return tuple(_IN_FORCE)


def tried() -> dict[str, Tried]:
    """Return the calls of each overridden function since it was put in force."""
    return {name: evolve(each) for name, each in _IN_FORCE.items()}


def calls_since(before: Mapping[str, Tried]) -> dict[str, Tried]:
    """Return the calls of each overridden function since `tried` returned `before`."""
    return {name: each.since(before.get(name, Tried())) for name, each in tried().items()}


def count_call(
    counts: Tried,
    replacement: Callable[..., Any],
    original: Callable[..., Any],
    compared: bool,  # noqa: FBT001 - a flag to pass on
    *args: Any,
    **kwargs: Any,
) -> Any:
    """Return the replacement's answer, and count the call.

    original: the same call without the change. compared: whether to make it, and compare.
    """
    if _Suspension.depth:
        return replacement(*args, **kwargs)
    counts.calls += 1
    if not compared:
        return replacement(*args, **kwargs)
    ours, theirs = for_two(args)
    our_named, their_named = (
        dict(zip(kwargs, each, strict=True)) for each in for_two(kwargs.values())
    )
    state = state_of((*args, *kwargs.values()))
    answer = answer_of(lambda: replacement(*ours, **our_named))
    if state is None or state != state_of((*args, *kwargs.values())):
        counts.uncompared += 1
        return answer.given()
    with suspended():
        expected = answer_of(lambda: original(*theirs, **their_named))
    _compare(answer, expected, counts)
    return answer.given()


def _stand_in(override: Override, counts: Tried, *, compared: bool) -> Callable[..., Any]:
    original, own = copy_of(override.target), override.own
    running = 0

    def replacement(*args: Any, **kwargs: Any) -> Any:
        nonlocal running
        running += 1
        try:
            return override.replacement(*args, **kwargs)
        finally:
            running -= 1

    def stand_in(*args: Any, **kwargs: Any) -> Any:
        if _Suspension.depth or (running and own is sys._getframe(2).f_globals):  # noqa: SLF001
            return original(*args, **kwargs)
        return count_call(counts, replacement, original, compared, *args, **kwargs)

    return stand_in


def _compare(answer: Answer, expected: Answer, counts: Tried) -> None:
    match differ(answer, expected):
        case None:
            counts.uncompared += 1
        case True:
            counts.differed += 1


@contextmanager
def suspended() -> Iterator[None]:
    """Let the originals answer while the block runs."""
    _Suspension.depth += 1
    try:
        yield
    finally:
        _Suspension.depth -= 1


def loaded_modules() -> list[ModuleType]:
    """Return every loaded module that can remember an answer of the reference."""
    return [
        module
        for name, module in list(sys.modules.items())
        if f"{name}.".startswith(PLACES) and isinstance(module, ModuleType)
    ]


def forget_cached() -> None:
    """Clear the caches of functions: their values can come from overridden functions."""
    for module in loaded_modules():
        for value in list(vars(module).values()):
            if isinstance(value, _CACHE):
                value.cache_clear()
