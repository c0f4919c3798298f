"""Run changed functions in the shadow of the reference's own functions.

While the reference answers a question, every function that mutants change is watched. When it is
called, each of its mutants gets an equal call after it. If a mutant returns the same value, raises
the same error and leaves its arguments in the same state at every call, then the answer is the same
with the mutant in force, because the reference has no state beside its arguments. So the question
must be asked only of the other mutants, its suspects.

A mutant whose calls cannot be compared is a suspect of each question that calls it.
"""

from __future__ import annotations

import signal
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from inspect import CO_GENERATOR
from itertools import islice
from types import CodeType, FrameType, FunctionType
from typing import Any, Final, TypeAlias

from attrs import define, field, frozen

from rejoin_conformance.campaigns.mutants.exchanging import Loaded
from rejoin_conformance.campaigns.mutants.limited_time import TooLongError
from rejoin_conformance.campaigns.mutants.mutant import Mutant
from rejoin_conformance.campaigns.mutants.same_value import (
    NotComparableError,
    containers_in,
    copied,
    is_constant,
    is_same,
)

_SECONDS: Final = 1.0
"""Processor time after which a mutant in a shadow is interrupted, and becomes a suspect."""

_BUDGET: Final = 0.5
"""Processor time, in seconds, after which one question gets no more shadows: every mutant of a
function that is called later is a suspect."""

_LONGEST: Final = 10_000
"""The number of values of a generator that are compared; a longer one cannot be compared."""

Arguments: TypeAlias = tuple[tuple[Any, ...], tuple[Any, ...]]
"""The arguments of a call: those without a name, and the values of those with a name."""


@frozen
class _Outcome:
    """The end of a call: a value, or an error. A generator counts as the list of its values."""

    value: Any = None
    error: Exception | None = None


@define(eq=False)
class Shadows:
    """Mutants, known by their places in a sequence, that run in shadows.

    hidden: the mutants that no shadow can show: they are outside functions, or not loaded.
    suspects: the mutants that must be asked the current question. running: the mutant that runs in
    a shadow at present. end: the processor time at which the question gets no more shadows.
    """

    hidden: frozenset[int] = frozenset()
    suspects: set[int] = field(factory=set)
    running: int | None = None
    end: float = 0.0

    @contextmanager
    def question(self) -> Iterator[None]:
        """Collect the suspects of one question while the block answers it."""
        self.suspects = set(self.hidden)
        self.end = time.process_time() + _BUDGET

        def interrupt(_signal: int, _frame: FrameType | None) -> None:
            if self.running is not None:
                raise TooLongError

        before = signal.signal(signal.SIGVTALRM, interrupt)
        signal.setitimer(signal.ITIMER_VIRTUAL, _SECONDS, _SECONDS)
        try:
            yield
        finally:
            signal.setitimer(signal.ITIMER_VIRTUAL, 0)
            signal.signal(signal.SIGVTALRM, before)


def put_in_shadows(mutants: Sequence[Mutant], reference: Loaded) -> Shadows:
    """Watch the functions that mutants change, in this process, for good."""
    by_function: dict[tuple[str, str], list[int]] = {}
    for number, mutant in enumerate(mutants):
        by_function.setdefault((mutant.module, mutant.function), []).append(number)
    shadows = Shadows()
    hidden: set[int] = set()
    for place, numbers in by_function.items():
        for function in reference.functions.get(place, ()):
            changed: dict[int, FunctionType] = {}
            for number in numbers:
                try:
                    changed[number] = _copy(function, mutants[number].function_code())
                except ValueError:  # another number of free variables
                    hidden.add(number)
            own = _copy(function, function.__code__)
            _redirect(function, _watcher(own, changed, shadows))
        if place not in reference.functions:
            hidden.update(numbers)
    shadows.hidden = frozenset(hidden)
    return shadows


def _watcher(
    own: FunctionType, changed: Mapping[int, FunctionType], shadows: Shadows
) -> Callable[..., Any]:
    """Return a function that does what `own` does, and runs the changed ones in its shadow.

    Only outermost calls have a shadow, because it includes the inner calls of the same function.
    """
    asked: dict[Any, frozenset[int]] = {}
    busy = False

    def call(*args: Any, **kwargs: Any) -> Any:
        nonlocal busy
        if shadows.running is not None:
            return changed.get(shadows.running, own)(*args, **kwargs)
        left = [number for number in changed if number not in shadows.suspects]
        if busy or not left:
            return own(*args, **kwargs)
        key = _key(args, kwargs)
        if key in asked:
            shadows.suspects |= asked[key]
            return own(*args, **kwargs)
        if time.process_time() > shadows.end or not _is_comparable(own):
            shadows.suspects.update(left)
            return own(*args, **kwargs)
        arguments = (args, (*kwargs.values(),))
        busy = True
        try:
            before: Arguments = copied(arguments)
            outcome = _outcome(own, args, kwargs)
        except NotComparableError:
            shadows.suspects.update(left)
            return own(*args, **kwargs)
        finally:
            busy = False
        compared = _Compared(shadows, outcome, arguments, before, (*kwargs,))
        differing = frozenset(each for each in left if compared.differs(each, changed[each]))
        shadows.suspects |= differing
        if key is not None and len(left) == len(changed):
            asked[key] = differing
        if _is_generator(own):
            return own(*args, **kwargs)
        if outcome.error is not None:
            raise outcome.error
        return outcome.value

    return call


@define(eq=False)
class _Compared:
    """A call of the reference that ended, to be compared with equal calls of mutants.

    arguments: as the call left them. before: copies of them as they were; the arguments themselves
    if no part of them can change. fresh: copies that no mutant has changed yet, or None.
    """

    shadows: Shadows
    outcome: _Outcome
    arguments: Arguments
    before: Arguments
    names: tuple[str, ...]
    fresh: Arguments | None = None

    def differs(self, number: int, changed: FunctionType) -> bool:
        """Return whether the call of a mutant ends in another way, or leaves other arguments."""
        self.shadows.running = number
        try:
            copies = self.before if self.before is self.arguments else self._fresh()
            args, values = copies
            other = _outcome(changed, args, dict(zip(self.names, values, strict=True)))
            return not self._is_same(other, copies)
        except (NotComparableError, TooLongError, RecursionError):
            self.fresh = None
            return True
        finally:
            self.shadows.running = None

    def _fresh(self) -> Arguments:
        """Return copies of the arguments before the call.

        If the reference leaves its arguments as they are, and so did the last mutant, then its
        copies serve again.
        """
        if self.fresh is None:
            self.fresh = copied(self.before)
        return self.fresh

    def _is_same(self, other: _Outcome, copies: Arguments) -> bool:
        known: list[tuple[frozenset[int], frozenset[int]]] = []

        def is_old(left: object, right: object) -> bool:
            if not known:
                known.append((containers_in(self.arguments), containers_in(copies)))
            before, after = known[0]
            return (id(left) in before) != (id(right) in after)

        mine, its = self.outcome, other
        same = is_same((mine.value, mine.error), (its.value, its.error), is_old)
        if copies is self.arguments:
            return same
        if not is_same(self.before, copies, _never):
            self.fresh = None
        return is_same(self.arguments, copies, _never) and same


def _never(_left: object, _right: object) -> bool:
    return False


def _key(args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """Return a key for equal calls if equal arguments are the same to all code; None otherwise."""
    return (args, (*kwargs.items(),)) if all(map(is_constant, (*args, *kwargs.values()))) else None


def _outcome(function: FunctionType, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> _Outcome:
    """Call a function. Raises NotComparableError if it returns a generator without an end."""
    try:
        value = function(*args, **kwargs)
        if _is_generator(function):
            value = [*islice(value, _LONGEST)]
    except Exception as error:  # noqa: BLE001 - whatever it raises is compared
        return _Outcome(error=error)
    if _is_generator(function) and len(value) == _LONGEST:
        raise NotComparableError("a generator without an end")
    return _Outcome(value)


def _is_generator(function: FunctionType) -> bool:
    return bool(function.__code__.co_flags & CO_GENERATOR)


def _is_comparable(function: FunctionType) -> bool:
    """Return whether a call alone shows what the function does: it receives no values later."""
    returned = f"{function.__annotations__.get('return', '')}"
    return not _is_generator(function) or returned.startswith("Iterator")


def _copy(function: FunctionType, code: CodeType) -> FunctionType:
    """Return a function of its own with the globals, defaults and free variables of another."""
    copy = FunctionType(
        code, function.__globals__, function.__name__, function.__defaults__, function.__closure__
    )
    copy.__kwdefaults__ = function.__kwdefaults__
    copy.__annotations__ = function.__annotations__
    return copy


def _redirect(function: FunctionType, watcher: Callable[..., Any]) -> None:
    """Let every call of a function be a call of the watcher, wherever the function is bound."""
    name = f"_watcher_{id(watcher)}"
    function.__globals__[name] = watcher
    space: dict[str, Any] = {}
    exec(f"def call(*args, **kwargs): return {name}(*args, **kwargs)", space)  # noqa: S102
    code: CodeType = space["call"].__code__
    function.__code__ = code.replace(co_freevars=function.__code__.co_freevars)
