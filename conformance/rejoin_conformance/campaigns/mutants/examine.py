"""Examine mutants: each in a forked process of its own, against the vectors that execute it."""

from __future__ import annotations

import os
import pickle
import resource
import signal
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache, reduce
from operator import or_
from types import FrameType, FunctionType
from typing import Final, Literal, TypeAlias

from attrs import frozen

from rejoin_conformance.campaigns.mutants.coverage import Lines
from rejoin_conformance.campaigns.mutants.in_force import (
    NotInForceError,
    exchange_code,
    import_afresh,
    loaded_functions,
)
from rejoin_conformance.campaigns.mutants.mutant import Mutant, mutants_of
from rejoin_conformance.contract.operation import Operation
from rejoin_conformance.contract.registry import system_named
from rejoin_conformance.contract.vector import Vector
from rejoin_conformance.corpus.load import load_system
from rejoin_conformance.corpus.verify import wrong_answers

Fate: TypeAlias = Literal["killed", "survived", "not-executed", "not-in-force"]

SECONDS: Final = 10
"""Processor time that one vector may take under a mutant; a vector that takes more kills it."""

MEMORY: Final = 4 << 30
"""Bytes of address space that a mutant may use."""


@frozen(kw_only=True)
class Examined:
    """What became of a mutant.

    mutant: its place among the mutants of the system. killers: the places of the vectors that
    notice it; the first one alone unless all were wanted. tried: the number of vectors that ran.
    how: the observation of the first killer, or why the mutant is not in force.
    """

    mutant: int
    fate: Fate
    killers: tuple[int, ...] = ()
    tried: int = 0
    how: str = ""


class _TooLongError(BaseException):
    """A vector took more processor time than a mutant is given."""


def examine_mutant(system: str, number: int, lines: Lines, *, matrix: bool) -> Examined:
    """Return the fate of a mutant.

    matrix: run every vector that executes the mutant, past the first kill.
    """
    mutant = _mutants(system)[number]
    places = _places(mutant, lines, len(_vectors(system)))
    if not places:
        return Examined(mutant=number, fate="not-executed")
    functions = _functions(system)
    return _in_a_fork(
        lambda: _examined(system, number, mutant, places, functions, matrix=matrix),
        Examined(mutant=number, fate="killed", killers=(places[0],), how="the process died"),
    )


def _examined(
    system: str,
    number: int,
    mutant: Mutant,
    places: Sequence[int],
    functions: Mapping[tuple[str, str], tuple[FunctionType, ...]],
    *,
    matrix: bool,
) -> Examined:
    vectors = _vectors(system)
    try:
        if mutant.function:
            exchange_code(mutant, functions)
            operations: Sequence[Operation] = system_named(system).operations
        else:
            operations = import_afresh(mutant, system)
    except NotInForceError as error:
        return Examined(mutant=number, fate="not-in-force", how=str(error))
    except Exception as error:  # noqa: BLE001 - a module that cannot be imported is noticed by all
        how = f"the import fails: {type(error).__name__}: {error}"
        return Examined(mutant=number, fate="killed", killers=tuple(places), how=how[:300])
    named = {operation.name: operation for operation in operations}
    killers: list[int] = []
    how = ""
    tried = 0
    for place in places:
        tried += 1
        observed = _observed(named, vectors[place])
        if observed is not None:
            how = how or observed[:300]
            killers.append(place)
            if not matrix:
                break
    fate: Fate = "killed" if killers else "survived"
    return Examined(mutant=number, fate=fate, killers=tuple(killers), tried=tried, how=how)


def _observed(operations: Mapping[str, Operation], vector: Vector) -> str | None:
    """What is wrong with the answers to a vector, or None."""
    try:
        with _limited_time():
            return next(iter(wrong_answers(operations[vector.operation], vector)), None)
    except _TooLongError:
        return f"no answer in {SECONDS} s"
    except Exception as error:  # noqa: BLE001 - whatever a mutant raises, a vector noticed it
        return f"{type(error).__name__}: {error}"


@contextmanager
def _limited_time() -> Iterator[None]:
    def interrupt(_signal: int, _frame: FrameType | None) -> None:
        raise _TooLongError

    before = signal.signal(signal.SIGVTALRM, interrupt)
    signal.setitimer(signal.ITIMER_VIRTUAL, SECONDS)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)


def _in_a_fork(work: Callable[[], Examined], died: Examined) -> Examined:
    """Do the work in a child process, and return its result; `died` if the child ends without."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            os.close(reading)
            resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
            result = pickle.dumps(work())
            with os.fdopen(writing, "wb") as pipe:
                pipe.write(result)
        finally:
            os._exit(0)  # nothing of the parent may be finished here
    os.close(writing)
    with os.fdopen(reading, "rb") as pipe:
        data = pipe.read()
    os.waitpid(child, 0)
    if not data:
        return died
    examined: Examined = pickle.loads(data)  # noqa: S301 - our own child wrote it
    return examined


def _places(mutant: Mutant, lines: Lines, vectors: int) -> tuple[int, ...]:
    """The places of the vectors that execute the changed statement.

    Every vector depends on code outside functions, if it executes the reference at all.
    """
    if mutant.function:
        executed = lines.get(mutant.module, {})
        bits = _union(executed.get(line, 0) for line in range(mutant.line, mutant.last_line + 1))
    else:
        bits = _union(bits for each in lines.values() for bits in each.values())
    return tuple(place for place in range(vectors) if bits >> place & 1)


def _union(every: Iterable[int]) -> int:
    return reduce(or_, every, 0)


@cache
def _mutants(system: str) -> tuple[Mutant, ...]:
    return mutants_of(system)


@cache
def _vectors(system: str) -> tuple[Vector, ...]:
    return load_system(system)


@cache
def _functions(system: str) -> Mapping[tuple[str, str], tuple[FunctionType, ...]]:
    system_named(system)
    return loaded_functions()
