"""Put changes of the reference in force, in a forked process that serves them alone.

A change inside a function exchanges the code of the function object, wherever the object is bound,
in tables and in the worlds of steps too. Any other change needs a world (`readings.worlds`).
"""

from __future__ import annotations

import functools
import gc
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager
from functools import cache
from types import CodeType, FunctionType
from typing import TYPE_CHECKING, Final, TypeAlias

from attrs import frozen

from rejoin_conformance.campaigns.mutants.source import REFERENCE
from rejoin_conformance.contract.operation import Operation
from rejoin_conformance.contract.registry import system_named
from rejoin_conformance.readings.tracing import traced_worlds
from rejoin_conformance.readings.worlds import Change, world_of

if TYPE_CHECKING:
    from rejoin_conformance.campaigns.mutants.knockout import KnockedOut
    from rejoin_conformance.campaigns.mutants.mutant import Mutant

    Changed: TypeAlias = Mutant | KnockedOut

_CACHE: Final = functools._lru_cache_wrapper  # noqa: SLF001 - it has no public name


class NotInForceError(Exception):
    """Changes that cannot be put in force in this way."""


@frozen(eq=False)
class Loaded:
    """The reference of a system as it is loaded in this process.

    functions: (module, qualified name) -> function objects. Several objects share a name if a
        function was copied, is defined several times, or is in a world of steps too.
    forget: for each function of the reference that keeps answers, what empties its cache.
    """

    functions: Mapping[tuple[str, str], Sequence[FunctionType]]
    forget: Sequence[Callable[[], None]]


@cache
def loaded(system: str) -> Loaded:
    """Return the functions and the caches of the reference.

    Call it before a fork: finding the functions takes longer than most vectors.
    """
    system_named(system)
    traced_worlds(system)
    functions: dict[tuple[str, str], list[FunctionType]] = {}
    forget: list[Callable[[], None]] = []
    for each in gc.get_objects():
        if isinstance(each, FunctionType | _CACHE) and _is_of_reference(each.__module__):
            if isinstance(each, FunctionType):
                functions.setdefault((each.__module__, each.__code__.co_qualname), []).append(each)
            else:
                forget.append(each.cache_clear)
    return Loaded(functions, forget)


def _is_of_reference(module: str | None) -> bool:
    return f"{module}".startswith(f"{REFERENCE}.")


def put_in_force(system: str, changes: Sequence[Changed]) -> Mapping[str, Operation]:
    """Put changes in force in this process, for good; return the operations with them.

    changes: of different functions. Raises NotInForceError if several changes cannot be in force
    together, and any exception of the changed code.
    """
    if all(each.function for each in changes):
        try:
            return _FOR_GOOD.enter_context(swapped(system, changes))
        except NotInForceError:
            pass  # a function is used up at import, or has another number of free variables
    if len({each.module for each in changes}) < len(changes):
        raise NotInForceError("one module has several changes")
    world = world_of(system, [Change(each.module, each.edit) for each in changes])
    _FOR_GOOD.enter_context(world.current())  # what is imported later is of this world
    return world.operations


_FOR_GOOD: Final = ExitStack()
"""What stays in force until the process ends."""


def swapped(
    system: str, changes: Iterable[Changed]
) -> AbstractContextManager[Mapping[str, Operation]]:
    """Let the changed functions have their changed code. See `exchanged`."""
    return exchanged(system, [(each.module, each.code()) for each in changes])


@contextmanager
def exchanged(
    system: str, codes: Iterable[tuple[str, CodeType]]
) -> Iterator[Mapping[str, Operation]]:
    """Let functions have other code while the block runs; yield the operations with it.

    codes: (module, code of a function of it). Raises NotInForceError.
    """
    reference = loaded(system)
    before: list[tuple[FunctionType, CodeType]] = []
    try:
        for module, code in codes:
            name = code.co_qualname
            objects = reference.functions.get((module, name), ())
            if not objects:
                raise NotInForceError(f"{module}.{name} is not loaded")
            for function in objects:
                before.append((function, function.__code__))
                try:
                    function.__code__ = code
                except ValueError as error:  # another number of free variables
                    raise NotInForceError(f"{name}: {error}") from None
        _forget(reference)
        yield {each.name: each for each in system_named(system).operations}
    finally:
        for function, code in reversed(before):
            function.__code__ = code
        _forget(reference)


def _forget(reference: Loaded) -> None:
    for forget in reference.forget:
        forget()
