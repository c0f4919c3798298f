"""Examine mutants: each in a forked process of its own, against the vectors that execute it."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Final, Literal, TypeAlias

from attrs import frozen

from rejoin_conformance.campaigns.mutants.asking import DIED, Answers, Corpus, Coverage, ask
from rejoin_conformance.campaigns.mutants.mutant import Mutant

Fate: TypeAlias = Literal["killed", "survived", "not-executed"]

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

    killers: the IDs of the vectors that notice it, in the order of the corpus; one alone unless all
    were wanted. tried: the number of vectors that ran with the mutant in force. how: the
    observation of the first killer.
    """

    fate: Fate
    killers: tuple[str, ...] = ()
    tried: int = 0
    how: str = ""


def examine_mutants(
    corpus: Corpus,
    coverage: Coverage,
    mutants: Iterable[Mutant],
    *,
    matrix: bool,
    argued: Collection[str] = (),
) -> Iterator[Examined]:
    """Yield the fate of each mutant.

    The order of the vectors is for speed alone: first those that killed the last mutants of the
    same function, then written ones, then those from random histories; in each group the shortest
    first. matrix: run every vector that executes the mutant, past the first kill.
    argued: the names of mutants that are argued to be equivalent.
    """
    recent: dict[str, list[int]] = {}
    for mutant in mutants:
        first = recent.setdefault(mutant.place, [])
        places = _places(corpus, coverage, mutant, first)
        if not places:
            yield Examined(fate="not-executed")
            continue
        patience = PATIENCE if mutant.name in argued else 1
        questions = [
            (each, corpus.questions[each], patience * (SECONDS + TIMES * coverage.seconds[each]))
            for each in places
        ]
        most = len(places) if matrix else 1
        answers = ask(corpus.system, [mutant], questions, most=most, hangs=_HANGS)
        killers = sorted(answers.wrong or _without_answers(places, answers))
        if killers:
            first[:] = [killers[0], *(each for each in first if each != killers[0])][:_RECENT]
        yield Examined(
            fate="killed" if killers else "survived",
            killers=tuple(corpus.questions[each].vector.id for each in killers),
            tried=answers.asked,
            how=answers.how,
        )


def _without_answers(places: Sequence[int], answers: Answers) -> Sequence[int]:
    """Return the vectors that notice a mutant whose import fails, or whose process died."""
    return () if answers.asked else places[:1] if answers.how == DIED else places


def _places(
    corpus: Corpus, coverage: Coverage, mutant: Mutant, first: Sequence[int]
) -> tuple[int, ...]:
    """Return the places of the vectors that execute the changed statement, in the order to ask.

    Every vector depends on code outside functions, if it executes the reference at all.
    """
    lines = range(mutant.line, mutant.last_line + 1)
    places = coverage.executing(mutant.module, lines) if mutant.function else coverage.costs
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
