"""Run the mutants of a system, wherever the work is spread, and add up the results.

Each mutant is examined in a forked process of its own, against the vectors that execute it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Any, Final, Literal, TypeAlias

from attrs import asdict, frozen

from rejoin_conformance.campaigns.mutants.asking import (
    DIED,
    Corpus,
    Coverage,
    ask,
    corpus_of,
    coverage_of,
    executed_by,
    same_corpus,
)
from rejoin_conformance.campaigns.mutants.equivalent import Argued
from rejoin_conformance.campaigns.mutants.mutant import Mutant, mutants_in, mutated_modules
from rejoin_conformance.campaigns.tables import FATES
from rejoin_conformance.contract.spread import Spread
from rejoin_conformance.contract.vector import Vector
from rejoin_conformance.kit.codec import plain, read
from rejoin_conformance.kit.json_types import Json, JsonObject

Fate: TypeAlias = Literal["killed", "survived", "not-executed"]

SECONDS: Final = 0.5
TIMES: Final = 4
"""Processor time that one vector may take under a mutant: half a second, and 4 times the time that
it takes while its lines are traced. A vector that takes longer kills the mutant."""

PATIENCE: Final = 20
"""The factor of this time for mutants that are argued to be equivalent. Many of them are only slow,
and a slow answer must not count as a wrong one."""

_RECENT: Final = 8

MUTANTS_A_PIECE: Final = 20
VECTORS_A_PIECE: Final = 100


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


@frozen(kw_only=True)
class MutantRun:
    """The mutants of a system that were tried, each with its result.

    examined: in the order of `mutants`. argued: the mutants that need no vector.
    """

    system: str
    mutants: tuple[Mutant, ...]
    examined: tuple[Examined, ...]
    vectors: tuple[Vector, ...]
    argued: Argued

    @property
    def alive(self) -> tuple[tuple[Mutant, Examined], ...]:
        """The mutants that no vector noticed, and that no entry argues to be equivalent."""
        return tuple(
            (mutant, each)
            for mutant, each, fate in self.each()
            if fate not in {"killed", "equivalent"}
        )

    @property
    def refuted(self) -> tuple[tuple[Mutant, str], ...]:
        """The argued mutants that a vector kills, with its ID.

        It is empty if some vector executes a mutant that is argued to be unreachable.
        """
        found: list[tuple[Mutant, str]] = []
        for mutant, each, _ in self.each():
            if self.argued.argument(mutant) is None:
                continue
            if each.fate == "killed":
                found.append((mutant, each.killer))
            elif each.tried and mutant.function and self.argued.is_unreachable(mutant):
                found.append((mutant, ""))
        return tuple(found)

    def fates(self) -> Counter[str]:
        """Fate -> the number of mutants; argued survivors count as `equivalent`."""
        return Counter(fate for _, _, fate in self.each())

    def each(self) -> Iterator[tuple[Mutant, Examined, str]]:
        """Yield each mutant with its result, and its fate or `equivalent`."""
        for mutant, each in zip(self.mutants, self.examined, strict=True):
            argued = each.fate != "killed" and self.argued.argument(mutant) is not None
            yield mutant, each, "equivalent" if argued else each.fate

    def to_json(self) -> JsonObject:
        """The run as data."""
        listed: list[Json] = [
            {
                **asdict(mutant),
                "name": mutant.name,
                "fate": fate,
                "argument": self.argued.argument(mutant),
                "killer": each.killer,
                "tried": each.tried,
                "observed": each.how,
            }
            for mutant, each, fate in self.each()
        ]
        return {
            "system": self.system,
            "vectors": len(self.vectors),
            "fates": dict(sorted(self.fates().items())),
            "mutants": listed,
        }


def run_mutants(
    system: str,
    mutants: Sequence[Mutant],
    spread: Spread,
    argued: Argued | None = None,
) -> MutantRun:
    """Run mutants against the corpus, which is read once, before anything else."""
    corpus, argued = corpus_of(system), argued or Argued()
    names = frozenset(each.name for each in mutants if argued.argument(each) is not None)
    covered = _covered(corpus, mutants, spread)
    digest = corpus.digest

    def piece(number: int) -> Json:
        """Return the results of some mutants, and their rows of the table `fates`."""
        some = mutants[number * MUTANTS_A_PIECE :][:MUTANTS_A_PIECE]
        found = [*examine_mutants(same_corpus(system, digest), covered, some, names)]
        rows: list[Json] = [
            {"mutant": mutant.name, **asdict(each), "killer": each.killer or None}
            for mutant, each in zip(some, found, strict=True)
        ]
        return {"examined": [*map(plain, found)], FATES: rows}

    pieces: list[Any] = spread.pieces(piece, -(-len(mutants) // MUTANTS_A_PIECE), "mutants")
    return MutantRun(
        system=system,
        mutants=tuple(mutants),
        examined=tuple(read(each, Examined) for piece in pieces for each in piece["examined"]),
        vectors=tuple(each.vector for each in corpus.questions),
        argued=argued,
    )


def _covered(corpus: Corpus, mutants: Sequence[Mutant], spread: Spread) -> Coverage:
    """Return the lines that the vectors execute, in the modules or functions of these mutants."""
    modules = {each.module for each in mutants}
    if any(not each.function for each in mutants):  # all vectors that execute anything are asked
        modules |= {*mutated_modules(corpus.system)}
    functions = None
    if len(mutants) < sum(len(mutants_in(each)) for each in modules):
        functions = sorted({(each.module, each.function) for each in mutants})
    system, digest = corpus.system, corpus.digest

    def executed(number: int) -> Json:
        same = same_corpus(system, digest)
        some = same.asked[number * VECTORS_A_PIECE :][:VECTORS_A_PIECE]
        questions = [(each, same.questions[each]) for each in some]
        return [*executed_by(system, sorted(modules), questions, functions=functions)]

    pieces = -(-len(corpus.asked) // VECTORS_A_PIECE)
    found: list[Any] = spread.pieces(executed, pieces, "coverage of the vectors")
    return coverage_of(each for piece in found for each in piece)
