"""Examine mutants: each in a forked process of its own, against the vectors that execute it."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Final, Literal, TypeAlias

from attrs import frozen

from rejoin_conformance.campaigns.mutants.asking import DIED, Corpus, Coverage, ask
from rejoin_conformance.campaigns.mutants.mutant import Mutant

Fate: TypeAlias = Literal["killed", "survived", "not-executed"]

SECONDS: Final = 0.5
TIMES: Final = 4
"""Processor time that one vector may take under a mutant: half a second, and 4 times the time that
it takes while its lines are traced. A vector that takes longer kills the mutant."""

PATIENCE: Final = 20
"""The factor of this time for mutants that are argued to be equivalent. Many of them are only slow,
and a slow answer must not count as a wrong one."""

_RECENT: Final = 8


@frozen(kw_only=True)
class Examined:
    """The result of one mutant.

    killer: the ID of the vector that notices it. tried: the number of vectors that ran with the
    mutant in force. how: the observation of the killer.
    """

    fate: Fate
    killer: str = ""
    tried: int = 0
    how: str = ""


def examine_mutants(
    corpus: Corpus,
    coverage: Coverage,
    mutants: Iterable[Mutant],
    argued: Collection[str] = (),
) -> Iterator[Examined]:
    """Yield the fate of each mutant.

    The order of the vectors is for speed alone: first those that killed the last mutants of the
    same function, then written ones, then those from random histories; in each group the shortest
    first. argued: the names of mutants that are argued to be equivalent.
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
        answers = ask(corpus.system, [mutant], questions)
        killer = answers.wrong
        if not answers.asked:  # every vector notices a mutant whose import fails
            killer = places[0] if answers.how == DIED else min(places)
        if killer is None:
            yield Examined(fate="survived", tried=answers.asked)
            continue
        first[:] = [killer, *(each for each in first if each != killer)][:_RECENT]
        name = corpus.questions[killer].vector.id
        yield Examined(fate="killed", killer=name, tried=answers.asked, how=answers.how)


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
