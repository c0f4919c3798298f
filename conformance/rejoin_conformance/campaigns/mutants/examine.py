"""Examine mutants: each in a forked process of its own, against the vectors that execute it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache, reduce
from operator import or_
from typing import Final, Literal, TypeAlias

from attrs import evolve, frozen

from rejoin_conformance.campaigns.mutants.corpus import Corpus
from rejoin_conformance.campaigns.mutants.coverage import Coverage, places_of
from rejoin_conformance.campaigns.mutants.exchanging import (
    Change,
    Loaded,
    NotInForceError,
    exchange_code,
    import_afresh,
    loaded,
)
from rejoin_conformance.campaigns.mutants.forked import in_a_fork
from rejoin_conformance.campaigns.mutants.limited_time import TooLongError, limited_time
from rejoin_conformance.campaigns.mutants.mutant import Mutant
from rejoin_conformance.contract.operation import Operation
from rejoin_conformance.contract.registry import system_named
from rejoin_conformance.corpus.verify import Question

Fate: TypeAlias = Literal["killed", "survived", "not-executed", "not-in-force"]

SECONDS: Final = 0.5
TIMES: Final = 4
"""Processor time that one vector may take under a mutant: half a second, and 4 times the time that
it takes while its lines are traced. A vector that takes longer kills the mutant."""

PATIENCE: Final = 20
"""The factor of this time for mutants that are argued to be equivalent. Many of them are only slow,
and a slow answer must not count as a wrong one."""

_HANGS: Final = 3
"""Vectors of a matrix that may take too long before the rest is not asked."""

_RECENT: Final = 8


@frozen(kw_only=True)
class Examined:
    """The result of one mutant.

    killers: the places of the vectors that notice it, ascending; one alone unless all were wanted.
    tried: the number of vectors that ran with the mutant in force or in shadow. how: the
    observation of the first killer, or why the mutant is not in force.
    """

    fate: Fate
    killers: tuple[int, ...] = ()
    tried: int = 0
    how: str = ""


def examine_mutants(
    system: str,
    corpus: Corpus,
    coverage: Coverage,
    mutants: Iterable[Mutant],
    *,
    matrix: bool,
    suspected: Mapping[str, int] | None = None,
) -> Iterator[Examined]:
    """Yield the fate of each mutant.

    The order of the vectors is for speed alone: first those that killed the last mutants of the
    same function, then written ones, then those from random histories; in each group the shortest
    first. matrix: run every vector that executes the mutant, past the first kill.
    suspected: name of a mutant -> the vectors that it could answer wrongly, as bits by their place;
        a mutant without an entry is asked every vector that executes it.
    """
    loaded_reference(system)
    recent: dict[str, list[int]] = {}
    for mutant in mutants:
        first = recent.setdefault(mutant.place, [])
        places = _places(corpus, coverage, mutant, first)
        if not places:
            yield Examined(fate="not-executed")
            continue
        executing = len(places)
        if suspected and mutant.name in suspected:
            places = tuple(each for each in places if suspected[mutant.name] >> each & 1)
        if not places:
            yield Examined(fate="survived", tried=executing)
            continue
        patience = PATIENCE if suspected and mutant.name in suspected else 1
        limits = [patience * (SECONDS + TIMES * coverage.seconds[each]) for each in places]
        examined = in_a_fork(
            lambda each=mutant, asked=places, seconds=limits: _examined(  # type: ignore[misc]  # mypy infers no defaults of a lambda
                system, corpus, each, dict(zip(asked, seconds, strict=True)), matrix=matrix
            ),
            Examined(fate="killed", killers=(places[0],), how="the process died"),
        )
        if examined.killers:
            killer = examined.killers[0]
            first[:] = [killer, *(each for each in first if each != killer)][:_RECENT]
        elif examined.tried:
            examined = evolve(examined, tried=executing)
        yield examined


def _examined(
    system: str,
    corpus: Corpus,
    mutant: Mutant,
    limits: Mapping[int, float],
    *,
    matrix: bool,
) -> Examined:
    """limits: place of a vector -> its limit in seconds, in the order in which they are asked."""
    try:
        operations = put_in_force(system, corpus, mutant)
    except NotInForceError as error:
        return Examined(fate="not-in-force", how=str(error))
    except Exception as error:  # noqa: BLE001 - a module that cannot be imported is noticed by all
        how = f"the import fails: {type(error).__name__}: {error}"
        return Examined(fate="killed", killers=tuple(sorted(limits)), how=how[:300])
    killers: list[int] = []
    how = ""
    tried = hangs = 0
    for place, seconds in limits.items():
        tried += 1
        observed, too_long = observed_answer(operations, corpus.questions[place], seconds)
        hangs += too_long
        if observed is not None:
            how = how or observed[:300]
            killers.append(place)
            if not matrix or hangs == _HANGS:
                break
    fate: Fate = "killed" if killers else "survived"
    return Examined(fate=fate, killers=tuple(sorted(killers)), tried=tried, how=how)


def observed_answer(
    operations: Mapping[str, Operation], question: Question, seconds: float
) -> tuple[str | None, bool]:
    """Describe the first wrong answer, or return None; and whether the time did not suffice.

    seconds: the processor time that the answers may take.
    """
    try:
        with limited_time(seconds):
            return question.wrong_answer(operations[question.vector.operation]), False
    except TooLongError:
        return f"no answer in {seconds:.1f} s", True
    except Exception as error:  # noqa: BLE001 - whatever a mutant raises, a vector noticed it
        return f"{type(error).__name__}: {error}", False


def put_in_force(system: str, corpus: Corpus, change: Change) -> Mapping[str, Operation]:
    """Put a change in force in this process, for good; return the operations with it.

    Raises NotInForceError if that cannot be done, and any exception of the changed code.
    """
    if change.function:
        try:
            exchange_code(change, loaded_reference(system))
        except NotInForceError:
            pass  # the function is used up at import, or has another number of free variables
        else:
            return corpus.operations
    return {operation.name: operation for operation in import_afresh(system, change)}


def _places(
    corpus: Corpus, coverage: Coverage, mutant: Mutant, first: Sequence[int]
) -> tuple[int, ...]:
    """Return the places of the vectors that execute the changed statement, in the order to ask.

    Every vector depends on code outside functions, if it executes the reference at all.
    """
    if mutant.function:
        lines = range(mutant.line, mutant.last_line + 1)
        bits = coverage.executing(mutant.module, lines)
    else:
        bits = reduce(or_, (1 << place for place in coverage.costs), 0)
    places = [*places_of(bits)]
    rank = {place: number for number, place in enumerate(first)}

    def order(place: int) -> tuple[int, bool, int, int]:
        question = corpus.questions[place]
        return (
            rank.get(place, len(rank)),
            question.vector.lineage is not None,
            coverage.costs[place],
            place,
        )

    return tuple(sorted(places, key=order))


@cache
def loaded_reference(system: str) -> Loaded:
    """Return the reference as it is loaded in this process.

    Call it before a fork: finding the functions takes longer than most vectors.
    """
    system_named(system)
    return loaded()
